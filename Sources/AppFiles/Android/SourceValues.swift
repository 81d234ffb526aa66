/// The texts and booleans in the `res/values` of a module's source (Android, "App resources").
struct SourceValues {
    /// By kind and name, such as `string/host`. Nil where source sets and versions of Android have different
    /// values, or where the text has more in it than itself.
    private var values = [[UInt8]: String?]()
    /// The places of the values, for people.
    private var origins = [[UInt8]: String]()
    /// The beginnings of the names that a script may have values for, which it does not say.
    private var open = Set<[UInt8]>()

    mutating func open(_ beginnings: Set<[UInt8]>) {
        open.formUnion(beginnings)
        if open.count > AppFileLimits.referencesMax { open = [[]] }
    }

    /// Adds the values of a file.
    /// - Parameter isOpen: whether it is not known that the file counts. A value that no other file has is then open, too.
    mutating func add(_ document: XMLNode, file: String, isOpen: Bool = false) {
        guard document.name == "resources" else { return }
        for node in document.children {
            let kind = node.name == "item" ? node.plain("type")?.value ?? "" : node.name
            guard kind == "string" || kind == "bool", let name = node.plain("name")?.value else {
                continue
            }
            let key = "\(kind)/\(name)"
            let isUnknown = isOpen && values[Array(key.utf8)] == nil
            add(
                node.children.isEmpty && !isUnknown ? Self.plain(node.text) : nil, key,
                from: "\(file):\(node.place.line)")
        }
    }

    /// - Parameter value: nil if only a build knows it.
    mutating func add(_ value: String?, _ name: String, from origin: String) {
        let key = Array(name.utf8)
        origins[key] = origin
        if let known = values[key], known.map({ Array($0.utf8) }) != value.map({ Array($0.utf8) }) {
            values[key] = .some(nil)
        } else {
            values[key] = .some(value)
        }
    }

    /// A value of these: nil if they have none for a key, and an inner nil if it is not known.
    func own(_ key: [UInt8]) -> FilledValue?? {
        if open.contains(where: key.starts(with:)) { return .some(nil) }
        return values[key].map { $0.map { FilledValue(text: $0, origin: origins[key]) } }
    }

    /// Nil for a text with other escapes than that of a quote, or with quotes within it, which aapt2 reads in its own way. Those
    /// around it are left out.
    static func plain(_ text: String) -> String? {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let marks = Array(text.utf8).split(
            separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        if marks.count == 3, marks[0].allSatisfy(isSpace), marks[2].allSatisfy(isSpace),
            !marks[1].contains(UInt8(ascii: "\\"))
        {
            return String(decoding: marks[1], as: UTF8.self)
        }
        var (plain, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            guard byte != UInt8(ascii: "\"") else { return nil }
            guard byte == UInt8(ascii: "\\") else {
                plain.append(byte)
                continue
            }
            guard let next = rest.popFirst(), next == UInt8(ascii: "\"") else { return nil }
            plain.append(next)
        }
        let start = plain.drop(while: isSpace)
        return String(
            decoding: Array(start.reversed().drop(while: isSpace).reversed()), as: UTF8.self)
    }
}
