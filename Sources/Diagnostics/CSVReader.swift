/// Splits a table into its records as its bytes come (RFC 4180).
///
/// The text is UTF-8 with or without a byte-order mark, or UTF-16 with one. A first line `sep=;`
/// names the separator. Without it, the separator is the comma, the semicolon or the tab of which
/// the first line has most: programs choose it by the language of their user. The first line's end
/// is that of all lines: a line feed, with or without a carriage return, or a carriage return alone.
/// A cell in quotes can have any of them. Each byte is looked at a fixed number of times, however
/// the bytes are divided.
package struct CSVReader: Sendable {
    /// A record with the number of the line where it begins, from 1.
    package struct Record: Equatable, Sendable {
        package let line: Int
        package var cells: [String]
        /// The number of its cells that are not in `cells`, because there are too many.
        package let excess: Int
    }

    /// Blanks behind a closed quote are left out, and no quote follows them.
    private enum Quoting { case none, open, closed, closedAndBlank }

    private let recordBytesMax: Int
    /// Of a record, those that are kept.
    package var cellsMax: Int
    private var text = TextDecoder()
    private var separator: UInt8?
    private var search = SeparatorSearch()
    /// Whether the lines end with a carriage return alone; nil before the first end.
    private var endsWithReturn: Bool?
    /// No record follows.
    private var hasEnded = false

    // Of the record that is read.
    private var cells = [String]()
    private var cell = [UInt8]()
    private var excess = 0
    private var excessIsEmpty = true
    private var isAtCellStart = true
    private var quoting = Quoting.none
    private var quotePlace = (line: 1, column: 1)
    private var recordLine = 1
    private var recordBytes = 0
    private var isSkipping = false
    private var isDirective = false
    /// Whether a carriage return has come whose next byte says what it is.
    private var isAfterReturn = false

    private var line = 1
    /// Characters of the line before what comes next.
    private var column = 0

    /// - Parameters:
    ///   - recordBytesMax: a longer record is skipped.
    ///   - cellsMax: of a record, those that are kept.
    package init(recordBytesMax: Int = .max, cellsMax: Int = .max) {
        (self.recordBytesMax, self.cellsMax) = (recordBytesMax, cellsMax)
    }

    /// Takes the bytes that come next.
    package mutating func add(_ more: some Sequence<UInt8>) {
        if !hasEnded { text.add(more) }
    }

    /// The next record; nil if its end has not come yet.
    /// - Parameter isEnd: whether no more bytes come, so that a last line needs no end.
    /// - Throws: why a record cannot be read. The next one can, unless the fault ends the table.
    package mutating func next(isEnd: Bool) throws(TableFault) -> Record? {
        guard !hasEnded else { return nil }
        do throws(TableFault) {
            return try read(isEnd)
        } catch {
            if error.endsTable {
                hasEnded = true
                text = TextDecoder()
            }
            throw error
        }
    }

    private mutating func read(_ isEnd: Bool) throws(TableFault) -> Record? {
        text.decode(isEnd: isEnd)
        guard let separator = try findSeparator(isEnd) else { return nil }
        while text.position < text.text.count {
            if let record = try step(separator) { return record }
        }
        if let end = text.end { throw fault(end) }
        guard isEnd else { return nil }
        if isAfterReturn {
            isAfterReturn = false
            return endRecord()
        }
        guard quoting != .open else { throw openQuote("the file ends before the quote is closed") }
        // A last line without an end is one, unless nothing is on it.
        return recordBytes > 0 ? endRecord() : nil
    }

    /// Takes the next bytes that are of one kind.
    private mutating func step(_ separator: UInt8) throws(TableFault) -> Record? {
        let (start, bytes) = (text.position, text.text.count)
        let byte = text.text[start]
        if isAfterReturn { return try endAfterReturn(byte) }
        guard byte != 0 else {
            throw place("a byte is 0, which no text has", "save the table as CSV UTF-8")
        }
        var index = start + 1
        if quoting == .open {
            if byte == UInt8(ascii: "\"") {
                quoting = .closed
                advance(to: index, characters: 1)
                return nil
            }
            while index < bytes, text.text[index] != UInt8(ascii: "\""), text.text[index] != 0 {
                index += 1
            }
            try keep(start..<index)
            return nil
        }
        switch byte {
        case 0x0A:
            if endsWithReturn == true { throw mixedEnds() }
            endsWithReturn = false
            advance(to: index, characters: 1)
            return endRecord()
        case 0x0D:
            isAfterReturn = true
            advance(to: index, characters: 1)
        case separator:
            advance(to: index, characters: 1)
            endCell()
        case UInt8(ascii: "\"") where quoting == .closed:
            // The quote that seemed to close the cell was the first of two.
            quoting = .open
            try keep(start..<index)
        case UInt8(ascii: "\"") where isAtCellStart:
            (quoting, isAtCellStart) = (.open, false)
            quotePlace = (line, column + 1)
            advance(to: index, characters: 1)
        case 0x20 where quoting == .closed || quoting == .closedAndBlank,
            0x09 where quoting == .closed || quoting == .closedAndBlank:
            quoting = .closedAndBlank
            advance(to: index, characters: 1)
        default:
            guard quoting == .none || isSkipping else {
                throw openQuote("line \(line) has text behind the quote that closes it")
            }
            while index < bytes, !Self.isSpecial(text.text[index], separator) { index += 1 }
            try keep(start..<index)
        }
        return nil
    }

    private static func isSpecial(_ byte: UInt8, _ separator: UInt8) -> Bool {
        byte == separator || byte == 0x0A || byte == 0x0D || byte == UInt8(ascii: "\"") || byte == 0
    }

    /// A carriage return ends a line, with a line feed or alone; which, the first one decides.
    private mutating func endAfterReturn(_ byte: UInt8) throws(TableFault) -> Record? {
        isAfterReturn = false
        if byte == 0x0A {
            if endsWithReturn == true { throw mixedEnds() }
            endsWithReturn = false
            advance(to: text.position + 1, characters: 1)
            return endRecord()
        }
        if endsWithReturn == false { throw mixedEnds() }
        endsWithReturn = true
        return endRecord()
    }

    /// Appends a part of the text to the cell.
    private mutating func keep(_ range: Range<Int>) throws(TableFault) {
        for index in range {
            let byte = text.text[index]
            if byte == 0x0A || byte == 0x0D && endsWithReturn == true {
                (line, column) = (line + 1, 0)
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        recordBytes += range.count
        isAtCellStart = false
        if !isSkipping { cell += text.text[range] }
        text.take(upTo: range.upperBound)
        try checkLength()
    }

    private mutating func advance(to position: Int, characters: Int) {
        recordBytes += position - text.position
        column += characters
        text.take(upTo: position)
    }

    private mutating func checkLength() throws(TableFault) {
        guard recordBytes > recordBytesMax, !isSkipping else { return }
        guard quoting != .open else {
            throw openQuote("the quote is not closed within \(recordBytesMax) bytes")
        }
        isSkipping = true
        (cells, cell) = ([], [])
        throw TableFault(
            .recordTooLong, line: recordLine, column: nil,
            "the line has more than \(recordBytesMax) bytes", advice: nil)
    }

    private mutating func endCell() {
        defer {
            cell.removeAll(keepingCapacity: true)
            (quoting, isAtCellStart) = (.none, true)
        }
        guard !isSkipping else { return }
        if cells.count < cellsMax {
            cells.append(String(decoding: cell, as: UTF8.self))
        } else {
            excess += 1
            if !cell.isEmpty { excessIsEmpty = false }
        }
    }

    /// - Returns: nil if the line is no record.
    private mutating func endRecord() -> Record? {
        endCell()
        // Spreadsheets fill lines up to the longest one of the sheet.
        let record = Record(line: recordLine, cells: cells, excess: excessIsEmpty ? 0 : excess)
        let isRecord = !isSkipping && !isDirective
        (cells, excess, excessIsEmpty) = ([], 0, true)
        (isSkipping, isDirective, recordBytes) = (false, false, 0)
        (line, column) = (line + 1, 0)
        recordLine = line
        return isRecord ? record : nil
    }

    // MARK: The separator

    private mutating func findSeparator(_ isEnd: Bool) throws(TableFault) -> UInt8? {
        if let separator { return separator }
        let hasAll = isEnd || text.end != nil || text.text.count > recordBytesMax
        guard search.advance(in: text.text) || hasAll else { return nil }
        guard !text.text.isEmpty || text.end != nil else { return nil }
        if let directive = search.directive(in: text.text) {
            guard let named = directive.separator else {
                throw TableFault(
                    .format, line: 1, column: nil,
                    "the first line names a separator that is not supported",
                    advice: "write sep=; or sep=, or leave the line out", endsTable: true)
            }
            separator = named
            isDirective = true
            advance(to: directive.bytes, characters: directive.bytes)
        } else {
            separator = search.separator
        }
        return separator
    }
}

extension CSVReader {
    // MARK: Faults

    private func place(_ fact: String, _ advice: String?) -> TableFault {
        TableFault(.format, line: line, column: column + 1, fact, advice: advice, endsTable: true)
    }

    private func openQuote(_ fact: String) -> TableFault {
        TableFault(
            .quote, line: quotePlace.line, column: quotePlace.column,
            "a quote opens here, and \(fact)",
            advice: "close it before the next separator, and double each quote within the cell",
            endsTable: true)
    }

    private func mixedEnds() -> TableFault {
        place(
            endsWithReturn == true
                ? "a line feed ends this line, and a carriage return alone ended the first"
                : "a carriage return is alone, and a line feed ended the first line",
            "save the table again as CSV UTF-8, so that all lines end in the same way")
    }

    private func fault(_ end: TextDecoder.End) -> TableFault {
        switch end {
        case .otherFile(let words, let advice):
            return TableFault(
                .otherFile, line: 1, column: nil, "the content is \(words), not a table in CSV",
                advice: advice, endsTable: true)
        case .noCharacter(let byte?):
            let digits = String(byte, radix: 16, uppercase: true)
            let meant = windowsCharacter(byte).map { " (in Windows-1252 it is \(quoted($0)))" }
            return TableFault(
                .encoding, line: line, column: column + 1,
                "the byte \(digits) is not UTF-8" + (meant ?? ""),
                advice: "in Excel, save the table as \"CSV UTF-8 (Comma delimited)\"; elsewhere "
                    + "choose the encoding UTF-8", endsTable: true)
        case .noCharacter(nil):
            return TableFault(
                .encoding, line: line, column: column + 1, "half a character of UTF-16 is missing",
                advice: "save the table as CSV UTF-8", endsTable: true)
        }
    }

    /// The character of a byte in Windows-1252, which people take for UTF-8; nil if it is not clear.
    private func windowsCharacter(_ byte: UInt8) -> String? {
        switch byte {
        case 0xA0...0xFF: String(Unicode.Scalar(byte))
        case 0x80: "€"
        case 0x91: "‘"
        case 0x92: "’"
        case 0x93: "“"
        case 0x94: "”"
        case 0x96: "–"
        case 0x97: "—"
        default: nil
        }
    }
}

/// The reason why a table, or one record of it, cannot be read.
package struct TableFault: Error, Equatable, Sendable {
    /// The kinds of faults.
    package enum Kind: Sendable { case recordTooLong, quote, encoding, otherFile, format }

    package let kind: Kind
    /// From 1.
    package let line: Int
    /// In characters, from 1; nil if all of the line is meant.
    package let column: Int?
    package let fact: String
    package let advice: String?
    /// Whether what follows cannot be read either.
    package let endsTable: Bool

    init(
        _ kind: Kind, line: Int, column: Int?, _ fact: String, advice: String?,
        endsTable: Bool = false
    ) {
        (self.kind, self.line, self.column) = (kind, line, column)
        (self.fact, self.advice, self.endsTable) = (fact, advice, endsTable)
    }
}

/// Looks for the separator in the first line as it comes.
private struct SeparatorSearch: Sendable {
    private static let known = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
    private var counts = [0, 0, 0]
    private var position = 0
    private var isQuoted = false

    /// Counts separators outside of quotes.
    /// - Returns: whether the first line's end has come.
    mutating func advance(in text: [UInt8]) -> Bool {
        while position < text.count {
            let byte = text[position]
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted {
                if byte == 0x0A || byte == 0x0D { return true }
                if let number = Self.known.firstIndex(of: byte) { counts[number] += 1 }
            }
            position += 1
        }
        return false
    }

    var separator: UInt8 {
        let most = counts.max() ?? 0
        return Self.known[counts.firstIndex(of: most) ?? 0]
    }

    /// The separator that a first line `sep=;` names, as spreadsheets write it.
    /// - Returns: nil if it is another line; no separator if it is one that cannot be.
    func directive(in text: [UInt8]) -> (separator: UInt8?, bytes: Int)? {
        let line = text[..<position]
        let bare = line.filter { $0 != UInt8(ascii: "\"") }
        guard (4...5).contains(bare.count),
            bare.prefix(4).map({ 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }).elementsEqual("sep=".utf8)
        else { return nil }
        let named = bare.count == 5 ? bare[4] : 0
        return (Self.known.contains(named) ? named : nil, position)
    }
}
