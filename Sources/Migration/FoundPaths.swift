/// The files and directories that were found beside those that were read, by which an include is
/// known to be read by itself.
package struct FoundPaths {
    /// The parts of their paths, by the last part.
    private var files = [String: [(parts: [String], isRead: Bool)]]()
    /// The same of files that were named. They say nothing of others beside them.
    private var named = [String: [[String]]]()
    private var count = 0
    private var directories = [[String]]()
    /// The answers about includes, by the last parts of their paths.
    private var answers = [[String]: Included]()
    /// The number of paths that may still be compared with includes: each can meet each.
    private var comparisons = comparisonsMax
    static let comparisonsMax = 1_000_000

    package init() {}

    /// - Parameter isRead: whether it was looked into.
    package mutating func addFile(_ path: String, isRead: Bool) {
        let parts = Self.parts(path)
        files[parts.last ?? "", default: []].append((parts, isRead))
        count += 1
    }

    /// Adds a file that was named, and read.
    package mutating func addNamed(_ path: String) {
        let parts = Self.parts(path)
        named[parts.last ?? "", default: []].append(parts)
    }

    package mutating func addDirectory(_ path: String) { directories.append(Self.parts(path)) }

    /// The files of an include.
    enum Included {
        case read, unread
        /// There are none in its directory.
        case nothing
        /// Too many includes and files would have to be compared.
        case unknown
    }

    /// The files of an include, and whether all of them were read.
    /// - Parameter path: as a server's file has it, with stars for any text.
    mutating func included(_ path: String) -> Included {
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        // Where a copy of an absolute path begins is not known.
        let wanted = Self.parts(path).suffix(isAbsolute ? 2 : Int.max).map(Self.widened)
        if let answer = answers[wanted] { return answer }
        guard let name = wanted.last else { return .unread }
        let isPattern = name.utf8.contains(UInt8(ascii: "*"))
        let isNamed = isPattern ? [] : named[name] ?? []
        let compared =
            isPattern ? count + directories.count : (files[name]?.count ?? 0) + isNamed.count
        guard compared <= comparisons else { return .unknown }
        comparisons -= compared
        var (isThere, areRead) = (false, true)
        func look(at named: [(parts: [String], isRead: Bool)]) {
            for file in named where Self.matches(file.parts, wanted) {
                isThere = true
                areRead = areRead && file.isRead
            }
        }
        if isPattern { files.values.forEach(look) } else { look(at: files[name] ?? []) }
        var answer = areRead ? Included.read : .unread
        if !isThere {
            let isEmpty =
                isPattern && wanted.count > 1
                && directories.contains { Self.matches($0, wanted.dropLast()) }
            answer =
                isEmpty
                ? .nothing : isNamed.contains { Self.matches($0, wanted) } ? .read : .unread
        }
        answers[wanted] = answer
        return answer
    }

    private static func parts(_ path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
            .filter { $0 != "." }
    }

    /// A pattern with stars for `?` and for sets such as `[ab]`, which matches more.
    private static func widened(_ pattern: String) -> String {
        var (result, isInSet) = ([UInt8](), false)
        for byte in pattern.utf8 {
            if isInSet {
                isInSet = byte != UInt8(ascii: "]")
            } else {
                isInSet = byte == UInt8(ascii: "[")
                result.append(isInSet || byte == UInt8(ascii: "?") ? UInt8(ascii: "*") : byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether the last parts of a path match.
    private static func matches(_ parts: [String], _ wanted: some Collection<String>) -> Bool {
        parts.count >= wanted.count
            && zip(parts.suffix(wanted.count), wanted).allSatisfy { matches($0, $1) }
    }

    /// Whether a text matches a pattern with stars, each of which goes as far as it has to.
    private static func matches(_ text: String, _ pattern: String) -> Bool {
        let star = UInt8(ascii: "*")
        let pieces = pattern.utf8.split(separator: star, omittingEmptySubsequences: false)
        guard pieces.count > 1, let first = pieces.first, let last = pieces.last else {
            return text == pattern
        }
        var rest = Array(text.utf8)[...]
        guard rest.count >= first.count + last.count, rest.starts(with: first),
            rest.suffix(last.count).elementsEqual(last)
        else { return false }
        rest = rest.dropFirst(first.count).dropLast(last.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            let starts = rest.indices.first { rest[$0...].starts(with: piece) }
            guard let start = starts else { return false }
            rest = rest[(start + piece.count)...]
        }
        return true
    }
}
