import Diagnostics
private import URISyntax

/// Reads JSON (RFC 8259) and continues after a fault, so that one run reports all faults.
///
/// Every step of every loop reads a byte or ends the loop, so any text is read in linear time.
/// Positions are requested in the order of the text.
struct JSONReader {
    let bytes: [UInt8]
    let file: String
    /// It is never after the end. The hundredth fault moves it to the end, and the function that
    /// reported the fault still advances by the bytes that it read.
    var offset = 0 {
        didSet { if offset > bytes.count { offset = bytes.count } }
    }
    private(set) var found: FindingList
    /// The number of errors, including those that are not reported because they follow from
    /// another.
    private(set) var faults = 0
    /// Whether the reader is recovering from a fault. Until the next comma, or the next member or
    /// element without a fault, further faults of syntax follow from this one and are not reported.
    var isRecovering = false
    var tracker = PositionTracker()
    var depth = 0
    /// Arrays that are open at the offset: a single `]` ends an object only within an array.
    var arraysOpen = 0
    var isStopped = false

    init(_ bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
        found = FindingList(file: file)
    }

    /// The value of the whole text.
    mutating func document() -> JSONValue? {
        skipByteOrderMark()
        guard let first = value(), let root = unopenedObject(first) else { return nil }
        skipSpace()
        isRecovering = false
        if let byte = next {
            let position = currentPosition()
            let isCloser = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
            fault(
                .jsonSyntax, position,
                isCloser ? "there is an extra \(character())" : "there is text after the value",
                advice: "a file has one value")
        }
        return root
    }

    mutating func value() -> JSONValue? {
        skipSpace()
        let start = currentPosition()
        switch next {
        case UInt8(ascii: "{"): return nested(start) { $0.object(start) }
        case UInt8(ascii: "["): return nested(start) { $0.array(start) }
        case UInt8(ascii: "\""): return string(start)
        case let byte? where byte.isDigit || byte == UInt8(ascii: "-"):
            return unopenedString(start) ?? number(start)
        case nil:
            fault(
                .jsonSyntax, start, "the file ends where a value is expected",
                advice: "the file is incomplete: copy it again")
            stop()
            return nil
        default: return unusual(start)
        }
    }
}

// MARK: - Where the reader stands

extension JSONReader {
    var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func currentPosition() -> TextPosition {
        tracker.position(at: min(offset, bytes.count), in: bytes)
    }

    /// The next byte that is not part of a space or a comment.
    mutating func nextToken() -> UInt8? {
        skipSpace()
        return next
    }

    mutating func skipSpace() {
        while let byte = next {
            if isJSONSpace(byte) {
                offset += 1
            } else if byte < 0x80, !"/#<=>|".utf8.contains(byte) {
                return
            } else if skipConflictMark() {
                continue
            } else if !skipComment() && !skipSpaceLookalike() {
                return
            }
        }
    }

    mutating func skipScalar() {
        guard offset < bytes.count else { return }
        repeat { offset += 1 } while offset < bytes.count && bytes[offset] & 0xC0 == 0x80
    }

    mutating func skipByteOrderMark() {
        guard starts(with: [0xEF, 0xBB, 0xBF]) else { return }
        report(
            .warning, .jsonByteOrderMark, currentPosition(),
            "the file begins with a byte-order mark",
            advice: "save it as UTF-8 without one, because strict parsers refuse it")
        offset += 3
    }

    func starts(with text: [UInt8]) -> Bool {
        bytes.count - offset >= text.count
            && text.indices.allSatisfy { bytes[offset + $0] == text[$0] }
    }

    /// The scalar at the offset, for messages.
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
    /// Reports a fault after which a strict parser reads nothing.
    mutating func fault(
        _ rule: RuleName, _ position: TextPosition, _ message: String, advice: String
    ) {
        guard !isStopped else { return }
        if rule != .jsonSyntax || !isRecovering {
            report(.error, rule, position, message, advice: advice)
        }
        if rule == .jsonSyntax { isRecovering = true }
        faults += 1
        if faults == JSONDocument.faultsMax { stop() }
    }

    mutating func report(
        _ severity: Severity, _ rule: RuleName, _ position: TextPosition, _ message: String,
        advice: String
    ) {
        guard !isStopped else { return }
        found.add(
            Diagnostic(
                severity, rule,
                at: SourcePosition(file: file, line: position.line, column: position.column),
                message,
                advice: advice))
    }

    /// Reports a repeated key of an object. Parsers use one of the two values, so reading
    /// continues.
    mutating func repeatedKey(_ key: String, _ position: TextPosition) {
        report(
            .warning, .jsonDuplicateKey, position, "key \(quoted(key)) is repeated in one object",
            advice: "parsers differ in which value they use; keep one")
    }

    /// Ends reading.
    mutating func stop() {
        isStopped = true
        offset = bytes.count
    }
}
