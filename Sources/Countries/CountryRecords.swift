/// The countries of a tree's records, each of which is read once.
struct CountryRecords {
    private var data: DataSection
    private let first: Int
    private let nodeCount: Int
    private var known = [Int: UInt32]()
    /// Of the record before: neighbours often have the same.
    private var last: (record: Int, entry: UInt32)?
    private(set) var hasCountries = false

    init(_ data: DataSection, nodeCount: Int) {
        (self.data, self.nodeCount) = (data, nodeCount)
        first = data.firstByte
    }

    /// The entry for a record: the number of a node, or a country.
    mutating func entry(of record: Int, in node: Int) throws(CountryFileError) -> UInt32 {
        if record < nodeCount { return UInt32(truncatingIfNeeded: record) }
        if record == nodeCount { return CountryTable.leaf }
        if let last, last.record == record { return last.entry }
        let entry: UInt32
        if let own = known[record] {
            entry = own
        } else {
            let place = record - nodeCount - CountryTable.gapBytes
            guard place >= 0, place < data.count else {
                throw .record(
                    node: node, value: record,
                    max: nodeCount + CountryTable.gapBytes + data.count - 1)
            }
            let country = try country(at: first + place)
            if country != .unknown { hasCountries = true }
            entry = CountryTable.leaf | UInt32(country.number)
            known[record] = entry
        }
        last = (record, entry)
        return entry
    }

    /// The country of a record: `country.iso_code` of GeoLite2 and DB-IP, or `country_code` of others, whose `country` is a name.
    private mutating func country(at place: Int) throws(CountryFileError) -> CountryCode {
        var found = CountryCode.unknown
        _ = try data.forEachMember(at: place) { data, key, place throws(CountryFileError) in
            if data.isKey(key, Self.country) {
                _ = try data.forEachMember(at: place) {
                    data, key, place throws(CountryFileError) in
                    guard data.isKey(key, Self.isoCode) else { return false }
                    found = CountryCode(try data.text(at: place) ?? [])
                    return true
                }
            } else if data.isKey(key, Self.countryCode) {
                found = CountryCode(try data.text(at: place) ?? [])
            }
            return found != .unknown
        }
        return found
    }

    private static let country = Array("country".utf8)
    private static let isoCode = Array("iso_code".utf8)
    private static let countryCode = Array("country_code".utf8)
}

extension CountryCode {
    /// - Parameter text: of a database; unknown if it is no word of two letters.
    fileprivate init(_ text: ArraySlice<UInt8>) {
        guard text.count == 2, let first = text.first, let second = text.last else {
            self = .unknown
            return
        }
        self.init(first, second)
    }
}
