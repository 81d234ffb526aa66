private import Diagnostics
/// A value of a property list (Apple, "Property List Programming Guide").
package struct PropertyList: Sendable {
    package enum Content: Sendable {
        case string(String)
        case boolean(Bool)
        case number(Int)
        case data([UInt8])
        case array([PropertyList])
        case dictionary([[UInt8]: PropertyList])
        /// A date, a fraction or another value that nothing here needs.
        case other
    }

    package let content: Content
    /// Nil in a binary list.
    package let place: TextPlace?

    init(_ content: Content, at place: TextPlace? = nil) {
        (self.content, self.place) = (content, place)
    }

    /// The value of a key; nil if there is none, or if this is not a dictionary.
    package subscript(_ key: String) -> PropertyList? {
        if case .dictionary(let members) = content { members[Array(key.utf8)] } else { nil }
    }

    /// The keys of a dictionary, in order.
    var keys: [String] {
        guard case .dictionary(let members) = content else { return [] }
        return members.keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    package var text: String? { if case .string(let text) = content { text } else { nil } }
    package var flag: Bool? { if case .boolean(let flag) = content { flag } else { nil } }
    package var items: [PropertyList]? {
        if case .array(let items) = content { items } else { nil }
    }
    package var isDictionary: Bool { if case .dictionary = content { true } else { false } }

    /// Reads a list in its XML or its binary form.
    package static func read(_ bytes: [UInt8]) throws(FormatFault) -> PropertyList {
        if bytes.starts(with: "bplist".utf8) { return try BinaryPropertyList.read(bytes) }
        return try PropertyList(document: XMLReader.read(bytes))
    }

    /// Whether two lists hold the same; values that nothing here needs count as equal.
    func isSame(as other: PropertyList) -> Bool {
        switch (content, other.content) {
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.boolean(let left), .boolean(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.data(let left), .data(let right)): left == right
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
        case (.dictionary(let left), .dictionary(let right)):
            left.count == right.count
                && left.allSatisfy { key, value in right[key]?.isSame(as: value) == true }
        case (.other, .other): true
        default: false
        }
    }
}

extension PropertyList {
    /// The list of a document. XMLReader has bounded how deep it is.
    init(document: XMLNode) throws(FormatFault) {
        guard document.name == "plist", document.children.count == 1 else {
            throw FormatFault(
                "is no property list: its root must be one <plist> with one value",
                at: document.place, advice: "give the file that Xcode uses")
        }
        self = try Self.value(document.children[0])
    }

    private static func value(_ node: XMLNode) throws(FormatFault) -> PropertyList {
        let content: Content
        switch node.name {
        case "string": content = .string(node.text)
        case "true": content = .boolean(true)
        case "false": content = .boolean(false)
        case "integer": content = Int(node.text).map(Content.number) ?? .other
        case "date", "real", "data": content = .other
        case "array":
            var items = [PropertyList]()
            for child in node.children { items.append(try value(child)) }
            content = .array(items)
        case "dict": content = .dictionary(try members(node))
        default:
            throw FormatFault(
                "has an unknown kind of value, \(quoted(node.name))", at: node.place,
                advice: "write string, array, dict, true, false, integer, real, date or data")
        }
        return PropertyList(content, at: node.place)
    }

    private static func members(_ node: XMLNode) throws(FormatFault) -> [[UInt8]: PropertyList] {
        var members = [[UInt8]: PropertyList]()
        var key: XMLNode?
        for child in node.children {
            if let name = key {
                let value = try value(child)
                let known = members.updateValue(value, forKey: Array(name.text.utf8))
                // Apple's tools take a key that is written twice, and values that are the same leave nothing open.
                guard known?.isSame(as: value) != false else {
                    throw FormatFault(
                        "repeats the key \(quoted(name.text))", at: name.place, advice: "keep one")
                }
                key = nil
            } else if child.name == "key" {
                key = child
            } else {
                throw FormatFault(
                    "has a value without a key", at: child.place, advice: "write <key> before it")
            }
        }
        if let key {
            throw FormatFault(
                "has a key without a value", at: key.place, advice: "add the value, or remove it")
        }
        return members
    }
}
