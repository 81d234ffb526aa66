private import URISyntax

// The redirects of mod_alias.

extension RedirectFile {
    /// The status as a word or a number.
    static func apacheStatus(_ word: String) -> Int? {
        let names = ["permanent": 301, "temp": 302, "seeother": 303, "gone": 410]
        return names[word.lowercased()] ?? Int(word)
    }

    /// `Redirect` takes the path and everything below it, and appends the rest to the URL.
    /// - Parameter directory: the directory whose paths it is for.
    mutating func readRedirect(
        _ words: [String], _ usual: Int, _ source: SourceLine, within directory: String
    ) {
        let status = words.first.flatMap(Self.apacheStatus)
        let rest = status == nil ? words[...] : words.dropFirst()
        guard let path = rest.first, path.utf8.first == UInt8(ascii: "/") else {
            return skip(source, "there is no path that begins with /")
        }
        guard path.utf8.starts(with: directory.utf8) else {
            return readAbove(path, Array(rest.dropFirst()), status ?? usual, source, directory)
        }
        let isFolder = path.utf8.last == UInt8(ascii: "/")
        let pattern = literalPattern(path, isDecoded: true)
        guard let target = rest.dropFirst().first else {
            guard let status, status >= 400 else { return skip(source, "there is no URL") }
            return refuse([pattern, isFolder ? pattern + "*" : pattern + "/*"], status, source)
        }
        let url = literalURL(target.utf8)
        let code = status ?? usual
        // The rest of the path is appended as it is.
        let below = (isFolder ? pattern : pattern + "/") + "*"
        let joined = isFolder ? url + "{1}" : url + "/{1}"
        for (pattern, url) in isFolder ? [(below, joined)] : [(pattern, url), (below, joined)] {
            guard let answer = answer(to: passingQuery(url), status: code) else {
                return skip(source, "the destination is not a URL")
            }
            var rule = RedirectRule(source: source, match: [pattern], answer: answer)
            rule.status = code
            append(rule)
        }
    }

    /// A path above the directory is for all paths in the directory.
    private mutating func readAbove(
        _ path: String, _ target: [String], _ status: Int, _ source: SourceLine,
        _ directory: String
    ) {
        let isFolder = path.utf8.last == UInt8(ascii: "/")
        let isAbove = directory.utf8.starts(with: (isFolder ? path : path + "/").utf8)
        let isWhole = path + "/" == directory
        guard isAbove || isWhole else {
            // Who writes such a line sees the path from there.
            return skip(
                source,
                "\(directory) has none of its paths; if it is the directory of all documents, give "
                    + "it to --from")
        }
        let pattern = literalPattern(directory, isDecoded: true) + "*"
        guard let url = target.first else { return refuse([pattern], status, source) }
        let rest = String(decoding: directory.utf8.dropFirst(path.utf8.count), as: UTF8.self)
        let joined = literalURL(url.utf8) + literalURL(rest.utf8) + "{1}"
        guard let answer = answer(to: passingQuery(joined), status: status) else {
            return skip(source, "the destination is not a URL")
        }
        var rule = RedirectRule(source: source, match: [pattern], answer: answer)
        rule.status = status
        append(rule)
    }

    mutating func readRedirectMatch(
        _ words: [String], _ source: SourceLine, within directory: String
    ) {
        let status = words.first.flatMap(Self.apacheStatus)
        let rest = status == nil ? words[...] : words.dropFirst()
        guard let expression = rest.first else { return skip(source, "there is no expression") }
        let (target, code) = (rest.dropFirst().first, status ?? 302)
        add(expression, status: code, source, within: directory) { groups in
            guard let target else { return .notFound }
            return FilledDestination.apache(target, groups).flatMap {
                answer(to: passingQuery($0), status: code)
            }
        }
    }
}
