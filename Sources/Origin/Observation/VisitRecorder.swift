import Answering
import ClientAddress
import Countries
import HTTPMessages
import Memory
import Services
import SiteConfiguration
import Sockets
import URISyntax
import Visits

/// Counts the requests of one loop for stored links. The input comes `inout`, also where it is only read: each request
/// would copy one that is borrowed.
struct VisitRecorder: ~Copyable {
    private let service: VisitService?
    private let lane: VisitLane?
    private var table: VisitTable
    private var salts: VisitSalts?
    private var saltsSeen: UInt64 = 0
    /// The hour, in hours since 1970.
    private var hour = 0
    /// The hour's part of the keys (`VisitKey.packed`).
    private var hourKey: UInt64 = 0
    /// The key of today.
    private var salt: VisitSalt?
    private var nextHandOver = 0
    private var countries = CountrySource.nothing
    /// The kinds in keys of other classes than visits.
    private let kinds = (
        probe: VisitKey.kind(of: .probe), prefetch: VisitKey.kind(of: .prefetch),
        bot: VisitKey.kind(of: .bot), notFound: VisitKey.kind(of: .notFound)
    )
    /// Whether something waits to be handed over.
    private(set) var hasCounted = false

    /// - Parameter service: nil where nothing is counted.
    init(_ service: VisitService?) {
        self.service = service
        lane = service?.makeLane()
        table = VisitTable(isUsed: service != nil)
    }

    /// Counts countries from this source from now on.
    mutating func use(_ countries: CountrySource) { self.countries = countries }

    /// To be called once a second.
    mutating func begin(_ turn: borrowing Turn) {
        guard service != nil else { return }
        hour = turn.unixSeconds / 3_600
        hourKey = UInt64(truncatingIfNeeded: hour) << 44
        readSalt()
        guard hasCounted, turn.milliseconds >= nextHandOver else { return }
        handOver()
        nextHandOver = turn.milliseconds + Self.handOverMilliseconds
    }

    private mutating func readSalt() {
        if let changed = service?.salts.changed(since: &saltsSeen) { salts = changed }
        salt = salts?.salt(of: hour / 24)
    }

    // MARK: Counting

    /// Counts a request for a stored link, or for a path of a collection that has no such link.
    mutating func record(
        _ request: inout RequestRecord, _ tally: Tally, _ visitors: borrowing VisitorCache,
        _ input: inout RequestInput
    ) {
        hasCounted = true
        let link = request.summary.stored
        guard link != RequestSummary.missed else { return recordMiss(&request, &input) }
        let kind: UInt8
        if case .head = tally.method {
            kind = kinds.probe
        } else if input.reader.fields.mayBeAhead, Self.isAhead(&input) {
            kind = kinds.prefetch
        } else if tally.visitor.isProgram {
            kind = kinds.bot
        } else if case .notFound = tally.outcome {
            kind = kinds.notFound
        } else {
            kind = Self.outcome(tally.outcome).rawValue << 2 | tally.visitor.platform
            recordVisitor(&request, visitors, &input)
        }
        if table.count(hourKey | link << 5 | UInt64(kind)) { handOver() }
    }

    @inline(never)
    private mutating func recordMiss(
        _ request: inout RequestRecord, _ input: inout RequestInput
    ) {
        guard let path = request.head?.path else { return }
        table.countMiss(
            request.summary.collection, hour: hour, input.buffer.storage.span.extracting(path))
        if table.isNearlyFull { handOver() }
    }

    @inline(never)
    private mutating func recordVisitor(
        _ request: inout RequestRecord, _ visitors: borrowing VisitorCache,
        _ input: inout RequestInput
    ) {
        let link = request.summary.stored
        let day = LinkDay(link: Int(truncatingIfNeeded: link), day: hour / 24)
        // The store's links may be answered before the next second begins.
        if salt == nil { readSalt() }
        if let salt, Self.mayBeTold(&input) {
            let client = request.client
            let network = client.isV4 ? client.low : client.high
            let userAgent = input.reader.fields.first(.userAgent) ?? 0..<0
            table.countVisitor(
                day,
                hash: salt.hash(
                    network, visitors.hash(input.buffer.storage, userAgent), link))
        }
        if let referer = input.reader.fields.first(.referer) {
            let host = Self.host(input.buffer.storage.span, referer)
            if !host.isEmpty {
                table.countReferrer(day, input.buffer.storage.span.extracting(host))
            }
        }
        switch countries {
        case .nothing: break
        case .field(let name):
            let country = request.isByProxy ? Self.country(named: name, in: input) : .unknown
            table.countCountry(day, country.number)
        case .table(let table):
            let country = table.country(high: request.client.high, low: request.client.low)
            self.table.countCountry(day, country.number)
        }
        if table.isNearlyFull { handOver() }
    }

    /// The country that a field has.
    private static func country(
        named name: [UInt8], in input: borrowing RequestInput
    ) -> CountryCode {
        guard
            let place = input.reader.fields.onlyPair(
                named: name.span, in: input.buffer.storage.span)
        else { return .unknown }
        return CountryCode(input.buffer.storage[place], input.buffer.storage[place + 1])
    }

    private static func outcome(_ outcome: Outcome) -> VisitOutcome {
        switch outcome {
        case .redirect: .redirect
        case .store: .store
        default: .page
        }
    }

    /// Whether a browser asks before its user does: the values that browsers send begin with
    /// `prefetch` or `preview`.
    private static func isAhead(_ input: inout RequestInput) -> Bool {
        for name in [FieldName.secPurpose, .purpose, .xPurpose, .xMoz] {
            guard let value = input.reader.fields.first(name), value.count >= 7 else { continue }
            let start = value.lowerBound
            let word = input.buffer.storage.span.word(start..<min(start + 8, value.upperBound))
            let letters = (value.count > 7 ? word : word << 8).foldedToLowerCase
            if letters == 0x7072_6566_6574_6368 || letters >> 8 == 0x70_7265_7669_6577 {
                return true
            }
        }
        return false
    }

    /// Whether the visitor may be told from others: it has not said that it does not want that.
    private static func mayBeTold(_ input: inout RequestInput) -> Bool {
        for name in [FieldName.secGPC, .doNotTrack] {
            guard let value = input.reader.fields.first(name) else { continue }
            if value.count == 1, input.buffer.storage[value.lowerBound] == UInt8(ascii: "1") {
                return false
            }
        }
        return true
    }

    /// The host of a URL; empty for what is none.
    private static func host(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        while start + 2 < range.upperBound {
            if text[start] == UInt8(ascii: ":"), text[start + 1] == UInt8(ascii: "/"),
                text[start + 2] == UInt8(ascii: "/")
            {
                break
            }
            start += 1
        }
        start += 3
        var end = start
        while end < range.upperBound, isOfHost(text[end]) { end += 1 }
        guard start < end, end - start <= VisitTable.referrerBytesMax else { return 0..<0 }
        let isWhole =
            end == range.upperBound || text[end] == UInt8(ascii: "/")
            || text[end] == UInt8(ascii: ":")
        return isWhole ? start..<end : 0..<0
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }

    // MARK: Handing over

    /// Hands over what was counted, unless what was handed over before is still being read.
    private mutating func handOver() {
        guard let service, let lane, lane.handOver(&table) else { return }
        hasCounted = false
        service.thread.wakeup.wake()
    }

    /// The loop ends.
    mutating func handOverLast() {
        guard let lane else { return }
        var last = VisitTable(isUsed: false)
        swap(&last, &table)
        lane.handOverLast(last)
    }

    private static let handOverMilliseconds = 2_000
}
