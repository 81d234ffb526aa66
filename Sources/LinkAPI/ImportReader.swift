import Diagnostics
private import URISyntax

/// Splits the content of an import into lines. The first fault that is one of all its lines (a
/// heading, a character that is none, a quote that is not closed) is a line itself, and the last.
package struct ImportReader: Sendable {
    private let form: LinkImport.Form
    private let firebase: FirebaseExport?
    /// Not nil for a table of another service.
    private var foreign: ForeignTable?
    private var table: CSVReader
    private var heading: TableHeading?
    /// Of the heading, for the first line below it.
    private var notes = [PointedFault]()
    /// The first byte of a table that is no blank.
    private var beginning: UInt8?
    /// True if anything came that is a link, or should have been one.
    private var hasLines = false
    private var hasEnded = false

    // Of lines.
    private var bytes = [UInt8]()
    private var position = 0
    private var searched = 0
    private var number = 0
    private var isSkipping = false

    package init(_ options: LinkImport) {
        (form, firebase, foreign) = (options.form, options.firebase, options.foreign)
        table = CSVReader(
            recordBytesMax: LinkImport.lineBytesMax, cellsMax: TableHeading.columnsMax)
    }

    /// Takes the bytes that come next.
    package mutating func add(_ more: [UInt8]) {
        guard !hasEnded else { return }
        guard form == .lines else {
            if beginning == nil {
                beginning = more.first { $0 > 0x20 && !"\u{FEFF}".utf8.contains($0) }
            }
            return table.add(more)
        }
        // Less is moved than was taken.
        if position > bytes.count / 2 {
            bytes.removeFirst(position)
            (searched, position) = (searched - position, 0)
        }
        bytes += more
    }

    /// The next line; nil if its end has not come yet.
    /// - Parameter isEnd: whether no more bytes come.
    package mutating func next(isEnd: Bool) -> RawLine? {
        guard !hasEnded else { return nil }
        var line = form == .lines ? nextLine(isEnd) : nextRecord(isEnd)
        if line != nil, !notes.isEmpty {
            line?.notes.insert(contentsOf: notes, at: 0)
            notes = []
        }
        if let line {
            hasLines = true
            hasEnded = line.endsImport
        } else if isEnd {
            hasEnded = true
            if !hasLines { return nothing }
        }
        return line
    }

    /// The refusal of content without any link.
    private var nothing: RawLine {
        let fact =
            heading == nil
            ? "nothing was found to import: the content is empty"
            : "nothing was found to import: the table has a heading, and no line below it"
        return RawLine(
            number: 1,
            ends: .invalid([
                PointedFault("", .nothingToImport, fact, advice: "look at the file that was sent")
            ]), leavesRest: false)
    }

    // MARK: Lines

    private mutating func nextLine(_ isEnd: Bool) -> RawLine? {
        if number == 0, !isSkipping, !isEnd, bytes.count < FileSignature.bytesNeeded(bytes) {
            return nil
        }
        while true {
            let end = bytes[searched...].firstIndex(of: 0x0A)
            searched = end ?? bytes.count
            let rest = bytes[position...]
            guard end != nil || isEnd || rest.count > LinkImport.lineBytesMax else { return nil }
            if isSkipping {
                take(upTo: end)
                isSkipping = end == nil
                if isSkipping { return nil }
                continue
            }
            guard !rest.isEmpty else { return nil }
            number += 1
            let line = rest[..<(end ?? bytes.count)]
            take(upTo: end)
            if number == 1, let other = otherContent(line) {
                return RawLine(number: 1, ends: .invalid([other]))
            }
            if !hasLines, let other = otherJSON(line) {
                return RawLine(number: number, ends: .invalid([other]))
            }
            guard line.count <= LinkImport.lineBytesMax else {
                isSkipping = end == nil
                return RawLine(
                    number: number,
                    content: .refused(
                        Problem(
                            .lineTooLong,
                            "it has "
                                + (isSkipping
                                    ? "more than \(LinkImport.lineBytesMax) bytes"
                                    : "\(line.count) bytes, may have \(LinkImport.lineBytesMax)")
                                + "; keep what is long elsewhere")))
            }
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            return RawLine(number: number, content: .json(Array(line)))
        }
    }

    private mutating func take(upTo end: Int?) {
        position = end.map { $0 + 1 } ?? bytes.count
        searched = position
    }

    /// The fault of content that does not begin like lines of JSON; nil if it may be that.
    private func otherContent(_ line: ArraySlice<UInt8>) -> PointedFault? {
        if let other = FileSignature.otherFile(Array(bytes[line.startIndex...])) {
            return PointedFault(
                "", .tableForm, "the content is \(other.words), not lines of JSON",
                advice: other.advice)
        }
        if line.starts(with: [0xFF, 0xFE]) || line.starts(with: [0xFE, 0xFF]) {
            return PointedFault(
                "", .notUTF8, "the content is UTF-16, and JSON is UTF-8 (RFC 8259 §8.1)",
                advice: "save it as UTF-8; a table (text/csv) may be UTF-16")
        }
        guard line.count <= LinkImport.lineBytesMax else { return nil }
        var reader = CSVReader(cellsMax: TableHeading.columnsMax)
        reader.add(line)
        guard let record = try? reader.next(isEnd: true),
            !record.cells.contains(where: \.hasTooManyMarks), TableHeading.isLike(record.cells)
        else { return nil }
        return PointedFault(
            "", .tableForm, "the content is a table, and was sent as lines of JSON",
            advice: "send it as text/csv; the command has --input-format csv")
    }

    /// JSON that is not one link a line; nil if the line may be a link.
    private func otherJSON(_ line: ArraySlice<UInt8>) -> PointedFault? {
        let text = line.drop { $0 <= 0x20 || TableCell.mark.contains($0) }
        let isAlone = text.dropFirst().allSatisfy { $0 <= 0x20 }
        switch text.first {
        case UInt8(ascii: "["):
            return PointedFault(
                "", .tableForm, "the content is a list of JSON, and has to be one link a line",
                advice: "leave out the brackets and the commas between the links: jq -c '.[]' FILE")
        case UInt8(ascii: "{") where isAlone:
            return PointedFault(
                "", .tableForm, "the first link begins on this line, and has to end on it",
                advice: "write each link on one line: jq -c . FILE")
        default: return nil
        }
    }

    // MARK: Tables

    private mutating func nextRecord(_ isEnd: Bool) -> RawLine? {
        // No heading begins so, and quotes mean another thing in JSON.
        if heading == nil, let beginning, "{[".utf8.contains(beginning) {
            return RawLine(
                number: 1,
                ends: .invalid([
                    PointedFault(
                        "", .tableForm, "the content is JSON, and was sent as a table",
                        advice: "send one link a line as application/x-ndjson; the command has "
                            + "--input-format json")
                ]))
        }
        while true {
            let record: CSVReader.Record
            do throws(TableFault) {
                guard let next = try table.next(isEnd: isEnd) else { return nil }
                record = next
            } catch {
                var line = RawLine(error)
                // Without its heading, nothing of a table can be read.
                if heading == nil { line.end() }
                return line
            }
            guard
                record.excess > 0
                    || record.cells.contains(where: {
                        !(heading == nil ? withoutBlanks($0) : $0).isEmpty
                    })
            else { continue }
            do throws(Problem) {
                // A link may have some already, but none of Firebase.
                if heading == nil || firebase != nil || foreign != nil {
                    try Self.checkMarks(record)
                }
                if let heading {
                    return try line(record, heading)
                } else if try readHeading(record), let heading {
                    return try line(record, heading)
                }
            } catch  where heading == nil {
                return RawLine(number: record.line, ends: error)
            } catch {
                return RawLine(number: record.line, content: .refused(error))
            }
        }
    }

    private static func checkMarks(_ record: CSVReader.Record) throws(Problem) {
        guard let column = record.cells.firstIndex(where: \.hasTooManyMarks) else { return }
        throw .invalid([.marks("", "the cell in column \(column + 1)")])
    }

    private mutating func line(
        _ record: CSVReader.Record, _ heading: TableHeading
    ) throws(Problem) -> RawLine {
        if let row = try foreign?.row(record) {
            var line = RawLine(number: record.line, content: .cells(row.cells, heading))
            line.notes = row.notes
            return line
        }
        try heading.check(record, isStrict: firebase == nil)
        return RawLine(number: record.line, content: .cells(record.cells, heading))
    }

    /// - Returns: whether the line is a link already.
    private mutating func readHeading(_ record: CSVReader.Record) throws(Problem) -> Bool {
        guard record.excess == 0 else {
            throw .invalid([
                PointedFault(
                    "", .tableForm,
                    "the heading has \(record.cells.count + record.excess) columns, may have "
                        + "\(TableHeading.columnsMax)",
                    advice: "remove what is not of links")
            ])
        }
        var isRow = false
        if firebase != nil {
            let found = try FirebaseExport.heading(record.cells)
            (heading, isRow, notes) = (found.heading, found.isRow, found.notes)
        } else if let found = try foreign?.heading(record.cells) {
            (heading, notes) = found
        } else {
            heading = try TableHeading(record.cells)
        }
        table.cellsMax = record.cells.count
        return isRow
    }
}
