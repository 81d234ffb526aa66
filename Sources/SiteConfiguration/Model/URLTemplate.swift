private import Diagnostics
private import URISyntax

/// A URL with placeholders: `{1}` is the text that the first `*` of a link's pattern matched,
/// `{path}` and `{query}` are the request's, and `{query.name}` is the value of one query item.
///
/// Scheme, host and port never have a placeholder, so that no request chooses the host that a
/// visitor is sent to.
package struct URLTemplate: Hashable, Sendable {
    /// As written.
    package let text: String
    /// The parts of the URL in order.
    package let parts: [Part]
    /// The number of bytes of scheme, host and port; the first part is a literal that contains
    /// them.
    package let originBytes: Int

    /// A piece of the URL.
    package enum Part: Hashable, Sendable {
        case literal([UInt8])
        case value(Placeholder, in: Position)
    }

    /// A value of the request.
    package enum Placeholder: Hashable, Sendable {
        /// The text that the star of this number matched, counted from 1.
        case star(Int)
        /// The path, which begins with a slash.
        case path
        case query
        case queryItem([UInt8])
    }

    /// The position of a value, which decides what must be escaped.
    package enum Position: Hashable, Sendable {
        case path
        /// After the question mark or an ampersand, where whole items can be.
        case queryItems
        case queryValue
        case fragment
    }

    /// The greatest number of a placeholder, or 0.
    package var starsNeeded: Int {
        parts.map { if case .value(.star(let number), _) = $0 { number } else { 0 } }.max() ?? 0
    }

    /// The URL with this text instead of every placeholder.
    package func filled(with sample: String) -> String { Self.text(of: parts, filledWith: sample) }

    private static func text(of parts: [Part], filledWith sample: String) -> String {
        let pieces = parts.map { part in
            switch part {
            case .literal(let bytes): String(decoding: bytes, as: UTF8.self)
            case .value(.path, _): "/" + sample
            case .value: sample
            }
        }
        return pieces.joined()
    }

    /// Nil for a text that is not a template.
    package init?(_ text: String) {
        guard let template = try? URLTemplate(reading: text) else { return nil }
        self = template
    }

    /// - Throws: why the text is not a template, with a message for people.
    init(reading text: String) throws(Fault) {
        do throws(Fault) {
            try self.init(checking: text)
        } catch {
            guard let placeholder = OtherPlaceholder(in: text),
                placeholder.isTranslated || error.advice == nil
            else { throw error }
            var fault = error
            fault.advice = placeholder.advice
            throw fault
        }
    }

    /// Nil for a text that is not a template; without working out what it means.
    init?(valid text: String) {
        guard let template = try? URLTemplate(checking: text) else { return nil }
        self = template
    }

    private init(checking text: String) throws(Fault) {
        guard let parts = Self.parts(of: text) else {
            throw Fault(
                rule: .placeholder,
                message: "\(quoted(text)) contains braces that are not a placeholder",
                advice: "write {1} to {9}, {path}, {query} or {query.name}; %7B and %7D for braces")
        }
        // Any value works here that cannot end a part of a URL.
        let isLiteral = !parts.contains { if case .value = $0 { true } else { false } }
        let sample = isLiteral ? text : Self.text(of: parts, filledWith: "x")
        originBytes = try Format.readURL(sample, as: text).originBytes
        guard case .literal(let head) = parts.first,
            parts.count == 1 || head.count > originBytes
                || (head.count == originBytes && parts[1] == .value(.path, in: .path))
        else {
            throw Fault(
                rule: .placeholder, message: "the URL's host cannot contain a placeholder",
                advice: "write the host without a placeholder, and a / after it")
        }
        if let fault = Self.dotSegmentFault(of: parts, sample.utf8.dropFirst(originBytes), text) {
            throw fault
        }
        self.text = text
        self.parts = parts
    }
}

// MARK: - Faults

extension URLTemplate {
    /// Such a segment makes the response 404 when the path is filled in: here always.
    private static func dotSegmentFault(
        of parts: [Part], _ sample: Substring.UTF8View, _ text: String
    ) -> Fault? {
        let isFilledIn = parts.contains { if case .value(_, .path) = $0 { true } else { false } }
        guard isFilledIn else { return nil }
        let path = sample.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let segments = path.split(separator: UInt8(ascii: "/"))
        guard let segment = segments.first(where: isDotSegment) else { return nil }
        return Fault(
            rule: .placeholder,
            message: "\(quoted(text)) is always 404: a path with a placeholder cannot contain the "
                + "segment \(quoted(String(segment) ?? ""))",
            advice: "write the path without it")
    }

    /// Single and double dots, also escaped (WHATWG URL, §4.1).
    private static func isDotSegment(_ segment: Substring.UTF8View) -> Bool {
        [".", "%2e", "..", ".%2e", "%2e.", "%2e%2e"].contains {
            segment.map(\.foldedToLowerCase).elementsEqual($0.utf8)
        }
    }
}

// MARK: - Reading

extension URLTemplate {
    /// The names between the braces of placeholders.
    static func placeholders(in text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "{")).dropFirst(
            text.utf8.first == UInt8(ascii: "{") ? 0 : 1
        ).compactMap { piece in
            let name = piece.prefix { $0 != UInt8(ascii: "}") }
            guard name.count < piece.count, Placeholder(Array(name)) != nil else { return nil }
            return String(decoding: name, as: UTF8.self)
        }
    }

    /// Nil if a brace does not end a placeholder.
    private static func parts(of text: String) -> [Part]? {
        var parts = [Part]()
        var literal = [UInt8]()
        var position = Position.path
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "{"):
                guard let end = rest.firstIndex(of: UInt8(ascii: "}")),
                    let placeholder = Placeholder(Array(rest[..<end]))
                else { return nil }
                position = follow(literal, from: position)
                if !literal.isEmpty { parts.append(.literal(literal)) }
                parts.append(.value(placeholder, in: position))
                if position == .queryItems { position = .queryValue }
                literal = []
                rest = rest[(end + 1)...]
            case UInt8(ascii: "}"): return nil
            default: literal.append(byte)
            }
        }
        return literal.isEmpty ? parts : parts + [.literal(literal)]
    }

    /// The position after a literal that begins in `position`.
    private static func follow(_ literal: [UInt8], from position: Position) -> Position {
        var position = position
        for byte in literal {
            switch (byte, position) {
            case (_, .fragment): return .fragment
            case (UInt8(ascii: "#"), _): position = .fragment
            case (UInt8(ascii: "?"), .path), (UInt8(ascii: "&"), .queryValue):
                position = .queryItems
            case (_, .queryItems) where byte != UInt8(ascii: "&"): position = .queryValue
            default: break
            }
        }
        return position
    }
}

extension URLTemplate.Placeholder {
    /// Of the text between braces.
    fileprivate init?(_ text: [UInt8]) {
        switch text {
        case Array("path".utf8): self = .path
        case Array("query".utf8): self = .query
        default:
            if text.count == 1, text[0].isDigit, text[0] != 0x30 {
                self = .star(Int(text[0] - 0x30))
                return
            }
            let name = text.dropFirst("query.".utf8.count)
            guard text.starts(with: "query.".utf8), !name.isEmpty,
                name.count <= ConfigurationLimits.nameBytesMax,
                name.allSatisfy(\.isUnreserved)
            else { return nil }
            self = .queryItem(Array(name))
        }
    }
}
