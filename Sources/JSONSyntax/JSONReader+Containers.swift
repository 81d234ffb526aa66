internal import Diagnostics

// Objects and arrays, and the characters between their values.

extension JSONReader {
    mutating func nested(
        _ start: TextPosition, _ read: (inout JSONReader) -> JSONValue?
    ) -> JSONValue? {
        guard depth < JSONDocument.nestingMax else {
            fault(
                .jsonNesting, start,
                "values are nested more than \(JSONDocument.nestingMax) deep",
                advice: "association files need six levels; remove brackets")
            stop()
            return nil
        }
        depth += 1
        defer { depth -= 1 }
        return read(&self)
    }

    mutating func object(_ start: TextPosition) -> JSONValue {
        offset += 1
        return members(start, JSONMembers(), isOpened: true)
    }

    /// The object whose first brace is missing: its first key was read as a value, and a colon
    /// follows.
    mutating func unopenedObject(_ key: JSONValue) -> JSONValue? {
        guard let text = key.text, nextToken() == UInt8(ascii: ":") else { return key }
        fault(
            .jsonSyntax, key.start, "a { is missing before the key \(quoted(text))",
            advice: "write { before it")
        return nested(key.start) { reader in
            var first = JSONMembers()
            if let member = reader.member(named: text, key.start) { _ = first.append(member) }
            reader.separator(before: UInt8(ascii: "}"))
            return reader.members(key.start, first, isOpened: false)
        }
    }

    /// - Parameter isOpened: whether there was a first brace. Without it, the last one may be
    ///   missing for the same reason.
    private mutating func members(
        _ start: TextPosition, _ first: JSONMembers, isOpened: Bool
    ) -> JSONValue {
        var members = first
        while let byte = nextToken() {
            if byte == UInt8(ascii: "}") {
                offset += 1
                return JSONValue(content: .object(members.list), start: start, end: offset)
            }
            if byte == UInt8(ascii: "]"), arraysOpen > 0 {
                if isOpened { unclosed("}", "{", start) }
                return JSONValue(content: .object(members.list), start: start, end: offset)
            }
            if byte == UInt8(ascii: ",") {
                strayComma()
                continue
            }
            let before = faults
            if let member = member() {
                if faults == before { isRecovering = false }
                if !members.append(member) { repeatedKey(member.key, member.keyStart) }
            }
            separator(before: UInt8(ascii: "}"))
        }
        unclosed("{", start)
        return JSONValue(content: .object(members.list), start: start, end: offset)
    }

    mutating func array(_ start: TextPosition) -> JSONValue {
        offset += 1
        arraysOpen += 1
        defer { arraysOpen -= 1 }
        var elements = [JSONValue]()
        while let byte = nextToken() {
            if byte == UInt8(ascii: "]") {
                offset += 1
                return JSONValue(content: .array(elements), start: start, end: offset)
            }
            if byte == UInt8(ascii: "}"), depth > 1 {
                unclosed("]", "[", start)
                return JSONValue(content: .array(elements), start: start, end: offset)
            }
            if byte == UInt8(ascii: ",") {
                strayComma()
                continue
            }
            let before = (offset: offset, faults: faults)
            if let value = value(), let element = unopenedObject(value) {
                elements.append(element)
                if faults == before.faults { isRecovering = false }
            }
            if offset == before.offset { skipScalar() }
            separator(before: UInt8(ascii: "]"))
        }
        unclosed("[", start)
        return JSONValue(content: .array(elements), start: start, end: offset)
    }

    /// A key, a colon and a value; nil if one of them cannot be read.
    mutating func member() -> JSONMember? {
        let keyStart = currentPosition()
        return key(keyStart).flatMap { member(named: $0, keyStart) }
    }

    private mutating func member(named key: String, _ keyStart: TextPosition) -> JSONMember? {
        guard nextToken() == UInt8(ascii: ":") else {
            let position = currentPosition()
            switch next {
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), nil:
                return valueless(key, position)
            case UInt8(ascii: "="):
                fault(
                    .jsonSyntax, position, "= follows the key \(quoted(key))",
                    advice: "write a colon between key and value")
                skipEqualsSign()
            default:
                fault(
                    .jsonSyntax, position, "a colon is missing after the key \(quoted(key))",
                    advice: "write a colon between key and value")
            }
            return value().map { JSONMember(key: key, keyStart: keyStart, value: $0) }
        }
        offset += 1
        guard var value = valueBehindColon(key) else { return nil }
        while nextToken() == UInt8(ascii: ":") {
            fault(
                .jsonTwoColons, currentPosition(), "a second colon after the key \(quoted(key))",
                advice: "write a list of objects: [{\"appID\": …, \"paths\": […]}]")
            offset += 1
            guard let behind = valueBehindColon(key) else { break }
            value = behind
        }
        return JSONMember(key: key, keyStart: keyStart, value: value)
    }

    mutating func valueBehindColon(_ key: String) -> JSONValue? {
        switch nextToken() {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
            return valueless(key, currentPosition())
        default: return value()
        }
    }

    private mutating func valueless<Value>(_ key: String, _ position: TextPosition) -> Value? {
        fault(
            .jsonSyntax, position, "key \(quoted(key)) has no value",
            advice: "write a value after its colon, or remove the key")
        return nil
    }

    /// `=` or PHP's `=>`.
    private mutating func skipEqualsSign() {
        offset += 1
        if next == UInt8(ascii: ">") { offset += 1 }
    }

    mutating func key(_ start: TextPosition) -> String? {
        if let key = unclosedKey(start) { return key }
        if next == UInt8(ascii: "\"") { return string(start).text }
        if typographicQuote() != nil { return typographicString(start).text }
        let before = offset
        let word = word()
        if !word.isEmpty {
            if next == UInt8(ascii: "\"") {
                fault(
                    .jsonSyntax, start, "the quote before the key \(quoted(word)) is missing",
                    advice: "write \"\(word)\"")
                offset += 1
                return word
            }
            fault(
                .jsonSyntax, start, "the quotes around the key \(quoted(word)) are missing",
                advice: "write \"\(word)\"")
            return word
        }
        if !skipEllipsis(start) {
            fault(
                .jsonSyntax, start, "expected a key in quotes, found \(character())",
                advice: "the members of an object are \"key\": value, with commas between them")
        }
        if offset == before { skipScalar() }
        return nil
    }

    /// Reads the comma after a value. If there is none, reading continues as if there were one.
    mutating func separator(before closer: UInt8) {
        guard let byte = nextToken() else { return }
        guard byte == UInt8(ascii: ",") else {
            let isCloser = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
            guard !isCloser else { return }
            if byte == UInt8(ascii: "=") {
                fault(
                    .jsonSyntax, currentPosition(), "= is not JSON",
                    advice: "write {\"key\": value}, with a colon between them")
                return skipEqualsSign()
            }
            fault(
                .jsonSyntax, currentPosition(), "a comma is missing before \(character())",
                advice: "write a comma after the value before it")
            if !startsValue(byte) { skipScalar() }
            return
        }
        let comma = currentPosition()
        isRecovering = false
        offset += 1
        if nextToken() == closer {
            fault(.jsonTrailingComma, comma, "a comma after the last value", advice: "remove it")
        }
    }

    mutating func strayComma() {
        fault(
            .jsonSyntax, currentPosition(), "a comma where a value is expected", advice: "remove it"
        )
        offset += 1
    }

    /// The bracket at the end belongs to another container. Reading continues after both, so that
    /// nothing else is reported.
    private mutating func unclosed(_ closer: String, _ opener: String, _ start: TextPosition) {
        let isLost = isRecovering
        fault(
            .jsonSyntax, currentPosition(),
            "a \(closer) is missing for the \(opener) in line \(start.line)",
            advice: "write \(closer) before this \(character())")
        isRecovering = isLost
    }

    mutating func unclosed(_ opener: String, _ start: TextPosition) {
        guard !isStopped else { return }
        fault(
            .jsonSyntax, currentPosition(),
            "the file ends before the \(opener) in line \(start.line) is closed",
            advice: "a bracket is missing, or the file is incomplete")
        stop()
    }

    func startsValue(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "'"), 0x80...:
            true
        default: isWordByte(byte)
        }
    }
}

/// The members of an object, and which keys they have.
private struct JSONMembers {
    var list = [JSONMember]()
    private var keys = Set<[UInt8]>()

    /// - Returns: whether no member had this key before.
    mutating func append(_ member: JSONMember) -> Bool {
        list.append(member)
        return keys.insert(Array(member.key.utf8)).inserted
    }
}
