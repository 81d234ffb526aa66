package import Diagnostics

/// A text that was read as JSON, with the position of everything that a strict parser would refuse.
///
/// After a fault, reading continues where this is safe, so that one run reports all faults. It
/// accepts any bytes, in time linear in their number.
package struct JSONDocument: Sendable {
    /// The value, or the part of it that could be read; nil if there is none.
    package let root: JSONValue?
    /// In the order of the text.
    package let diagnostics: [Diagnostic]
    /// The same findings, so that a reader of the value can add its own.
    package let found: FindingList
    /// The length of the text.
    package let byteCount: Int

    /// Whether a strict JSON parser accepts the text. Then `root` is its value.
    package var isValid: Bool { diagnostics.allSatisfy { $0.severity < .error } }

    /// Whether objects and arrays begin and end where their author meant, so that a missing member
    /// was left out, and not lost in reading.
    package var isShapeCertain: Bool {
        let harmless: [RuleName] = [
            .jsonTrailingComma, .jsonComment, .jsonByteOrderMark, .jsonDuplicateKey,
        ]
        return diagnostics.allSatisfy { finding in harmless.contains(finding.rule) }
    }

    /// - Parameters:
    ///   - file: the file name of the positions.
    ///   - refuse: finds what makes the text another format than JSON from its first bytes on.
    package init(
        _ bytes: [UInt8], file: String,
        refuse: (_ bytes: [UInt8], _ start: SourcePosition) -> Diagnostic? = { _, _ in nil }
    ) {
        byteCount = bytes.count
        let start = SourcePosition(file: file, line: 1, column: 1)
        if let refusal = Self.refusal(of: bytes, at: start) ?? refuse(bytes, start) {
            root = nil
            var found = FindingList(file: file)
            found.add(refusal)
            (self.found, diagnostics) = (found, [refusal])
            return
        }
        var reader = JSONReader(bytes, file: file)
        root = reader.document()
        var found = reader.found
        for fault in invalidUTF8(in: bytes, file: file) { found.add(fault) }
        (self.found, diagnostics) = (found, found.findings)
    }

    package static let bytesMax = 8 * 1_048_576
    /// The nesting of objects and arrays; Apple's files need six.
    static let nestingMax = 64
    /// After this number of faults, the rest of a text is not read.
    static let faultsMax = 100
}

extension JSONDocument {
    /// Texts that are not JSON from the first byte: one diagnostic is better than a hundred.
    private static func refusal(of bytes: [UInt8], at start: SourcePosition) -> Diagnostic? {
        if bytes.count > bytesMax {
            return Diagnostic(
                .error, .fileSize, at: start,
                "file has \(bytes.count) bytes, may have \(bytesMax)",
                advice: "Apple reads only 131,072 bytes of an association file")
        }
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFF, 0xFE), (0xFE, 0xFF), (0, _), (_, 0):
            return Diagnostic(
                .error, .notUTF8, at: start,
                "file is encoded as UTF-16 or UTF-32, not UTF-8",
                advice: "save it as UTF-8 without a byte-order mark")
        default: break
        }
        guard let first = bytes.first(where: { !isJSONSpace($0) }) else {
            return Diagnostic(
                .error, .jsonEmpty, at: start, "file is empty",
                advice: "write the file, or answer 404 at its path")
        }
        if bytes.starts(with: "{\\rtf".utf8) {
            return Diagnostic(
                .error, .jsonMarkup, at: start,
                "this is a document in Rich Text Format, not JSON",
                advice: "save it as plain text; TextEdit: Format › Make Plain Text")
        }
        guard first != UInt8(ascii: "<") else {
            return Diagnostic(
                .error, .jsonMarkup, at: start, "this is a page of markup, not JSON",
                advice: "handle the file's path before any catch-all route or login page")
        }
        return nil
    }
}

/// The first byte of each sequence that is not UTF-8, at most `JSONDocument.faultsMax`.
private func invalidUTF8(in bytes: [UInt8], file: String) -> [Diagnostic] {
    var diagnostics = [Diagnostic]()
    var tracker = PositionTracker()
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var offset = 0
    scan: while diagnostics.count < JSONDocument.faultsMax {
        switch parser.parseScalar(from: &rest) {
        case .valid(let scalar): offset += scalar.count
        case .emptyInput: break scan
        case .error(let length):
            let position = tracker.position(at: offset, in: bytes)
            diagnostics.append(
                Diagnostic(
                    .error, .notUTF8,
                    at: SourcePosition(file: file, line: position.line, column: position.column),
                    "byte 0x\(String(bytes[offset], radix: 16, uppercase: true)) is not UTF-8",
                    advice: "save the file as UTF-8"))
            offset += max(1, length)
        }
    }
    return diagnostics
}

/// Converts increasing byte offsets to lines and columns, in one pass.
struct PositionTracker {
    private var offset = 0
    private var line = 1
    private var column = 1

    /// - Parameter target: at least the last offset.
    mutating func position(at target: Int, in bytes: [UInt8]) -> TextPosition {
        while offset < target {
            if bytes[offset] == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if bytes[offset] & 0xC0 != 0x80, !isByteOrderMark(bytes[offset], at: offset) {
                column += 1
            }
            offset += 1
        }
        return TextPosition(offset: target, line: line, column: column)
    }

    private func isByteOrderMark(_ byte: UInt8, at offset: Int) -> Bool {
        offset == 0 && byte == 0xEF
    }
}

func isJSONSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
}
