private import Diagnostics

/// The members of a JSON value whose key an earlier member of their object has. RFC 8259 §4 leaves
/// open which of them counts, so two readers of one text can take different ones.
package struct DuplicateMembers: Sendable {
    /// JSON Pointers (RFC 6901) to the first of them, with their keys.
    package private(set) var members = [(pointer: String, key: String)]()
    package private(set) var count = 0
    private var path = [String]()

    /// The most duplicates that are listed; the others are counted.
    package static let listedMax = 100

    /// Finds them, in time linear in the size of the value.
    package init(in value: JSONValue) { find(in: value) }

    private mutating func find(in value: JSONValue) {
        switch value.content {
        case .array(let elements):
            for (index, element) in elements.enumerated() where element.hasParts {
                path.append("\(index)")
                find(in: element)
                path.removeLast()
            }
        case .object(let members):
            var keys = MemberKeys(count: members.count)
            for member in members {
                let isFirst = keys.insert(member.key)
                guard !isFirst || member.value.hasParts else { continue }
                path.append(member.key)
                if isFirst { find(in: member.value) } else { note(member.key) }
                path.removeLast()
            }
        default: break
        }
    }

    private mutating func note(_ key: String) {
        count += 1
        if members.count < Self.listedMax { members.append((jsonPointer(path), key)) }
    }
}

extension JSONValue {
    /// The value with the first member of each key only.
    package var withoutDuplicates: JSONValue {
        guard DuplicateMembers(in: self).count > 0 else { return self }
        return first
    }

    private var first: JSONValue {
        switch content {
        case .array(let elements):
            return JSONValue(content: .array(elements.map(\.first)), start: start, end: end)
        case .object(let members):
            var keys = MemberKeys(count: members.count)
            let kept = members.filter { keys.insert($0.key) }.map {
                JSONMember(key: $0.key, keyStart: $0.keyStart, value: $0.value.first)
            }
            return JSONValue(content: .object(kept), start: start, end: end)
        default: return self
        }
    }

    fileprivate var hasParts: Bool {
        switch content {
        case .array(let elements): !elements.isEmpty
        case .object(let members): !members.isEmpty
        default: false
        }
    }
}

/// Keys that were seen, compared by their scalars.
private struct MemberKeys {
    private var few = [String]()
    private var many = Set<[UInt8]>()
    private let isShort: Bool

    /// With few keys, a comparison of all is faster than a table.
    init(count: Int) { isShort = count <= 8 }

    /// - Returns: whether it was not there.
    mutating func insert(_ key: String) -> Bool {
        guard isShort else { return many.insert(Array(key.utf8)).inserted }
        guard !few.contains(where: { $0.isScalarwise(key) }) else { return false }
        few.append(key)
        return true
    }
}

/// The JSON Pointer of these keys and indexes (RFC 6901 §3).
package func jsonPointer(_ path: some Sequence<String>) -> String {
    var pointer = [UInt8]()
    for part in path {
        pointer.append(UInt8(ascii: "/"))
        for byte in part.utf8 {
            switch byte {
            case UInt8(ascii: "~"): pointer += "~0".utf8
            case UInt8(ascii: "/"): pointer += "~1".utf8
            default: pointer.append(byte)
            }
        }
    }
    return String(decoding: pointer, as: UTF8.self)
}
