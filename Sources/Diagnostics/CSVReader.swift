/// Splits a table into its records as its bytes come (RFC 4180).
///
/// The separator is the comma, the semicolon or the tab of which the first line has most: programs
/// choose it by the language of their user. A byte-order mark is left out. A line ends with a line
/// feed, with or without a carriage return, and a cell in quotes can have both.
package struct CSVReader: Sendable {
    /// A record with the number of the line where it begins, from 1.
    package struct Record: Equatable, Sendable {
        package let line: Int
        package let cells: [String]
    }

    /// Why a record cannot be read: it has more bytes than it may.
    package struct TooLong: Error, Equatable, Sendable {
        package let line: Int
        package let bytesMax: Int
    }

    private let recordBytesMax: Int
    private var bytes = [UInt8]()
    /// Where the next record begins.
    private var position = 0
    private var line = 1
    private var separator: UInt8?
    private var isSkipping = false
    private var hasBegun = false

    /// - Parameter recordBytesMax: a longer record is skipped.
    package init(recordBytesMax: Int = .max) { self.recordBytesMax = recordBytesMax }

    /// Takes the bytes that come next.
    package mutating func add(_ more: some Sequence<UInt8>) {
        if position > 0 {
            bytes.removeFirst(position)
            position = 0
        }
        bytes += more
    }

    /// The next record; nil if its end has not come yet.
    /// - Parameter isEnd: whether no more bytes come, so that a last line needs no end.
    package mutating func next(isEnd: Bool) throws(TooLong) -> Record? {
        if !hasBegun {
            guard bytes.count >= 3 || isEnd else { return nil }
            hasBegun = true
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        }
        if isSkipping, !skip(isEnd) { return nil }
        guard let separator = findSeparator(isEnd) else { return nil }
        guard position < bytes.count else { return nil }
        var (cells, cell) = ([String](), [UInt8]())
        var (index, isQuoted, lines) = (position, false, 0)
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\"") where isQuoted:
                // A quote that ends what has come may be the first of two.
                guard index < bytes.count || isEnd else { return try wait() }
                if index < bytes.count, bytes[index] == byte {
                    cell.append(byte)
                    index += 1
                } else {
                    isQuoted = false
                }
            case UInt8(ascii: "\"") where cell.isEmpty: isQuoted = true
            case separator where !isQuoted:
                cells.append(String(decoding: cell, as: UTF8.self))
                cell.removeAll(keepingCapacity: true)
            case 0x0A where !isQuoted:
                if cell.last == 0x0D { cell.removeLast() }
                cells.append(String(decoding: cell, as: UTF8.self))
                return end(index, cells, lines + 1)
            default:
                if byte == 0x0A { lines += 1 }
                cell.append(byte)
            }
        }
        guard isEnd else { return try wait() }
        if cell.last == 0x0D { cell.removeLast() }
        cells.append(String(decoding: cell, as: UTF8.self))
        return end(index, cells, lines)
    }

    private mutating func end(_ index: Int, _ cells: [String], _ lines: Int) -> Record {
        defer { (position, line) = (index, line + lines) }
        return Record(line: line, cells: cells)
    }

    private mutating func wait() throws(TooLong) -> Record? {
        guard bytes.count - position > recordBytesMax else { return nil }
        isSkipping = true
        throw TooLong(line: line, bytesMax: recordBytesMax)
    }

    /// Goes to the next line.
    private mutating func skip(_ isEnd: Bool) -> Bool {
        guard let end = bytes[position...].firstIndex(of: 0x0A) else {
            position = bytes.count
            return isEnd
        }
        (position, line, isSkipping) = (end + 1, line + 1, false)
        return true
    }

    private mutating func findSeparator(_ isEnd: Bool) -> UInt8? {
        if let separator { return separator }
        let rest = bytes[position...]
        guard isEnd || rest.contains(0x0A) || rest.count > recordBytesMax else { return nil }
        let head = rest.prefix { $0 != 0x0A }
        separator = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].max { one, other in
            head.count { $0 == one } < head.count { $0 == other }
        }
        return separator
    }
}

/// A record of a table, with commas and a line end.
package func csvLine(_ cells: [String]) -> String {
    var line = [UInt8]()
    for (index, cell) in cells.enumerated() {
        if index > 0 { line.append(UInt8(ascii: ",")) }
        let needsQuotes = cell.utf8.contains { byte in
            byte < 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
                || byte == UInt8(ascii: "\"")
        }
        guard needsQuotes else {
            line += cell.utf8
            continue
        }
        line.append(UInt8(ascii: "\""))
        for byte in cell.utf8 {
            if byte == UInt8(ascii: "\"") { line.append(byte) }
            line.append(byte)
        }
        line.append(UInt8(ascii: "\""))
    }
    return String(decoding: line + [0x0D, 0x0A], as: UTF8.self)
}
