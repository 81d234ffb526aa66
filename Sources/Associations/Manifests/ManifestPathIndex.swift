private import URISyntax

/// Finds the pattern that takes a path. Most patterns begin with characters that only few paths have.
struct ManifestPathIndex {
    private let paths: ManifestPaths
    /// The characters with which patterns begin.
    private var nodes = [Node()]

    private struct Node {
        var next = [UInt16: Int]()
        /// The patterns whose beginning ends here.
        var patterns = [Int]()
    }

    init(_ paths: ManifestPaths) {
        self.paths = paths
        for (number, pattern) in paths.patterns.enumerated() {
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

    /// The first pattern that takes a decoded path.
    func pattern(for path: [UInt16]) -> AndroidPattern? {
        var (node, rest) = (0, path[...])
        var numbers = nodes[0].patterns
        while let unit = rest.popFirst(), let next = nodes[node].next[unit] {
            numbers += nodes[next].patterns
            node = next
        }
        return numbers.sorted().first { paths.patterns[$0].matches(path) }
            .map { paths.patterns[$0] }
    }

    func takes(_ path: [UInt16]) -> Bool { paths.takesAll || pattern(for: path) != nil }

    /// Whether it takes the path, or the same with or without a slash at its end, which makes no
    /// difference to Apple's rules.
    func takesEitherForm(_ path: [UInt16]) -> Bool {
        let slash = UInt16(UInt8(ascii: "/"))
        let other = path.last == slash ? Array(path.dropLast()) : path + [slash]
        return takes(path) || takes(other)
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
