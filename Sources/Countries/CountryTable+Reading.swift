// A file in the format MaxMind DB 2.0. Its parts are the tree, 16 bytes without a meaning, the data, a mark, and the metadata.

extension CountryTable {
    /// The most bytes of a file.
    package static let fileBytesMax = 128 << 20

    /// Reads a file. Each record of its tree is read once, so nothing can be wrong later.
    /// - Throws: what is wrong with it.
    package convenience init(file bytes: [UInt8]) throws(CountryFileError) {
        let mark = try Self.lastMark(in: bytes)
        let metadata = try Metadata(bytes, mark + Self.mark.count..<bytes.count)
        let treeBytes = metadata.nodeCount * metadata.recordBits / 4
        guard treeBytes + Self.gapBytes <= mark else {
            throw .isCut(bytes: mark, needed: treeBytes + Self.gapBytes)
        }
        let data = DataSection(
            bytes, treeBytes + Self.gapBytes..<mark, valuesMax: Self.valuesOfByte * bytes.count)
        var records = CountryRecords(data, nodeCount: metadata.nodeCount)
        var entries = [UInt32]()
        entries.reserveCapacity(2 * metadata.nodeCount)
        for node in 0..<metadata.nodeCount {
            let pair = Self.records(of: node, metadata.recordBits, bytes)
            entries.append(try records.entry(of: pair.left, in: node))
            entries.append(try records.entry(of: pair.right, in: node))
        }
        guard records.hasCountries else { throw .hasNoCountries(type: metadata.type) }
        self.init(entries: entries, isV6: metadata.isV6, builtSeconds: metadata.builtSeconds)
    }

    /// The two records of a node, the most significant byte first. Of 28 bits, the upper four of both are in the byte between
    /// them.
    private static func records(
        of node: Int, _ bits: Int, _ bytes: [UInt8]
    ) -> (left: Int, right: Int) {
        let start = node * bits / 4
        func number(_ first: Int, _ count: Int) -> Int {
            var number = 0
            for place in start + first..<start + first + count {
                number = number << 8 | Int(bytes[place])
            }
            return number
        }
        switch bits {
        case 24: return (number(0, 3), number(3, 3))
        case 28:
            let middle = Int(bytes[start + 3])
            return ((middle >> 4) << 24 | number(0, 3), (middle & 15) << 24 | number(4, 3))
        default: return (number(0, 4), number(4, 4))
        }
    }

    // MARK: Metadata

    private static let mark: [UInt8] = [0xAB, 0xCD, 0xEF] + Array("MaxMind.com".utf8)
    /// The metadata, with their mark, are in so many last bytes.
    private static let metadataBytesMax = 128 << 10
    /// Between the tree and the data.
    static let gapBytes = 16
    /// The most values that are read for each byte of a file. Records that share a country are three of a byte.
    private static let valuesOfByte = 16
    /// The most values of the metadata.
    private static let metadataValuesMax = 100_000

    /// Where the last mark begins.
    private static func lastMark(in bytes: [UInt8]) throws(CountryFileError) -> Int {
        let first = max(0, bytes.count - metadataBytesMax)
        var place = bytes.count - mark.count
        while place >= first {
            if bytes[place] == mark[0], bytes[place..<place + mark.count].elementsEqual(mark) {
                return place
            }
            place -= 1
        }
        throw .isNoDatabase
    }

    /// The numbers that say how a file is to be read.
    private struct Metadata {
        let nodeCount: Int
        let recordBits: Int
        let isV6: Bool
        let builtSeconds: Int?
        let type: String?

        init(_ bytes: [UInt8], _ range: Range<Int>) throws(CountryFileError) {
            var section = DataSection(bytes, range, valuesMax: CountryTable.metadataValuesMax)
            var numbers = [[UInt8]: Int]()
            var type: String?
            let isMap = try section.forEachMember(at: range.lowerBound) {
                section, key, place throws(CountryFileError) in
                let name = Array(bytes[key])
                if name == Self.type {
                    type = try section.text(at: place).map {
                        String(decoding: $0.prefix(64), as: UTF8.self)
                    }
                } else if Self.numbers.contains(name) {
                    numbers[name] = try section.number(at: place)
                }
                return false
            }
            guard isMap else { throw .isNoDatabase }
            func number(
                _ key: String, _ wanted: String, _ isRight: (Int) -> Bool
            ) throws(CountryFileError) -> Int {
                let found = numbers[Array(key.utf8)]
                guard let value = found, isRight(value) else {
                    throw .metadata(key: key, value: found, wanted: wanted)
                }
                return value
            }
            _ = try number("binary_format_major_version", "2") { $0 == 2 }
            recordBits = try number("record_size", "24, 28 or 32") { [24, 28, 32].contains($0) }
            isV6 = try number("ip_version", "4 or 6") { $0 == 4 || $0 == 6 } == 6
            // A node takes six bytes at least.
            let nodesMax = range.lowerBound / 6
            nodeCount = try number("node_count", "1 to \(nodesMax), for which the file has room") {
                $0 >= 1 && $0 <= nodesMax
            }
            builtSeconds = numbers[Array("build_epoch".utf8)]
            self.type = type
        }

        private static let type = Array("database_type".utf8)
        private static let numbers = [
            "binary_format_major_version", "record_size", "ip_version", "node_count", "build_epoch",
        ].map { Array($0.utf8) }
    }
}
