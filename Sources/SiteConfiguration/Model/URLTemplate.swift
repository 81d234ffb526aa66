private import Diagnostics
private import URISyntax

/// A URL with placeholders: `{1}` stands for what the first `*` of a link's pattern took, `{path}`
/// and `{query}` for the request's own, `{query.name}` for the value of one item of its query.
///
/// Scheme, host and port never hold a placeholder: no request chooses where a visitor is sent.
package struct URLTemplate: Hashable, Sendable {
    /// As written.
    package let text: String
    /// What stands in the URL, one after the other.
    package let parts: [Part]
    /// How many bytes scheme, host and port take; the first part is a literal that holds them.
    package let originBytes: Int

    /// A piece of the URL.
    package enum Part: Hashable, Sendable {
        case literal([UInt8])
        case value(Placeholder, in: Position)
    }

    /// What a request puts in.
    package enum Placeholder: Hashable, Sendable {
        /// What the star of this number took, counted from 1.
        case star(Int)
        /// The path, which begins with a slash.
        case path
        case query
        case queryItem([UInt8])
    }

    /// Where it lands, which decides what must be escaped.
    package enum Position: Hashable, Sendable {
        case path
        /// Behind the question mark or an ampersand: whole items may stand there.
        case queryItems
        case queryValue
        case fragment
    }

    /// The greatest number of a placeholder, 0 where there is none.
    package var starsNeeded: Int {
        parts.map { if case .value(.star(let number), _) = $0 { number } else { 0 } }.max() ?? 0
    }

    /// The URL with this text in the place of every placeholder.
    package func filled(with sample: String) -> String {
        Self.text(of: parts, filledWith: sample)
    }

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

    /// Nil for a text that is no template.
    package init?(_ text: String) {
        guard let template = try? URLTemplate(reading: text) else { return nil }
        self = template
    }

    /// - Throws: why the text is no template, worded for the reader.
    init(reading text: String) throws(Fault) {
        guard let parts = Self.parts(of: text) else {
            throw Fault(
                rule: .placeholder, message: "\(quoted(text)) holds braces that are no placeholder",
                advice: "write {1} to {9}, {path}, {query} or {query.name}; %7B and %7D for braces")
        }
        // Any value is as good as this one: it may hold nothing that ends a part of a URL.
        let isLiteral = !parts.contains { if case .value = $0 { true } else { false } }
        let sample = isLiteral ? text : Self.text(of: parts, filledWith: "x")
        originBytes = try Format.readURL(sample, as: text).originBytes
        guard case .literal(let head) = parts.first,
            parts.count == 1 || head.count > originBytes
                || (head.count == originBytes && parts[1] == .value(.path, in: .path))
        else {
            throw Fault(
                rule: .placeholder, message: "a placeholder may not stand in the URL's host",
                advice: "write the host out, and a / behind it")
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
    /// Such a segment makes the answer 404 where the path is filled in: here each time.
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
            message: "\(quoted(text)) is 404 for everybody: a path with a placeholder may not hold "
                + "the segment \(quoted(String(segment) ?? ""))",
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
    /// Nil where a brace does not end a placeholder.
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
