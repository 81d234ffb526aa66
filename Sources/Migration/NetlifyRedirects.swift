private import URISyntax

extension RedirectFile {
    /// Reads a `_redirects` file (Netlify, "Redirects and rewrites"): the path, query parameters, the
    /// destination, the status, and conditions.
    static func netlify(_ text: [UInt8], file: String) -> RedirectFile {
        var result = RedirectFile()
        for (number, line) in lines(of: text).enumerated() {
            let words = words(of: line).prefix { $0.utf8.first != UInt8(ascii: "#") }
            guard !words.isEmpty else { continue }
            let source = SourceLine(file: file, line: number + 1, text: line)
            result.readNetlify(Array(words), source)
        }
        return result
    }

    private mutating func readNetlify(_ words: [String], _ source: SourceLine) {
        guard let end = words.dropFirst().firstIndex(where: isDestination) else {
            return skip(source, "there is no destination")
        }
        var from = words[0]
        if let url = try? WebURL(from) {
            hosts.append("\(url.host)")
            from = String(url.path)
        }
        guard from.utf8.first == UInt8(ascii: "/") else {
            return skip(source, "the path does not begin with /")
        }
        let rest = words[(end + 1)...]
        let digits = rest.first.map { String($0.utf8.prefix(while: \.isDigit)) ?? "" } ?? ""
        let status = Int(digits) ?? 301
        let conditions = rest.dropFirst(digits.isEmpty ? 0 : 1)
        if let condition = conditions.first {
            return skip(source, "there is no condition such as \(condition)")
        }
        readNetlify(
            from, words[1..<end], words[end], status,
            isForced: rest.first?.utf8.last == UInt8(ascii: "!"), source)
    }

    private mutating func readNetlify(
        _ from: String, _ parameters: ArraySlice<String>, _ to: String, _ status: Int,
        isForced: Bool, _ source: SourceLine
    ) {
        if from == "/*", parameters.isEmpty, [200, 404].contains(status),
            case .page(let page) = answer(to: to, status: status), unmatched == nil
        {
            (unmatched, unmatchedSource) = ((page, status), source)
            return
        }
        var pattern = NetlifyPattern(from)
        for parameter in parameters {
            let parts = parameter.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1)
            let texts = parts.map { String(decoding: $0, as: UTF8.self) }
            guard texts.count == 2 else { return skip(source, "a parameter has no value") }
            pattern.add(parameter: texts[0], texts[1])
        }
        let filled = pattern.filled(to)
        let passes = parameters.isEmpty && (300...399).contains(status)
        guard status != 404 || filled.utf8.first == UInt8(ascii: "/"),
            let found = answer(to: passes ? passingQuery(filled) : filled, status: status)
        else {
            return skip(
                source,
                status == 200
                    ? "a proxy to another host has no equal" : "the destination is not a URL")
        }
        var rule = RedirectRule(
            source: source, match: [pattern.path], query: pattern.query,
            exclude: pattern.exclude, answer: status >= 400 ? .notFound : found)
        rule.status = status
        if status >= 400 { rule.notes.append("without the content of \(to)") }
        if isForced { rule.notes.append("public files come first, although the status has a !") }
        rules.append(rule)
    }
}

private func isDestination(_ word: String) -> Bool {
    word.utf8.first == UInt8(ascii: "/") || word.lowercased().utf8.starts(with: "http".utf8)
}

/// A path with placeholders such as `:year`, and a star at its end.
private struct NetlifyPattern {
    private(set) var path = ""
    private(set) var query = [(name: String, pattern: String)]()
    private(set) var exclude = [String]()
    /// What a configuration writes for each placeholder.
    private var values = [String: String]()

    init(_ from: String) {
        var stars = 0
        var segments = [Int]()
        for segment in from.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            let text = String(decoding: segment, as: UTF8.self)
            path += "/"
            if text == "*" {
                stars += 1
                values["splat"] = "{\(stars)}"
                path += "*"
            } else if text.utf8.first == UInt8(ascii: ":"), text.utf8.count > 1 {
                segments.append(stars)
                stars += 1
                values[String(text.utf8.dropFirst()) ?? ""] = "{\(stars)}"
                path += "*"
            } else {
                path += literalPattern(text)
            }
        }
        // A star at the end takes any number of segments.
        if values["splat"] == nil { exclude = longerPaths(path, segments: segments) }
    }

    mutating func add(parameter name: String, _ value: String) {
        if value.utf8.first == UInt8(ascii: ":") {
            values[String(value.utf8.dropFirst()) ?? ""] = "{query.\(name)}"
            query.append((name, "?*"))
        } else {
            query.append((name, literalPattern(value)))
        }
    }

    /// The destination with a configuration's placeholders.
    func filled(_ to: String) -> String {
        let bytes = Array(to.utf8)
        var (result, index) = ("", 0)
        // The colons of scheme and port are followed by no name.
        while index < bytes.count {
            var end = index + 1
            while end < bytes.count, bytes[end].isLetter || bytes[end].isDigit || bytes[end] == 0x5F
            {
                end += 1
            }
            let name = String(decoding: bytes[(index + 1)..<max(end, index + 1)], as: UTF8.self)
            if bytes[index] == UInt8(ascii: ":"), let value = values[name] {
                result += value
                index = end
            } else {
                result += literalURL([bytes[index]])
                index += 1
            }
        }
        return result
    }
}
