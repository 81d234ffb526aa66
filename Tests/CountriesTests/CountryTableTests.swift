import TestSupport
import Testing

@testable import Countries

@Suite("Countries of addresses")
struct CountryTableTests {
    private func name(_ table: CountryTable, v4 address: UInt32) -> String {
        table.country(high: 0, low: 0xFFFF << 32 | UInt64(address)).name
    }

    // MARK: Trees

    /// Networks with their countries, of which the last that has an address counts.
    private struct Networks {
        var all = [(high: UInt64, low: UInt64, length: Int, country: String)]()

        func country(_ high: UInt64, _ low: UInt64) -> String {
            for one in all.reversed() {
                let (ofHigh, ofLow) = (min(one.length, 64), max(one.length - 64, 0))
                let isHigh = ofHigh == 0 || (high ^ one.high) >> UInt64(64 - ofHigh) == 0
                let isLow = ofLow == 0 || (low ^ one.low) >> UInt64(64 - ofLow) == 0
                if isHigh, isLow { return one.country }
            }
            return "unknown"
        }
    }

    @Test(arguments: [24, 28, 32], [true, false])
    func `each address has the country of its smallest network`(bits: Int, isV6: Bool) throws {
        var random = SplitMix(seed: UInt64(bits) + (isV6 ? 1 : 0))
        // Few nodes, and so many that the first bits are looked up at once.
        for count in [1, 30, 3_000] {
            var database = TestDatabase(isV6: isV6, recordBits: bits)
            let countries = ["AT", "DE", "CH", "us", "XX"]
            let places = countries.map { database.add(country: $0) }
            var networks = Networks()
            let lengths = (0..<count).map { _ in Int.random(in: 1...32, using: &random) }.sorted()
            for length in lengths {
                let country = Int.random(in: 0..<countries.count, using: &random)
                let isV4 = !isV6 || Bool.random(using: &random)
                let chance: UInt64 = random.next()
                let rest = UInt64(32 - length)
                let prefix = ((chance & 0xFFFF_FFFF) >> rest) << rest
                let own: (high: UInt64, low: UInt64, length: Int) =
                    isV4
                    ? (0, prefix, 96 + length) : (1 << 61 | prefix << 29, 0, 3 + length)
                let name = countries[country] == "XX" ? "unknown" : countries[country].uppercased()
                database.add(own.high, own.low, length: own.length, .data(places[country]))
                networks.all.append((own.high, own.low, own.length, name))
            }
            let table = try CountryTable(file: database.bytes)
            #expect(table.builtSeconds == 1_700_000_000)
            if count == 3_000 { #expect(table.nodeCount > CountryTable.nodesWithStarts) }
            for _ in 0..<400 {
                let near = networks.all[Int.random(in: 0..<count, using: &random)]
                let chance: UInt64 = random.next()
                let v4 = UInt32(truncatingIfNeeded: near.low ^ (chance & 0xFFF))
                #expect(name(table, v4: v4) == networks.country(0, UInt64(v4)))
                let high = near.high | 1 << 61 | chance >> 32
                let v6 = table.country(high: high, low: 5).name
                #expect(v6 == (isV6 ? networks.country(high, 5) : "unknown"))
            }
        }
    }

    @Test func `a tree that leads in a circle has no countries`() throws {
        var database = TestDatabase()
        let place = database.add(country: "AT")
        database.nodes = [(.node(1), .data(place)), (.node(0), .node(1))]
        let table = try CountryTable(file: database.bytes)
        #expect(table.country(high: 1 << 63, low: 0).name == "AT")
        #expect(table.country(high: 0, low: 0).name == "unknown")
        #expect(table.country(high: 1 << 62, low: .max).name == "unknown")
        #expect(name(table, v4: 0) == "unknown")
    }

    // MARK: Records

    private static let iso = TestDatabase.Value.map([("iso_code", .text("AT"))])

    static let records: [(TestDatabase.Value, String)] = [
        (.map([("country", iso)]), "AT"),
        (
            .map([("city", .map([("names", .map([("en", .text("Graz"))]))])), ("country", iso)]),
            "AT"
        ),
        (
            .map([
                ("country", .map([("names", .array([.boolean(true)])), ("iso_code", .text("at"))]))
            ]), "AT"
        ),
        (.map([("country", .text("Austria")), ("country_code", .text("AT"))]), "AT"),
        (.map([("country_code", .text("AT")), ("country", .text("Austria"))]), "AT"),
        (.map([("registered_country", iso)]), "unknown"),
        (.map([("country", .map([("iso_code", .text("AUT"))]))]), "unknown"),
        (.map([("country", .map([("iso_code", .text("A1"))]))]), "unknown"),
        (.map([("country", .map([("iso_code", .text(""))]))]), "unknown"),
        (.map([("country", .map([("iso_code", .number(7, type: 5))]))]), "unknown"),
        (.map([("x", .raw([0x68] + [UInt8](repeating: 0, count: 8))), ("country", iso)]), "AT"),
        (.map([("x", .text(String(repeating: "x", count: 70_000))), ("country", iso)]), "AT"),
        (.map([("x", .text(String(repeating: "x", count: 300))), ("country", iso)]), "AT"),
        (.map([]), "unknown"), (.text("AT"), "unknown"), (.array([iso]), "unknown"),
    ]

    @Test(arguments: records.indices)
    func `a record has the country that it names`(_ number: Int) throws {
        let (value, expected) = Self.records[number]
        var database = TestDatabase(isV6: false)
        database.add(v4: 0, length: 8, .data(database.add(value)))
        // Some record has a country.
        database.add(v4: 1 << 24, length: 8, .data(database.add(country: "DE")))
        let table = try CountryTable(file: database.bytes)
        #expect(name(table, v4: 1) == expected)
        #expect(name(table, v4: 1 << 24) == "DE")
    }

    @Test(arguments: [(1, 100), (2, 2_100), (3, 600_000), (4, 10), (4, 600_000)])
    func `pointers of each size are followed`(bytes: Int, before: Int) throws {
        var database = TestDatabase(isV6: false, recordBits: 28)
        database.data = [UInt8](repeating: 0x40, count: before)
        let key = database.add(.text("country"))
        let country = database.add(Self.iso)
        let record = database.add(
            .raw(
                [0xE1] + TestDatabase.bytes(of: .pointer(key, bytes: bytes))
                    + TestDatabase.bytes(of: .pointer(country, bytes: bytes))))
        let whole = database.add(.pointer(record, bytes: bytes))
        database.add(v4: 0, length: 8, .data(record))
        database.add(v4: 1 << 24, length: 8, .data(whole))
        let table = try CountryTable(file: database.bytes)
        #expect(name(table, v4: 1) == "AT" && name(table, v4: 1 << 24) == "AT")
    }

    // MARK: What is refused

    private static func database(
        _ change: (inout TestDatabase) -> Void = { _ in }
    ) -> TestDatabase {
        var database = TestDatabase(isV6: false)
        database.add(v4: 0, length: 1, .data(database.add(country: "AT")))
        change(&database)
        return database
    }

    private static func with(_ key: String, _ value: TestDatabase.Value?) -> [UInt8] {
        database { $0.metadata[key] = .some(value) }.bytes
    }

    static let refusals: [(bytes: [UInt8], error: CountryFileError)] = [
        ([], .isNoDatabase), (Array("<html>".utf8), .isNoDatabase),
        (TestDatabase.mark, .value(offset: 14, .isCut)),
        (database().bytes + [UInt8](repeating: 0, count: 131_072), .isNoDatabase),
        (
            with("node_count", nil),
            .metadata(key: "node_count", value: nil, wanted: "1 to 9, for which the file has room")
        ),
        (
            with("node_count", .number(0, type: 6)),
            .metadata(key: "node_count", value: 0, wanted: "1 to 9, for which the file has room")
        ),
        (
            with("node_count", .number(.max, type: 9)),
            .metadata(
                key: "node_count", value: Int.max, wanted: "1 to 9, for which the file has room")
        ),
        (with("node_count", .number(8, type: 6)), .isCut(bytes: 44, needed: 64)),
        (
            with("record_size", .number(26, type: 5)),
            .metadata(key: "record_size", value: 26, wanted: "24, 28 or 32")
        ),
        (
            with("record_size", .text("24")),
            .metadata(key: "record_size", value: nil, wanted: "24, 28 or 32")
        ),
        (
            with("ip_version", .number(5, type: 5)),
            .metadata(key: "ip_version", value: 5, wanted: "4 or 6")
        ),
        (
            with("binary_format_major_version", .number(3, type: 5)),
            .metadata(key: "binary_format_major_version", value: 3, wanted: "2")
        ),
        (
            database { $0.nodes[0].left = .data(-5) }.bytes,
            .record(node: 0, value: 12, max: 38)
        ),
        (
            database { $0.nodes[0].right = .data(1_000) }.bytes,
            .record(node: 0, value: 1_017, max: 38)
        ),
        (
            database { $0.data = [0xE1, 0x47] }.bytes, .value(offset: 23, .isCut)
        ),
        (
            database { $0.data[0] = 0 }.bytes, .value(offset: 22, .isUnknown)
        ),
        (
            database { $0.data = [0xE1, 0x20, 0, 0] }.bytes, .value(offset: 23, .isUnknown)
        ),
        (
            database { $0.data = [0x20, 0] }.bytes, .value(offset: 22, .leadsToPointer)
        ),
        (
            database { $0.data = [0x20, 9] }.bytes, .value(offset: 22, .leadsOutside)
        ),
        (
            database { $0.data = [0xE1, 0x41, 0x78, 0xA3, 1, 2, 3] }.bytes,
            .value(offset: 25, .hasWrongSize)
        ),
        (
            database { $0.data = TestDatabase.bytes(of: .text("AT")) }.bytes,
            .hasNoCountries(type: "Test-Country")
        ),
    ]

    @Test(arguments: refusals.indices)
    func `a file that is something else is refused`(_ number: Int) {
        let refusal = Self.refusals[number]
        let error = #expect(throws: CountryFileError.self) {
            try CountryTable(file: refusal.bytes)
        }
        #expect(error == refusal.error)
        #expect(error?.fact.isEmpty == false && error?.advice.isEmpty == false)
    }

    @Test func `a file that is cut anywhere is refused, or gives what is left`() {
        let whole = Self.database().bytes
        for count in 0..<whole.count {
            let table = try? CountryTable(file: Array(whole[..<count]))
            #expect(table == nil, "the first \(count) bytes")
            // Without a byte in the middle, something else can be meant.
            var bytes = whole
            bytes.remove(at: count)
            if let table = try? CountryTable(file: bytes) { _ = name(table, v4: 1) }
        }
    }

    @Test(arguments: 0..<4)
    func `chance is refused, or gives some country`(_ seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        var database = TestDatabase(recordBits: [24, 28, 32, 24][seed])
        for _ in 0..<20 {
            let place = database.add(country: "DE")
            database.add(random.next(), random.next(), length: 20, .data(place))
        }
        let whole = database.bytes
        for _ in 0..<3_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: .min ... .max, using: &random)
            }
            guard let table = try? CountryTable(file: bytes) else { continue }
            for _ in 0..<4 {
                let address = (high: random.next(), low: random.next())
                let country = table.country(high: address.high, low: address.low)
                #expect(country == .unknown || country.name.utf8.count == 2)
            }
        }
    }

    @Test func `values that are too many are refused`() {
        let map = TestDatabase.bytes(
            of: .map([("a", .array([.boolean(true), .boolean(false)])), ("b", .boolean(true))]))
        func read(_ valuesMax: Int) throws(CountryFileError) {
            var section = DataSection(map, 0..<map.count, valuesMax: valuesMax)
            _ = try section.forEachMember(at: 0) { _, _, _ throws(CountryFileError) in false }
            #expect(section.valuesLeft == 0)
        }
        // The map, two keys, the array with two values, and one value.
        #expect(throws: Never.self) { try read(7) }
        #expect(throws: CountryFileError.isTangled(valuesMax: 6)) { try read(6) }
    }

    // MARK: Codes

    @Test func `two letters are a country, and nothing else is`() {
        var wrong = [String]()
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                let word = String(decoding: [first, second], as: UTF8.self).uppercased()
                let isCountry =
                    word.utf8.count == 2 && word.utf8.allSatisfy { (0x41...0x5A).contains($0) }
                    && word != "XX" && first < 0x80 && second < 0x80
                let code = CountryCode(first, second)
                let isRead = CountryCode(of: Int(code.number)) == code
                if !isRead || code.name != (isCountry ? word : "unknown") {
                    wrong.append("\(first) \(second): \(code.name)")
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(5))")
        #expect(CountryCode(of: -1) == .unknown && CountryCode(of: .max) == .unknown)
        #expect(CountryCode(of: 0x3131) == .unknown)
    }
}
