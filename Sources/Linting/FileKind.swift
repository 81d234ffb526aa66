private import Associations
private import JSONSyntax
private import URISyntax

/// A kind of file, by which it is read.
package enum FileKind: String, Sendable, CaseIterable {
    /// An `apple-app-site-association` file.
    case association = "aasa"
    case assetLinks = "assetlinks"
    /// A `waymark.yaml`.
    case configuration = "config"

    /// The kind of a content: the members of its top level decide, then its name, then the first
    /// word that only one kind has.
    package init(of bytes: [UInt8], name: String) {
        let start = bytes.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
        // JSON that begins with a quote has lost its first bracket, but YAML can begin with a quote
        // too.
        guard let first = start.first,
            "{[</\"".utf8.contains(first) || start.contains(0) || SignedPayload.isLikely(bytes)
                || SignedPayload.isText(bytes)
        else {
            self = Self.named(name) ?? (start.isEmpty ? .association : .configuration)
            return
        }
        let others: [UInt8: FileKind] = [
            UInt8(ascii: "["): .assetLinks, UInt8(ascii: "\""): .configuration,
        ]
        switch Self.kinds(ofMembersIn: bytes) {
        case let kinds where kinds.count == 1: self = kinds[0]
        case let kinds where kinds.count > 1: self = Self.named(name) ?? .configuration
        default:
            self =
                Self.told(by: start.prefix(Self.sampleBytes)) ?? Self.named(name)
                ?? others[first, default: .association]
        }
    }

    /// The kinds that have a member of the object's top level. Apple's names are those of a file
    /// also in another letter case, which systems ignore and `lint` reports.
    private static func kinds(ofMembersIn bytes: [UInt8]) -> [FileKind] {
        let members = JSONDocument(associations: bytes, file: "").root?.members ?? []
        let names = Set(members.map { $0.key.utf8.map(\.foldedToLowerCase) })
        func has(_ words: [String]) -> Bool { words.contains { names.contains(Array($0.utf8)) } }
        let apple = has(["applinks", "webcredentials", "appclips", "activitycontinuation"])
        let waymark =
            has(["environments", "sites"]) || (has(["version"]) && has(["apps", "links"]))
        return (apple ? [.association] : []) + (waymark ? [.configuration] : [])
    }

    /// The kind according to the first word that only one kind contains.
    private static func told(by text: ArraySlice<UInt8>) -> FileKind? {
        let words: [(String, FileKind)] = [
            ("applinks", .association), ("webcredentials", .association),
            ("appclips", .association), ("activitycontinuation", .association),
            ("relation", .assetLinks), ("namespace", .assetLinks),
            ("environments", .configuration),
        ]
        let lower = text.map(\.foldedToLowerCase)
        let found = words.compactMap { word, kind in
            firstIndex(of: Array(word.utf8), in: lower).map { (index: $0, kind: kind) }
        }
        return found.min { $0.index < $1.index }?.kind
    }

    private static func named(_ name: String) -> FileKind? {
        let name = name.lowercased().utf8
        if name.contains("assetlinks") { return .assetLinks }
        if name.contains("apple-app-site-association") || name.contains("aasa") {
            return .association
        }
        return [".yaml", ".yml"].contains { name.suffix($0.utf8.count).elementsEqual($0.utf8) }
            ? .configuration : nil
    }

    /// This word is near the beginning.
    private static let sampleBytes = 65_536
}

private func firstIndex(of word: [UInt8], in text: [UInt8]) -> Int? {
    guard text.count >= word.count else { return nil }
    return (0...(text.count - word.count)).first { start in
        text[start] == word[0] && text[start..<(start + word.count)].elementsEqual(word)
    }
}
