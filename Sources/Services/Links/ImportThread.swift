import Answering
import HTTPMessages
import LinkAPI
import LinkStore
import Memory
import SharedStore
import Sockets
import Synchronization

/// The thread of an import.
final class ImportThread: Sendable {
    private let service: LinkService
    private let api: LinkAPI
    private let admitted: AdmittedRequest
    private let options: LinkImport
    private let place: TokenPlaces.Place
    private let wakeup = Mutex<Wakeup?>(nil)

    init(
        _ service: LinkService, _ api: LinkAPI, _ admitted: AdmittedRequest,
        _ options: LinkImport, _ place: TokenPlaces.Place
    ) {
        (self.service, self.api, self.admitted) = (service, api, admitted)
        (self.options, self.place) = (options, place)
    }

    /// The first time it starts the thread, then it wakes it.
    @Sendable func advance(_ request: HandledRequest) {
        let before = wakeup.withLock { wakeup in
            defer { if wakeup == nil { wakeup = try? Wakeup() } }
            return wakeup
        }
        if let before { return before.wake() }
        guard !request.isCancelled else { return }
        guard let wakeup = wakeup.withLock({ $0 }) else {
            return request.answer(.unavailable("no descriptor is left for an import"))
        }
        let stream = BlockingStream(request: request, wakeup: wakeup)
        do throws(SystemError) {
            try startThread(name: "waymark-import") { [self] in
                if options.isAtomic { importWhole(stream) } else { importByLines(stream) }
            }
        } catch {
            request.answer(.unavailable(service.noThread(error)))
        }
    }

    private static let what = "an import"

    /// Answers after the place is given back, so that a client with the answer can ask again.
    private func refuse(_ stream: BlockingStream, _ response: APIResponse) {
        place.giveBack()
        stream.answer(response)
    }

    /// The refusal of a token that was removed, or has expired, since the import began.
    private var refusalMeanwhile: APIResponse? {
        api.refusalMeanwhile(of: admitted, service.tokens.value, at: service.clock.milliseconds)
    }

    /// Imports of so many lines return no memory: to look for it takes all of the allocator's locks.
    private static let keptLinesMax = 1_000

    private func importByLines(_ stream: BlockingStream) {
        let rehearsal = options.isRehearsal ? ImportRehearsal() : nil
        var (reader, summary) = (ImportReader(options), ImportSummary())
        var pending: ImportBatch?
        let answer = LongAnswer(in: service.directory)
        var (isEnd, lines, waiting) = (false, [RawLine](), 0)
        var (last, lastLine) = (RawLine?.none, 0)
        // Where there is little memory, batches are small.
        let room = ImportRoom(service.memory)
        guard room.begin() else { return refuse(stream, .busy(service.noMemory(Self.what))) }
        defer { if lastLine > Self.keptLinesMax { returnFreeMemory() } }
        /// Gives lines to the store's thread, unless the token was removed meanwhile.
        func begin(_ lines: ArraySlice<ImportedLine>) -> ImportBatch? {
            if let refusal = refusalMeanwhile {
                summary.problem = refusal
                return nil
            }
            let outcomes = service.begin { [self] store in
                apply(lines, rehearsal, stream.request, store)
            }
            if outcomes == nil { summary.problem = .busy(LinkService.busy) }
            return outcomes.map { ImportBatch(lines: lines, outcomes: $0) }
        }
        /// Reports what became of a batch, transaction by transaction; false if nothing more is to be
        /// done.
        func report(_ batch: ImportBatch) -> Bool {
            var batch = batch
            while true {
                switch batch.outcomes.wait() {
                case .failure(let response):
                    summary.problem = response
                    return false
                case .success(let outcomes):
                    summary.count(outcomes)
                    guard answer.append(options.report(outcomes)) else { return false }
                    let rest = batch.lines.dropFirst(outcomes.count)
                    guard !rest.isEmpty else { return true }
                    guard let next = begin(rest) else { return false }
                    batch = next
                }
            }
        }
        func reportPending() -> Bool {
            let isDone = pending.map(report) ?? true
            pending = nil
            guard room.giveBack() else {
                summary.problem = summary.problem ?? .busy(service.noMemory(Self.what))
                return false
            }
            return isDone
        }
        /// Reads the lines while the store's thread works on those before, and gives them to it then.
        func hand() -> Bool {
            let batch = read(lines, of: stream.request)
            (lines, waiting) = ([], 0)
            // The order of lines decides, so the batch before is done first, whole.
            guard reportPending() else { return false }
            let slugs = rehearsal == nil ? 0 : batch.reduce(0) { $0 + $1.slugCount }
            room.hand(keeping: slugs)
            pending = begin(batch[...])
            return pending != nil
        }
        /// Finds memory for the lines that wait; false if there is none.
        func makeRoom() -> Bool {
            if room.take(lines.count, bytes: waiting) { return true }
            if lines.count > 1 { return hand() }
            guard reportPending() else { return false }
            if room.take(lines.count, bytes: waiting) { return true }
            (lines, summary.problem) = ([], .busy(service.noMemory(Self.what)))
            return false
        }
        var goesOn = true
        while goesOn, !isEnd {
            switch stream.next() {
            case .piece(let piece):
                reader.add(piece)
            case .end: isEnd = true
            case .stalled:
                summary.problem = .stalled(after: lastLine, isAtomic: false)
                goesOn = false
            // A client that sends its lines now and then hears of nothing, but they are written. One transaction may end
            // before all of them are.
            case .later: goesOn = (lines.isEmpty || hand()) && reportPending()
            case .cancelled: return
            }
            while goesOn, let line = reader.next(isEnd: isEnd) {
                // Content that cannot be read to its end does no more than it has done.
                if line.endsImport { (lines, last) = ([], line) }
                lines.append(line)
                lastLine = line.number
                waiting += line.byteCount
                let isFull =
                    lines.count == LinkImport.batchLinesMax || waiting > LinkImport.batchBytesMax
                goesOn = isFull ? hand() : makeRoom()
            }
        }
        // Whole lines that came before a client's time was over are done.
        if goesOn || summary.problem?.status == 408, !lines.isEmpty { goesOn = hand() && goesOn }
        // What was given to the store's thread is done also if the lines before have failed.
        goesOn = reportPending() && goesOn
        if !goesOn, summary.problem == nil {
            summary.problem = .unavailable("the answer cannot be kept until the content has come")
        }
        // What was done stays, so it is reported also where the store has failed.
        if let problem = summary.problem { _ = answer.append(problem.content) }
        _ = answer.append(
            summary.line(
                isApplied: !options.isRehearsal, isComplete: goesOn && last?.leavesRest != true))
        let done: Status = last == nil ? .ok : .unprocessableContent
        answer.send(
            over: stream, summary.problem.flatMap { Status(rawValue: $0.status) } ?? done,
            retryAfter: summary.problem?.fields["Retry-After"], place)
    }

    /// Reads lines on as many threads as there are processors: it is most of an import's work. The
    /// request's time begins anew with every few of them, as it does while they are written.
    private func read(_ lines: [RawLine], of request: HandledRequest) -> [ImportedLine] {
        let now = service.clock.seconds
        let width = max(1, (lines.count + service.readers - 1) / service.readers)
        let parts = stride(from: 0, to: lines.count, by: width).map { start in
            lines[start..<min(start + width, lines.count)]
        }
        let read = { @Sendable [options] (part: ArraySlice<RawLine>) in
            part.map { line in
                if line.number % 64 == 0 { request.goOn() }
                return options.read(line, at: now)
            }
        }
        let others = parts.dropFirst().map { part in
            Background(name: "waymark-import") { read(part) }
        }
        let first = parts.first.map(read) ?? []
        return others.reduce(into: first) { $0 += $1.value }
    }

    /// Writes lines on the store's thread, unless the client was told meanwhile to try again.
    private func apply(
        _ lines: ArraySlice<ImportedLine>, _ rehearsal: ImportRehearsal?, _ request: HandledRequest,
        _ store: Result<LinkStore, StoreError>
    ) -> Result<[ImportedOutcome], APIResponse> {
        guard !request.isRefused else {
            return .failure(.unavailable("the answer has taken too long"))
        }
        guard service.decides(like: api, for: admitted) else {
            return .failure(.unavailable(LinkService.otherRules))
        }
        request.goOn()
        let end = Clock.monotonicMilliseconds + Self.transactionMilliseconds
        let room = ChangedLinksRoom(service.memory)
        defer { if room.isLacking, options.isAtomic { _ = service.noMemory(Self.what) } }
        return store.onStore { store in
            api.apply(
                lines, of: options, store, at: service.clock.milliseconds, rehearsal,
                goesOn: {
                    request.goOn()
                    return Clock.monotonicMilliseconds < end
                }, hasRoom: room.take)
        }
    }

    /// The time after which a transaction ends, so that others have their turn.
    private static let transactionMilliseconds = 1_000
    /// Lines of an atomic import that are read together.
    private static let readLinesMax = 2_000

    private func importWhole(_ stream: BlockingStream) {
        var (reader, lines, count, isEnd) = (ImportReader(options), [RawLine](), 0, false)
        var (all, refused, endsEarly, lastLine) = ([ImportedLine](), 0, false, 0)
        defer { if lastLine > Self.keptLinesMax { returnFreeMemory() } }
        var (slugs, isCut, linesBytes) = (0, false, 0)
        let room = ImportRoom(service.memory)
        guard room.begin() else { return refuse(stream, .busy(service.noMemory(Self.what))) }
        /// Reads what has come. Behind many refused lines nothing will be done, so the rest, of
        /// which all could be refused, is neither read nor kept.
        func readLines() {
            let batch = read(lines, of: stream.request)
            lines = []
            refused += batch.count { $0.isRefused(by: options) }
            slugs += batch.reduce(0) { $0 + $1.slugCount }
            all += batch
        }
        while !isEnd {
            switch stream.next() {
            case .piece(let bytes):
                count += bytes.count
                guard count <= LinkImport.atomicBytesMax else {
                    return refuse(stream, .tooLarge(LinkImport.atomicBytesMax))
                }
                reader.add(bytes)
            case .end: isEnd = true
            case .stalled:
                var content = APIResponse.stalled(after: lastLine, isAtomic: true).content
                content += ImportSummary().line(isApplied: false, isComplete: false)
                let answer = LongAnswer(in: service.directory)
                _ = answer.append(content)
                return answer.send(over: stream, .requestTimeout, place)
            case .later: continue
            case .cancelled: return
            }
            while let line = reader.next(isEnd: isEnd) {
                lastLine = line.number
                guard refused < LinkImport.atomicRefusedMax else {
                    isCut = true
                    continue
                }
                // Content that cannot be read to its end does nothing.
                if line.endsImport { (lines, all, slugs, endsEarly) = ([], [], 0, line.leavesRest) }
                guard slugs + lines.count < LinkImport.atomicSlugsMax else {
                    return refuse(stream, .tooManySlugs(before: line.number))
                }
                lines.append(line)
                linesBytes += line.byteCount
                guard room.take(slugs + lines.count, bytes: max(count, linesBytes)) else {
                    return refuse(stream, .busy(service.noMemory(Self.what)))
                }
                if lines.count == Self.readLinesMax { readLines() }
            }
        }
        readLines()
        guard slugs <= LinkImport.atomicSlugsMax else {
            return refuse(stream, .tooManySlugs(before: lastLine))
        }
        if let refusal = refusalMeanwhile { return refuse(stream, refusal) }
        let isComplete = !isCut && !endsEarly
        let (whole, rehearsal) = (all, options.isRehearsal ? ImportRehearsal() : nil)
        let applied = service.wait { [self] store in
            apply(whole[...], rehearsal, stream.request, store)
        }
        switch applied {
        case nil: refuse(stream, .unavailable("the process stops"))
        case .failure(let response): refuse(stream, response)
        case .success(let outcomes):
            var summary = ImportSummary()
            summary.count(outcomes)
            let isApplied = summary.refused == 0 && !options.isRehearsal
            let answer = LongAnswer(in: service.directory)
            _ = answer.append(options.report(outcomes))
            _ = answer.append(summary.line(isApplied: isApplied, isComplete: isComplete))
            answer.send(over: stream, summary.refused == 0 ? .ok : .unprocessableContent, place)
        }
    }
}

/// Lines that the store's thread writes, the first of them or all.
private struct ImportBatch {
    let lines: ArraySlice<ImportedLine>
    let outcomes: PendingValue<Result<[ImportedOutcome], APIResponse>>
}
