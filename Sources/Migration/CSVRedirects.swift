private import Diagnostics
private import URISyntax

extension Migration {
    /// Whether a table that nobody has named can be one of redirects: its first rows have a path or a URL where those have their
    /// destinations, or it is damaged.
    package static func hasDestinations(_ table: [UInt8]) -> Bool {
        var reader = CSVReader()
        reader.add(table)
        do throws(TableFault) {
            for _ in 0..<10 {
                guard let record = try reader.next(isEnd: true) else { return false }
                let cells = record.cells.map(trimmed)
                guard cells.count >= 2 else { continue }
                if cells[1].utf8.first == UInt8(ascii: "/") || isURL(cells[1]) { return true }
            }
            return false
        } catch {
            return true
        }
    }
}

extension RedirectFile {
    /// Reads a table of path and destination, and the status if there is a third column (RFC 4180).
    /// The separator is a comma, a semicolon or a tab. A first line of titles is left out.
    static func csv(_ text: [UInt8], file: String) -> RedirectFile {
        var result = RedirectFile()
        result.isForOtherHosts = true
        var (reader, number) = (CSVReader(), -1)
        reader.add(text)
        while true {
            let record: CSVReader.Record
            do throws(TableFault) {
                guard let next = try reader.next(isEnd: true) else { break }
                record = next
            } catch {
                result.skip(
                    SourceLine(file: file, line: error.line, text: ""),
                    "\(error.fact), so nothing behind it is read"
                        + (error.advice.map { "; \($0)" } ?? ""))
                break
            }
            number += 1
            let cells = record.cells.map(trimmed)
            guard cells.contains(where: { !$0.isEmpty }) else { continue }
            let source = SourceLine(
                file: file, line: record.line, text: cells.joined(separator: ","))
            guard cells.count >= 2 else {
                result.skip(source, "there is no destination")
                continue
            }
            if number == 0, isTitle(cells) { continue }
            result.readRow(cells, source)
        }
        return result
    }

    /// Whether a line is one of titles: it has neither a path nor a destination.
    private static func isTitle(_ cells: [String]) -> Bool {
        let isPath = { (text: String) in text.utf8.first == UInt8(ascii: "/") || isURL(text) }
        return !isPath(cells[0]) && !isPath(cells[1]) && !cells[1].isEmpty
    }

    private mutating func readRow(_ cells: [String], _ source: SourceLine) {
        var from = cells[0]
        currentHosts = []
        if let url = try? WebURL(from) {
            currentHosts = ["\(url.host)"]
            name(currentHosts)
            from = String(decoding: from.utf8.dropFirst(url.originBytes), as: UTF8.self)
        }
        guard !cells[0].isEmpty else {
            return skip(source, "there is no path; write / for the root")
        }
        guard !isURL(from) else { return skip(source, "the link is not a URL") }
        // A table of slugs has none of their slashes.
        if from.utf8.first != UInt8(ascii: "/") { from = "/" + from }
        guard !from.utf8.contains(UInt8(ascii: "#")) else {
            return skip(source, "browsers do not send a fragment")
        }
        let statusText = cells.count > 2 ? cells[2] : ""
        guard let status = statusText.isEmpty ? 302 : Int(statusText) else {
            return skip(source, "\(quoted(statusText)) is not a status")
        }
        let parts = from.utf8.split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
        // A star is meant as one in a table that was written for patterns.
        let pattern = parts[0].utf8.split(
            separator: UInt8(ascii: "*"), omittingEmptySubsequences: false
        ).map { literalPattern(String(decoding: $0, as: UTF8.self)) }.joined(separator: "*")
        // Nothing is where such a row would lead.
        let isMissing = status == 404 || status == 410
        guard isMissing || (300...399).contains(status) else {
            return skip(source, "\(status) is not the status of a redirect")
        }
        let found =
            isMissing
            ? .notFound
            : Self.destination(cells[1], stars: pattern.utf8.count { $0 == UInt8(ascii: "*") })
                .flatMap { answer(to: $0, status: status) }
        guard let found else { return skip(source, "the destination is not a URL") }
        var rule = RedirectRule(source: source, match: [pattern], answer: found)
        for item in (parts.count > 1 ? parts[1] : "").utf8.split(separator: UInt8(ascii: "&")) {
            let pair = item.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
            ).map { String(decoding: $0, as: UTF8.self) }
            guard !pair[0].isEmpty else { return skip(source, "a query item has no name") }
            rule.query.append((pair[0], literalPattern(pair.count > 1 ? pair[1] : "")))
        }
        rule.status = status
        rule.hidesLater = false
        append(rule)
    }

    /// The destination with its placeholders `{1}` to `{9}`; other braces are text. Without them, a
    /// star is the text of the path's star. A star that the path lacks is a placeholder, too, which
    /// has no value.
    private static func destination(_ text: String, stars: Int) -> String? {
        var (result, rest, number) = ("", Array(text.utf8)[...], 0)
        let hasPlaceholder = (1...9).contains { text.contains("{\($0)}") }
        while let byte = rest.popFirst() {
            let isPlaceholder =
                byte == UInt8(ascii: "{") && rest.count >= 2
                && rest[rest.startIndex].isDigit
                && rest[rest.startIndex + 1] == UInt8(ascii: "}")
            if isPlaceholder {
                result += "{\(Unicode.Scalar(rest[rest.startIndex]))}"
                rest = rest.dropFirst(2)
            } else if byte == UInt8(ascii: "*"), stars > 0, !hasPlaceholder {
                number += 1
                result += "{\(number)}"
            } else {
                result += literalURL([byte])
            }
        }
        return result
    }
}
