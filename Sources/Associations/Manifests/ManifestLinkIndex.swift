private import URISyntax

/// Finds what takes a link in a manifest. Most patterns begin with characters that only few paths have.
struct ManifestLinkIndex {
    private let links: ManifestLinks
    /// The characters with which patterns begin.
    private var nodes = [Node()]
    /// The elements of patterns that were tried.
    private(set) var work = 0

    private struct Node {
        var next = [UInt16: Int]()
        /// The patterns whose beginning ends here.
        var patterns = [Int]()
    }

    init(_ links: ManifestLinks) {
        self.links = links
        for (number, pattern) in links.paths.patterns.enumerated() {
            var node = 0
            for unit in pattern.beginning {
                let next = nodes[node].next[unit] ?? nodes.count
                if next == nodes.count { nodes.append(Node()) }
                nodes[node].next[unit] = next
                node = next
            }
            nodes[node].patterns.append(number)
        }
    }

    /// The first part of the manifest that takes a link; nil if none does.
    mutating func taker(of link: AndroidLink) -> ManifestLinks.Taker? {
        if links.paths.takesAll { return .everyPath }
        if let pattern = pattern(for: link.path) { return .path(pattern) }
        for groups in links.groups {
            let first = groups.first { group in
                group.conditions.allSatisfy { link.meets($0, &work) }
            }
            guard let group = first, group.allows else { continue }
            return .group(filter: group.filter, number: group.number)
        }
        return nil
    }

    /// Whether it takes the link with or without a slash at the end of its path.
    mutating func takesEitherForm(_ link: AndroidLink) -> Bool {
        taker(of: link) != nil || taker(of: link.otherForm) != nil
    }

    private mutating func pattern(for path: [UInt16]) -> AndroidPattern? {
        var (node, rest) = (0, path[...])
        var numbers = nodes[0].patterns
        while let unit = rest.popFirst(), let next = nodes[node].next[unit] {
            numbers += nodes[next].patterns
            node = next
        }
        return numbers.sorted().first { links.paths.patterns[$0].matches(path, &work) }
            .map { links.paths.patterns[$0] }
    }
}

extension AndroidPattern {
    /// The characters with which every text begins that matches.
    fileprivate var beginning: [UInt16] {
        var units = [UInt16]()
        for element in elements {
            guard case .run(let set, 1, 1) = element, let unit = set.only else { break }
            units.append(unit)
        }
        return units
    }

    /// A path that a person would write for it; nil if it would be long. It may not match.
    package var examplePath: String? {
        var units = [UInt16]()
        for element in elements {
            switch element {
            case .run(let set, let least, let most):
                guard most > 0, least <= Self.exampleUnitsMax, let unit = set.example else {
                    return nil
                }
                units += Array(repeating: unit, count: max(least, 1))
            case .until(let unit): units.append(unit)
            case .rest: units += Array("example".utf16)
            case .ending(let end, _): units += Array("/example".utf16) + end
            }
            guard units.count <= Self.exampleUnitsMax else { return nil }
        }
        guard units.first == UInt16(UInt8(ascii: "/")) else { return nil }
        var path = [UInt8]()
        for byte in String(decoding: units, as: UTF16.self).utf8 {
            let isPlain = byte.isUnreserved || "/!$&'()*+,;=:@".utf8.contains(byte)
            if isPlain { path.append(byte) } else { path.append(percentEncoded: byte) }
        }
        return String(decoding: path, as: UTF8.self)
    }

    private static let exampleUnitsMax = 200
}
