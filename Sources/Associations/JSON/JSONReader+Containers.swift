internal import Diagnostics

// Objects and arrays, and what stands between their values.

extension JSONReader {
    mutating func nested(
        _ start: TextPosition, _ read: (inout JSONReader) -> JSONValue?
    ) -> JSONValue? {
        guard depth < JSONDocument.nestingMax else {
            fault(
                .nesting, start,
                "values are nested more than \(JSONDocument.nestingMax) deep")
            stop()
            return nil
        }
        depth += 1
        defer { depth -= 1 }
        return read(&self)
    }

    mutating func object(_ start: TextPosition) -> JSONValue {
        offset += 1
        var members = JSONMembers()
        while let byte = nextToken() {
            if byte == UInt8(ascii: "}") {
                offset += 1
                return JSONValue(content: .object(members.list), start: start, end: offset)
            }
            if byte == UInt8(ascii: "]"), arraysOpen > 0 {
                fault(.syntax, position(), "a } is missing, for the { in line \(start.line)")
                return JSONValue(content: .object(members.list), start: start, end: offset)
            }
            if byte == UInt8(ascii: ",") {
                strayComma()
                continue
            }
            if let member = member(), !members.append(member) {
                repeatedKey(member.key, member.keyStart)
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
                fault(.syntax, position(), "a ] is missing, for the [ in line \(start.line)")
                return JSONValue(content: .array(elements), start: start, end: offset)
            }
            if byte == UInt8(ascii: ",") {
                strayComma()
                continue
            }
            let before = offset
            if let element = value() { elements.append(element) }
            if offset == before { skipScalar() }
            separator(before: UInt8(ascii: "]"))
        }
        unclosed("[", start)
        return JSONValue(content: .array(elements), start: start, end: offset)
    }

    /// A key, a colon and a value; nil when one of them cannot be made out.
    mutating func member() -> JSONMember? {
        let keyStart = position()
        guard let key = key(keyStart) else { return nil }
        guard nextToken() == UInt8(ascii: ":") else {
            let place = position()
            switch next {
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), nil:
                fault(.syntax, place, "key \(quoted(key)) has no value")
                return nil
            default: fault(.syntax, place, "a colon is missing behind the key \(quoted(key))")
            }
            return value().map { JSONMember(key: key, keyStart: keyStart, value: $0) }
        }
        offset += 1
        guard var value = valueBehindColon(key) else { return nil }
        while nextToken() == UInt8(ascii: ":") {
            fault(
                .twoColons, position(), "a second colon behind the key \(quoted(key))",
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
            fault(.syntax, position(), "key \(quoted(key)) has no value")
            return nil
        default: return value()
        }
    }

    mutating func key(_ start: TextPosition) -> String? {
        if next == UInt8(ascii: "\"") { return string(start).text }
        if typographicQuote() != nil { return typographicString(start).text }
        let before = offset
        let word = word()
        if !word.isEmpty {
            if next == UInt8(ascii: "\"") {
                fault(
                    .syntax, start, "the quote before the key \(word) is missing",
                    advice: "write \"\(word)\"")
                offset += 1
                return word
            }
            fault(
                .syntax, start, "key \(word) is not in quotes", advice: "write \"\(word)\"")
            return word
        }
        if !skipEllipsis(start) {
            fault(.syntax, start, "expected a key in quotes, found \(character())")
        }
        if offset == before { skipScalar() }
        return nil
    }

    /// Takes the comma after a value. Where one is missing, reading goes on as if it stood there.
    mutating func separator(before closer: UInt8) {
        guard let byte = nextToken() else { return }
        guard byte == UInt8(ascii: ",") else {
            let isCloser = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
            guard !isCloser, lastFaultOffset != offset else { return }
            fault(.syntax, position(), "a comma is missing before \(character())")
            if !startsValue(byte) { skipScalar() }
            lastFaultOffset = offset
            return
        }
        let comma = position()
        offset += 1
        if nextToken() == closer {
            fault(
                .trailingComma, comma, "a comma behind the last value", advice: "remove it")
        }
    }

    mutating func strayComma() {
        fault(.syntax, position(), "a comma where a value is expected")
        offset += 1
    }

    mutating func unclosed(_ opener: String, _ start: TextPosition) {
        guard !isStopped else { return }
        fault(
            .syntax, position(),
            "the file ends before the \(opener) in line \(start.line) is closed",
            advice: "a bracket is missing, or the file was cut short")
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
