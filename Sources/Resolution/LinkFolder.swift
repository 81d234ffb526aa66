import Associations
import SiteConfiguration

/// A link whose one rule is a folder and a star for all that stands in it, as `/s/*`, where no
/// earlier link can have a path of the folder. Then the beginning of a path decides which link
/// claims it, and the rules of the links need not be evaluated.
struct LinkFolder {
    /// Its number among the links.
    let link: Int
    /// The path of the folder, which begins and ends with a slash.
    let path: [UInt8]

    /// The folders of links; each costs time by the length of its path, however many there are.
    /// - Parameter isWanted: says for the number of a link whether its folder is of interest.
    static func all(of links: [Link], where isWanted: (Int) -> Bool) -> [LinkFolder] {
        let candidates = links.indices.filter { isWanted($0) && folder(of: links[$0]) != nil }
        var (folders, before, next) = ([LinkFolder](), PathLeads(), 0)
        for number in candidates {
            while next < number {
                for component in links[next].components { before.add(lead(RuleText(component))) }
                next += 1
            }
            guard let path = folder(of: links[number]),
                !before.canMeet(path.map(\.loweredLetter))
            else { continue }
            folders.append(LinkFolder(link: number, path: path))
        }
        return folders
    }

    /// The text of a segment that is the same with and without percent-encoding, and what stands
    /// before it, if the path ends with one.
    @inline(__always)
    static func split(
        _ text: Span<UInt8>, _ path: Range<Int>
    ) -> (folder: Range<Int>, segment: Range<Int>)? {
        var start = path.upperBound
        while start > path.lowerBound, text[start - 1].isOfSlug { start -= 1 }
        guard start < path.upperBound, start > path.lowerBound,
            text[start - 1] == UInt8(ascii: "/")
        else { return nil }
        return (path.lowerBound..<start, start..<path.upperBound)
    }

    /// The folder of a link that has one rule, which is nothing but a folder and a star.
    private static func folder(of link: Link) -> [UInt8]? {
        guard link.components.count == 1 else { return nil }
        let rule = RuleText(link.components[0])
        guard let path = rule.path?.utf8, path.last == UInt8(ascii: "*"),
            rule.query == nil, rule.fragment == nil, !rule.exclude, rule.caseSensitive
        else { return nil }
        let folder = Array(path.dropLast())
        guard folder.first == UInt8(ascii: "/"), folder.last == UInt8(ascii: "/"),
            folder.allSatisfy(\.isOfPlainPath), !folder.contains([0x2F, 0x2F])
        else { return nil }
        return folder
    }

    /// The beginning of all paths of a rule, in lower case.
    private static func lead(_ rule: RuleText) -> [UInt8] {
        (rule.path ?? "").utf8.prefix(while: \.isOfPlainPath).map(\.loweredLetter)
    }
}

/// The beginnings of the paths of rules. They are known by their hashes, so that many cost little:
/// two that are alike by chance leave a folder to the rules.
private struct PathLeads {
    private var whole = Set<UInt64>()
    /// Their beginnings that end with a slash.
    private var folders = Set<UInt64>()

    mutating func add(_ lead: [UInt8]) {
        var hash = hashStart
        for byte in lead {
            hash = hashed(hash, byte)
            if byte == UInt8(ascii: "/") { folders.insert(hash) }
        }
        whole.insert(hash)
    }

    /// Whether a path of the folder can begin with one of them: one is the beginning of the other.
    func canMeet(_ folder: [UInt8]) -> Bool {
        guard !whole.isEmpty else { return false }
        var hash = hashStart
        if whole.contains(hash) { return true }
        for byte in folder {
            hash = hashed(hash, byte)
            if whole.contains(hash) { return true }
        }
        return folders.contains(hash)
    }

    // FNV-1a.
    private var hashStart: UInt64 { 0xCBF2_9CE4_8422_2325 }

    private func hashed(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
}

extension UInt8 {
    /// Whether a slug may have this character.
    fileprivate var isOfSlug: Bool {
        let letter = self | 0x20
        return letter &- UInt8(ascii: "a") < 26 || self &- UInt8(ascii: "0") < 10
            || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }

    /// Whether this is a character of paths that have no other form.
    var isOfPlainPath: Bool { isOfSlug || self == UInt8(ascii: "/") }

    fileprivate var loweredLetter: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}
