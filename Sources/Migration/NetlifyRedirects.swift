private import URISyntax

extension RedirectFile {
    /// Reads a `_redirects` file (Netlify, "Redirects and rewrites"): the path, query parameters, the
    /// destination, the status, and conditions.
    static func netlify(_ text: [UInt8], file: String) -> RedirectFile {
        var result = RedirectFile()
        result.isForOtherHosts = true
        for (number, line) in lines(of: text).enumerated() {
            let words = words(of: line, .netlify)
            guard !words.isEmpty else { continue }
            let source = SourceLine(file: file, line: number + 1, text: line)
            result.readNetlify(words, source)
        }
        return result
    }

    private mutating func readNetlify(_ words: [String], _ source: SourceLine) {
        guard let end = words.dropFirst().firstIndex(where: isDestination) else {
            return skip(source, "there is no destination")
        }
        var from = words[0]
        currentHosts = []
        let path = isURL(from) ? from.utf8.dropFirst("https://".utf8.count) : from.utf8[...]
        if let fault = netlifyFault(path.drop { !"/?#".utf8.contains($0) }) {
            return skip(source, fault)
        }
        if let url = try? WebURL(from) {
            currentHosts = ["\(url.host)"]
            name(currentHosts)
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
            case .page(let page) = answer(to: to, status: status), isPlainPage(page)
        {
            return answerRest(with: page, status: status, source)
        }
        var (values, query) = ([String: String](), [(name: String, pattern: String)]())
        for parameter in parameters {
            let parts = parameter.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1)
            let texts = parts.map { String(decoding: $0, as: UTF8.self) }
            guard texts.count == 2 else { return skip(source, "a parameter has no value") }
            if texts[1].utf8.first == UInt8(ascii: ":") {
                values[String(texts[1].utf8.dropFirst()) ?? ""] = "{query.\(texts[0])}"
                query.append((texts[0], "?*"))
            } else {
                query.append((texts[0], literalPattern(texts[1])))
            }
        }
        guard status != 404 || to.utf8.first == UInt8(ascii: "/"),
            answer(to: to, status: status) != nil
        else {
            return skip(
                source,
                status == 200
                    ? "a proxy to another host has no equal" : "the destination is not a URL")
        }
        let passes = parameters.isEmpty && (300...399).contains(status)
        let start = rules.count
        add(netlifyExpression(from), status: status, source, isDecoded: false) { groups in
            let all = groups.merging(values) { $1 }
            guard let filled = FilledDestination.named(to, all, hasModifiers: false) else {
                return nil
            }
            let found = answer(to: passes ? passingQuery(filled) : filled, status: status)
            return status >= 400 ? .notFound : found
        }
        let added = takeRules(from: start)
        for var rule in added {
            rule.query = query
            if status >= 400 { rule.notes.append("without the content of \(to)") }
            if isForced {
                rule.notes.append("public files come first, although the status has a !")
            }
            append(rule)
        }
    }
}

private func isDestination(_ word: String) -> Bool {
    word.utf8.first == UInt8(ascii: "/") || isURL(word)
}
