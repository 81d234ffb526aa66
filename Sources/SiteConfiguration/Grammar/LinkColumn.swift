/// A column of a table of links: a member, or a member of an object with full stops between the
/// names. What it can be says the grammar of a link.
package struct LinkColumn: Sendable {
    /// The form of a cell, by which it becomes a value.
    package enum Form: Sendable {
        case text
        case flag
        case number
        /// Texts with commas between them.
        case list
        /// An object or a list in JSON, or a text where the member can also be one.
        case json
    }

    /// The names of the members, from the outermost.
    package let path: [String]
    package let form: Form

    package init(_ path: [String], _ form: Form) { (self.path, self.form) = (path, form) }

    /// The column with this heading; nil if a link has no such member.
    package init?(_ heading: String) {
        guard heading.utf8.count <= Self.headingBytesMax else { return nil }
        let path = heading.utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
        guard path.count <= Self.partsMax, !path.contains("") else { return nil }
        var (kind, isFree) = (Kind.object(.storedLink), false)
        for part in path {
            // What an app makes of its data, nobody else knows.
            if case .json = kind { isFree = true }
            guard let next = kind.member(part) else { return nil }
            kind = next
        }
        self.init(path, isFree ? .text : kind.form)
    }

    /// The advice on a heading that names a member as other programs do; nil for another heading.
    package static func advice(on heading: String) -> String? {
        guard heading.utf8.count <= headingBytesMax,
            let stop = heading.utf8.lastIndex(of: UInt8(ascii: "."))
        else { return nil }
        let parts = heading[..<stop].utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        var kind = Optional(Kind.object(.storedLink))
        for part in parts { kind = kind?.member(String(decoding: part, as: UTF8.self)) }
        guard case .object(let shape)? = kind else { return nil }
        return shape.otherWord(String(heading[heading.utf8.index(after: stop)...]))?.text
    }

    /// The headings of all members that have a name of their own.
    package static let headings = headings(of: .object(.storedLink), after: "")

    private static func headings(of kind: Kind, after prefix: String) -> [String] {
        switch kind {
        case .object(let shape):
            shape.keys.flatMap { key in
                [prefix + key.name] + headings(of: key.kind, after: "\(prefix)\(key.name).")
            }
        case .either(let kinds): kinds.flatMap { headings(of: $0, after: prefix) }
        default: []
        }
    }

    private static let headingBytesMax = 256
    private static let partsMax = 8
}

extension Kind {
    /// The kind of a member of a value of this kind; nil if it has no such member.
    fileprivate func member(_ name: String) -> Kind? {
        switch self {
        case .object(let shape): shape.keys.first { $0.name == name }?.kind
        case .names(let format, let kind): (try? format.read(name)) == nil ? nil : kind
        case .json: .json
        case .either(let kinds): kinds.lazy.compactMap { $0.member(name) }.first
        case .text, .list: nil
        }
    }

    fileprivate var form: LinkColumn.Form {
        switch self {
        case .text(let format):
            switch format.json {
            case .boolean: .flag
            case .integer: .number
            case .string: .text
            }
        case .list(.text, _): .list
        case .either(let kinds) where kinds.allSatisfy { $0.form == .text }: .text
        case .list, .names, .object, .json, .either: .json
        }
    }
}
