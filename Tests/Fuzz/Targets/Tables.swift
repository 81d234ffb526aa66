import Diagnostics

/// Tables of links and of redirects: the first byte chooses the size of the pieces, and whether the
/// first line says what the columns are; the rest is content. A cell that is protected from
/// spreadsheets is read back.
@Sendable func readTables(_ bytes: [UInt8]) {
    guard let choice = bytes.first else { return }
    var (content, query) = (Array(bytes.dropFirst()), [(name: "collection", value: "short")])
    if choice & 1 == 1, let end = content.prefix(1_024).firstIndex(of: 0x0A) {
        query.append((name: "columns", value: String(decoding: content[..<end], as: UTF8.self)))
        content.removeFirst(end + 1)
    }
    readRecords(content, pieceBytes(choice))
    readImport(content, "text/csv", query, pieceBytes(choice))
}

/// Rows of an export of Firebase Dynamic Links, read like tables.
@Sendable func readFirebaseRows(_ bytes: [UInt8]) {
    guard let choice = bytes.first else { return }
    readImport(
        Array(bytes.dropFirst()), "text/csv",
        [
            ("format", "firebase"), ("collection", "exact"), ("domain", "e.page.link"),
        ], pieceBytes(choice))
}

private func readRecords(_ content: [UInt8], _ pieceBytes: Int) {
    let whole = measure { records(content, max(1, content.count)) }
    require(whole == records(content, pieceBytes), "in pieces of \(pieceBytes) other records")
    var kept = 0
    for record in whole {
        guard let cells = record.cells else { continue }
        kept += cells.reduce(0) { $0 + $1.utf8.count }
        let texts = cells.map(TableCell.protected)
        require(texts.map(TableCell.unprotected) == cells, "a cell is not what it was")
        var reader = CSVReader(cellsMax: 100)
        // A line of no heading decides on the separator.
        reader.add(Array(("sep=,\r\n" + csvLine(texts)).utf8))
        require((try? reader.next(isEnd: true))?.cells == texts, "a written line is another one")
    }
    // UTF-16 has at least two bytes where UTF-8 has three.
    require(kept <= 2 * content.count, "\(kept) bytes of cells")
}

private struct Read: Equatable {
    let line: Int
    var cells: [String]?
    var fault: TableFault?
}

private func records(_ content: [UInt8], _ pieceBytes: Int) -> [Read] {
    var (reader, found, rest) = (
        CSVReader(recordBytesMax: 1_024, cellsMax: 100), [Read](), content[...]
    )
    func take(_ isEnd: Bool) {
        while true {
            do throws(TableFault) {
                guard let record = try reader.next(isEnd: isEnd) else { return }
                require(record.cells.count <= 100, "\(record.cells.count) cells")
                found.append(Read(line: record.line, cells: record.cells))
            } catch {
                found.append(Read(line: error.line, fault: error))
                // The next one begins where this one ends, or there is none.
                require(found.count <= content.count + 2, "faults without end")
            }
        }
    }
    while !rest.isEmpty {
        reader.add(rest.prefix(pieceBytes))
        rest = rest.dropFirst(pieceBytes)
        take(false)
    }
    take(true)
    return found
}
