import JSONSyntax

extension CheckoutPackages {
    /// Whether a package is not what a registry has under its name, by the files of a directory or of one above it: it is of another place or
    /// another name, or patched (npm, "overrides"; Yarn, "resolutions"; pnpm and Bun, "overrides" and "patchedDependencies"; patch-package).
    /// - Parameter directory: that of the app, with a slash behind it.
    func isReplaced(_ name: String, in directory: String) -> Bool {
        let key = Array(name.utf8)
        var parts = pathParts(directory)
        repeat {
            let path = parts.map { "\($0)/" }.joined()
            if patched.contains(Array("\(path)patches/\(name)".utf8))
                || replaced(in: path).contains(key)
            {
                return true
            }
        } while parts.popLast() != nil
        return false
    }

    /// The packages that patch-package patches, each behind the directory of its patch, such as `patches/@acme/links` for the file
    /// `patches/@acme+links+1.0.0.patch`.
    static func patched(_ names: [String]) -> Set<[UInt8]> {
        let found = names.lazy.filter { $0.utf8.suffix(6).elementsEqual(".patch".utf8) }.map {
            name in
            let end = name.utf8.lastIndex(of: UInt8(ascii: "/")).map { name.utf8.index(after: $0) }
            let start = end ?? name.utf8.startIndex
            let words = name.utf8[start...].split(separator: UInt8(ascii: "+"))
            let isScoped = words.first?.first == UInt8(ascii: "@")
            return Array(name.utf8[..<start])
                + words.prefix(isScoped ? 2 : 1).joined(separator: "/".utf8)
        }
        return Set(found)
    }

    /// The packages that the files of one directory replace.
    func findReplaced(in path: String) -> Set<[UInt8]> {
        let root = json("\(path)package.json")
        var found = Set<[UInt8]>()
        for package in dependencyKeys.flatMap({ root?[$0]?.members ?? [] }) {
            let name = Array(package.key.utf8)
            guard let spec = package.value.text, diskMark(of: spec) == nil else { continue }
            if !isOfRegistry(name, spec) { found.insert(name) }
        }
        for holder in [root, root?["pnpm"], root?["workspaces"]].compactMap(\.self) {
            for key in ["overrides", "resolutions", "catalog", "catalogs"] {
                _ = holder[key].map { Self.add($0, [], to: &found) }
            }
            for patched in holder["patchedDependencies"]?.members ?? [] {
                found.formUnion(Self.names(in: Array(patched.key.utf8)[...]))
            }
        }
        let isBetween: (UInt8) -> Bool = { "\n\r{},".utf8.contains($0) }
        for line in (bytes("\(path)pnpm-workspace.yaml") ?? []).split(whereSeparator: isBetween) {
            let text = line.prefix { $0 != UInt8(ascii: "#") }.filter {
                !" \t\"'".utf8.contains($0)
            }
            guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let names = Self.names(in: text[..<colon])
            let version = String(decoding: text[(colon + 1)...], as: UTF8.self)
            if !names.contains(where: { isOfRegistry($0, version) }) { found.formUnion(names) }
        }
        return found
    }

    /// Adds the names of replacements, which can be for packages within others.
    /// - Returns: whether it is one, or has one.
    private static func add(
        _ value: JSONValue, _ names: [[UInt8]], to found: inout Set<[UInt8]>
    ) -> Bool {
        if let text = value.text { return !names.contains { isOfRegistry($0, text) } }
        var hasSome = false
        for member in value.members ?? [] {
            let own = self.names(in: Array(member.key.utf8)[...])
            guard add(member.value, own, to: &found) else { continue }
            found.formUnion(own)
            hasSome = true
        }
        return hasSome
    }

    /// The packages in a key such as `name`, `name@version`, `around>name` and `around/**/name`.
    private static func names(in key: ArraySlice<UInt8>) -> [[UInt8]] {
        let (at, slash) = (UInt8(ascii: "@"), UInt8(ascii: "/"))
        let parts = key.split { $0 == slash || $0 == UInt8(ascii: ">") }
        return parts.indices.map { index in
            let name = parts[index].prefix(1) + parts[index].dropFirst().prefix { $0 != at }
            let isScoped = index > 0 && parts[index - 1].first == at
            return (isScoped ? parts[index - 1] + [slash] : []) + name
        }
    }
}

/// The lists of `package.json` with the packages that are installed.
let dependencyKeys = ["dependencies", "devDependencies", "optionalDependencies"]

/// The beginning of a version that says that a package is a directory or an archive of the disk, or one of the same workspace; nil for others.
func diskMark(of version: String) -> String? {
    ["file:", "link:", "portal:", "workspace:"].first { version.utf8.starts(with: $0.utf8) }
}

/// Whether the version of a package is one that a registry has of it, and neither another package (`npm:other@1`) nor one of another place,
/// such as a repository or a patch. Those of a catalog stand in other files.
func isOfRegistry(_ name: [UInt8], _ version: String) -> Bool {
    guard !version.utf8.starts(with: "catalog:".utf8) else { return true }
    let isNamed = version.utf8.starts(with: "npm:".utf8)
    var rest = version.utf8.dropFirst(isNamed ? 4 : 0)
    // Both name a version of the same package.
    if version.utf8.elementsEqual("$".utf8 + name) { return true }
    let behind = rest.dropFirst(name.count)
    if rest.starts(with: name), behind.first.map({ $0 == UInt8(ascii: "@") }) ?? isNamed {
        rest = behind.dropFirst()
    } else if isNamed, rest.first.map({ (0x61...0x7A).contains($0 | 0x20) }) == true {
        return false
    }
    return !rest.contains { "/:@$".utf8.contains($0) }
}
