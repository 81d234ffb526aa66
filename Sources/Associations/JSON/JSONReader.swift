import Diagnostics

/// Reads JSON (RFC 8259) and goes on behind a fault, so that one run names all of them.
///
/// Every step of every loop takes a byte or leaves the loop, so that any text is read in time
/// linear in its length. Positions are asked for in the order of the text.
struct JSONReader {
    let bytes: [UInt8]
    let file: String
    var offset = 0
    var diagnostics = [Diagnostic]()
    private var tracker = PositionTracker()
    private var depth = 0
    /// Arrays that are open around the place: a stray `]` ends an object only inside of one.
    private var arraysOpen = 0
    private var isStopped = false
    /// Where the last fault was found: what follows from it is not said again.
    private var lastFaultOffset = -1

    init(_ bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    /// The value that the whole text is.
    mutating func document() -> JSONValue? {
        skipByteOrderMark()
        guard let root = value() else { return nil }
        skipSpace()
        if let byte = next {
            let place = position()
            let isCloser = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
            fault(
                .syntax, place,
                isCloser ? "there is a \(character()) too many" : "there is text behind the value",
                advice: "a file holds one value")
        }
        return root
    }

    mutating func value() -> JSONValue? {
        skipSpace()
        let start = position()
        switch next {
        case UInt8(ascii: "{"): return nested(start) { $0.object(start) }
        case UInt8(ascii: "["): return nested(start) { $0.array(start) }
        case UInt8(ascii: "\""): return string(start)
        case UInt8(ascii: "-")?: return number(start)
        case let digit? where (0x30...0x39).contains(digit): return number(start)
        case nil:
            fault(.syntax, start, "the file ends where a value is expected")
            stop()
            return nil
        default: return unusual(start)
        }
    }
}

// MARK: - Objects and arrays

extension JSONReader {
    private mutating func nested(
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

    private mutating func object(_ start: TextPosition) -> JSONValue {
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
            if let member = member() {
                if !members.append(member) {
                    report(
                        .warning, .duplicateKey, member.keyStart,
                        "key \(quoted(member.key)) stands twice in one object",
                        advice: "parsers differ in which of the two they take; keep one")
                }
            }
            separator(before: UInt8(ascii: "}"))
        }
        unclosed("{", start)
        return JSONValue(content: .object(members.list), start: start, end: offset)
    }

    private mutating func array(_ start: TextPosition) -> JSONValue {
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
    private mutating func member() -> JSONMember? {
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

    private mutating func valueBehindColon(_ key: String) -> JSONValue? {
        switch nextToken() {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
            fault(.syntax, position(), "key \(quoted(key)) has no value")
            return nil
        default: return value()
        }
    }

    private mutating func key(_ start: TextPosition) -> String? {
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

    /// Takes the comma behind a value. Where one is missing, reading goes on as if it stood there.
    private mutating func separator(before closer: UInt8) {
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

    private mutating func strayComma() {
        fault(.syntax, position(), "a comma where a value is expected")
        offset += 1
    }

    private mutating func unclosed(_ opener: String, _ start: TextPosition) {
        guard !isStopped else { return }
        fault(
            .syntax, position(),
            "the file ends before the \(opener) in line \(start.line) is closed",
            advice: "a bracket is missing, or the file was cut short")
        stop()
    }

    private func startsValue(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "'"), 0x80...:
            true
        default: isWordByte(byte)
        }
    }
}

// MARK: - Where the reader stands

extension JSONReader {
    var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func position() -> TextPosition {
        tracker.position(at: min(offset, bytes.count), in: bytes)
    }

    /// The next byte that is neither space nor comment.
    private mutating func nextToken() -> UInt8? {
        skipSpace()
        return next
    }

    mutating func skipSpace() {
        while let byte = next {
            if isJSONSpace(byte) {
                offset += 1
            } else if !skipComment() && !skipSpaceLookalike() {
                return
            }
        }
    }

    mutating func skipScalar() {
        guard offset < bytes.count else { return }
        repeat { offset += 1 } while offset < bytes.count && bytes[offset] & 0xC0 == 0x80
    }

    private mutating func skipByteOrderMark() {
        guard starts(with: [0xEF, 0xBB, 0xBF]) else { return }
        report(
            .warning, .byteOrderMark, position(), "the file begins with a byte-order mark",
            advice: "save it as UTF-8 without one; strict parsers refuse it")
        offset += 3
    }

    func starts(with text: [UInt8]) -> Bool {
        bytes.count - offset >= text.count
            && text.indices.allSatisfy { bytes[offset + $0] == text[$0] }
    }

    /// The scalar at the place, for messages.
    func character() -> String {
        guard offset < bytes.count else { return "the end of the file" }
        var end = offset + 1
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        let text = String(decoding: bytes[offset..<end], as: UTF8.self)
        return bytes[offset] < 0x80 && bytes[offset] > 0x20 && bytes[offset] != 0x7F
            ? text : quoted(text)
    }
}

// MARK: - Faults

extension JSONReader {
    /// A fault behind which a strict parser reads nothing.
    mutating func fault(
        _ rule: JSONRule, _ place: TextPosition, _ message: String, advice: String? = nil
    ) {
        report(.error, rule, place, message, advice: advice)
    }

    mutating func report(
        _ severity: Severity, _ rule: JSONRule, _ place: TextPosition, _ message: String,
        advice: String? = nil
    ) {
        guard !isStopped else { return }
        diagnostics.append(
            Diagnostic(
                severity, rule.rawValue,
                at: SourcePlace(file: file, line: place.line, column: place.column), message,
                advice: advice))
        lastFaultOffset = offset
        if diagnostics.count == JSONDocument.faultsMax { stop() }
    }

    /// Leaves the rest of the text unread.
    mutating func stop() {
        isStopped = true
        offset = bytes.count
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
