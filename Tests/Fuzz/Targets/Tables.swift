import Diagnostics
import Glibc
import LinkAPI

/// Tables of links, of Firebase's rows and of redirects: the first byte chooses which and the size of
/// the pieces, the rest is content. Whole and in pieces it is the same, and neither the time nor what
/// is kept of it grows faster than its bytes.
@Sendable func readTables(_ bytes: [UInt8]) {
    guard let choice = bytes.first else { return }
    let content = Array(bytes.dropFirst())
    let pieceBytes = Int(choice >> 2) % 7 + 1
    readRecords(content, pieceBytes)
    let isFirebase = choice & 1 == 1
    let query =
        isFirebase
        ? [("format", "firebase"), ("collection", "exact")] : [("collection", "short")]
    let start = threadNanoseconds()
    let whole = Asker.shared.importAll(
        content, "text/csv", query, pieceBytes: max(1, content.count))
    requireLinear(threadNanoseconds() - start, content.count)
    let pieces = Asker.shared.importAll(content, "text/csv", query, pieceBytes: pieceBytes)
    require(whole == pieces, "in pieces of \(pieceBytes) another answer")
    // A fault of a heading, and an outcome for each row.
    let answerBytesMax = 16_384 + 1_024 * content.count
    require(whole.count <= answerBytesMax, "an answer of \(whole.count) bytes")
}

private func readRecords(_ content: [UInt8], _ pieceBytes: Int) {
    let start = threadNanoseconds()
    let whole = records(content, max(1, content.count))
    requireLinear(threadNanoseconds() - start, content.count)
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

/// Of this thread, so that other programs do not count.
private func threadNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Under the address sanitizer, ten times what a byte costs; a square shows at a few thousand bytes.
private func requireLinear(_ nanoseconds: Int, _ bytes: Int) {
    require(
        nanoseconds <= 100_000_000 + 50_000 * bytes,
        "\(bytes) bytes took \(nanoseconds / 1_000_000) ms")
}
