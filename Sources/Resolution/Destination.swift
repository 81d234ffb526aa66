import Associations
private import Memory
import SiteConfiguration
private import URISyntax

/// A URL template in parts, so that filling it in only appends bytes.
///
/// Whatever a request contains, the URL begins with the template's own scheme, host and port. Then
/// follow its path, its query and its fragment.
final class Destination: Sendable {
    private let path: [Piece]
    private let query: [Piece]
    private let fragment: [Piece]
    private let originBytes: Int
    private let hasPathPlaceholder: Bool
    /// The campaign parameters that the template's own query has.
    private let named: CampaignParameterSet
    /// Whether the whole query of the request is inserted, including campaign parameters.
    private let passesQuery: Bool
    /// Whether the path must stay below what the template has before its first placeholder, however
    /// the server that receives it decodes it.
    private let isConfined: Bool

    /// The URL for every request without a query, if it is always the same, and written as the
    /// template is; nil for others.
    let constant: [UInt8]?

    /// Whether the URL for a request without a query takes one value from its path.
    let carriesOneValue: Bool

    private enum Piece: Sendable {
        case literal([UInt8])
        case star(Int, TargetText)
        case path(TargetText)
        case query(TargetText)
        case item([UInt8], TargetText)
    }

    init(_ template: URLTemplate, isConfined: Bool = false) {
        self.isConfined = isConfined
        (path, query, fragment) = Self.split(template)
        originBytes = template.originBytes
        hasPathPlaceholder = path.contains { if case .literal = $0 { false } else { true } }
        named = query.isEmpty ? [] : Self.parametersNamed(in: template)
        passesQuery = query.contains {
            if case .query(.queryItems) = $0 { true } else { false }
        }
        constant = Self.constant(template)
        let values = [path, query, fragment].joined().filter {
            switch $0 {
            case .star, .path: true
            case .literal, .query, .item: false
            }
        }
        carriesOneValue = values.count == 1
    }

    /// A template without placeholders, unless `write` would change something of it.
    private static func constant(_ template: URLTemplate) -> [UInt8]? {
        guard template.parts.count == 1, case .literal(let bytes) = template.parts[0],
            bytes.count <= bytesMax, bytes.last != UInt8(ascii: "?"),
            bytes.last != UInt8(ascii: "&"), !bytes.contains(where: { "[]#".utf8.contains($0) }),
            !zip(bytes, bytes.dropFirst()).contains(where: { $0 == 0x3F && $1 == 0x26 })
        else { return nil }
        return bytes
    }

    /// The template's pieces by the part of the URL to which they belong. The literals of the first
    /// contain scheme, host and port. No part contains the character that begins it.
    private static func split(
        _ template: URLTemplate
    ) -> (path: [Piece], query: [Piece], fragment: [Piece]) {
        var parts: [[Piece]] = [[], [], []]
        var part = 0
        for piece in template.parts {
            switch piece {
            case .value(let placeholder, let position):
                parts[part].append(Self.piece(placeholder, position))
            case .literal(let bytes):
                var rest = bytes[...]
                while part < 2, let mark = rest.firstIndex(where: { endsPart(part, $0) }) {
                    parts[part].append(literal(rest[..<mark]))
                    part = rest[mark] == UInt8(ascii: "?") ? 1 : 2
                    rest = rest[(mark + 1)...]
                }
                if !rest.isEmpty { parts[part].append(literal(rest)) }
            }
        }
        return (parts[0], parts[1], parts[2])
    }

    /// A literal of the configuration. It may contain brackets, because no host is an address
    /// there.
    private static func literal(_ bytes: ArraySlice<UInt8>) -> Piece {
        func isBracket(_ byte: UInt8) -> Bool { byte == 0x5B || byte == 0x5D }
        guard bytes.contains(where: isBracket) else { return .literal(Array(bytes)) }
        return .literal(Array(bytes.percentEncoded { !isBracket($0) }.utf8))
    }

    /// Whether the byte ends a path (0) or a query (1).
    private static func endsPart(_ part: Int, _ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "#") || (part == 0 && byte == UInt8(ascii: "?"))
    }

    private static func piece(
        _ placeholder: URLTemplate.Placeholder, _ position: URLTemplate.Position
    ) -> Piece {
        let target: TargetText =
            switch position {
            case .path: .path
            case .queryItems, .queryValue: .queryValue
            case .fragment: .fragment
            }
        return switch placeholder {
        case .star(let number): .star(number, target)
        case .path: .path(target)
        case .query: .query(position == .queryItems ? .queryItems : single(target))
        case .queryItem(let name): .item(name, single(target))
        }
    }

    /// A value for the query is one segment when it is part of a path.
    private static func single(_ target: TargetText) -> TargetText {
        target == .path ? .segment : target
    }

    private static func parametersNamed(in template: URLTemplate) -> CampaignParameterSet {
        var named = CampaignParameterSet()
        guard let url = try? LinkURL(template.filled(with: "x")) else { return named }
        url.forEachQueryItem { name, _ in
            if let parameter = CampaignParameters.parameter(url.bytes.span, name) {
                named.insert(.init(parameter))
            }
        }
        return named
    }

    // MARK: Filling in

    /// The values of a request.
    struct Filling {
        let url: LinkURL
        /// The parameters that are passed on.
        let parameters: CampaignParameters

        init(_ url: LinkURL, takesParameters: Bool) {
            self.url = url
            parameters = takesParameters ? CampaignParameters(url) : CampaignParameters()
        }
    }

    /// A reason for which a request's URL is not written.
    enum Fault: Error {
        /// The path would have a dot segment, or a confined one a value that some server takes for
        /// more than a name.
        case dotSegment
        case tooLong
    }

    /// Placeholders repeat what a request has, so that a short request could ask for a long URL. The
    /// first piece that makes it too long is the last one that is written.
    static let bytesMax = 16_384

    /// Writes the URL for a request into `result`.
    /// - Parameter scratch: has the texts that the stars matched.
    /// - Returns: the campaign parameters that were passed on.
    func write(
        _ filling: Filling, _ scratch: borrowing MatchScratch, to result: inout [UInt8]
    ) throws(Fault) -> CampaignParameterSet {
        result.removeAll(keepingCapacity: true)
        // The elements of a span are not copied.
        let path = path
        let pieces = path.span
        for index in pieces.indices {
            let start = result.count
            try write(pieces[index], filling, scratch, in: .path, to: &result)
            guard isConfined else { continue }
            if case .literal = pieces[index] { continue }
            guard ConfinedValue.isPlain(result[start...]) else { throw .dotSegment }
        }
        if hasPathPlaceholder, hasDotSegment(result) { throw .dotSegment }
        if isConfined, hasPathPlaceholder, mayHaveDotSegment(result[originBytes...]) {
            throw .dotSegment
        }
        var passed = CampaignParameterSet()
        if !query.isEmpty || !filling.parameters.found.isEmpty {
            let mark = result.count
            result.append(UInt8(ascii: "?"))
            for piece in query {
                try write(piece, filling, scratch, in: .query(mark + 1), to: &result)
            }
            passed = writeParameters(filling, queryStart: mark + 1, to: &result)
            while result.count > mark, result.last == UInt8(ascii: "&") { result.removeLast() }
            if result.count == mark + 1 { result.removeLast() }
        }
        if !fragment.isEmpty {
            let end = result.count
            result.append(UInt8(ascii: "#"))
            for piece in fragment {
                try write(piece, filling, scratch, in: .fragment, to: &result)
            }
            if result.count == end + 1 { result.removeLast() }
        }
        guard result.count <= Self.bytesMax else { throw .tooLong }
        return passed
    }

    /// The part of the URL that a piece belongs to; of a query, the position behind its question mark.
    private enum Part { case path, query(Int), fragment }

    private func write(
        _ piece: Piece, _ filling: Filling, _ scratch: borrowing MatchScratch, in part: Part,
        to result: inout [UInt8]
    ) throws(Fault) {
        let start = result.count
        let url = filling.url
        switch piece {
        case .literal(let bytes): result += bytes
        case .star(let number, let target):
            guard let range = scratch.starRange(number) else { return }
            append(
                scratch.starText, range, of: scratch.starsAreDecoded ? .decoded : .path,
                as: target, to: &result)
        case .path(let target):
            if url.pathRange.isEmpty { result.append(UInt8(ascii: "/")) }
            append(url.bytes, url.pathRange, of: .path, as: target, to: &result)
        case .query(let target):
            guard let range = url.queryRange else { return }
            append(url.bytes, range, of: .query, as: target, to: &result)
        case .item(let name, let target):
            guard let range = url.queryValue(named: name) else { return }
            append(url.bytes, range, of: .query, as: target, to: &result)
        }
        if start > 0 { join(at: start, of: part, in: &result) }
        guard result.count <= Self.bytesMax else { throw .tooLong }
    }

    /// If a value is empty, two separators meet, and one is removed: an empty segment would make
    /// another path, and some servers interpret two slashes as the beginning of a host.
    private func join(at start: Int, of part: Part, in result: inout [UInt8]) {
        let last = result[start - 1]
        let (separator, isOpen) =
            switch part {
            case .path: (UInt8(ascii: "/"), last == UInt8(ascii: "/"))
            // A value of the query can end in a question mark, too.
            case .query(let first): (UInt8(ascii: "&"), last == UInt8(ascii: "&") || start == first)
            case .fragment:
                (UInt8(ascii: "&"), last == UInt8(ascii: "&") || last == UInt8(ascii: "?"))
            }
        var end = start
        while end < result.count, result[end] == separator { end += 1 }
        let kept = isOpen || end == start ? 0 : 1
        if end > start + kept { result.removeSubrange((start + kept)..<end) }
    }

    /// Appends the parameters that the query does not have.
    private func writeParameters(
        _ filling: Filling, queryStart: Int, to result: inout [UInt8]
    ) -> CampaignParameterSet {
        guard !passesQuery else { return filling.parameters.found.union(named) }
        for parameter in CampaignParameter.allCases where !named.contains(.init(parameter)) {
            guard let range = filling.parameters.range(parameter) else { continue }
            if result.count > queryStart, result.last != UInt8(ascii: "&") {
                result.append(UInt8(ascii: "&"))
            }
            result += parameter.name.utf8
            result.append(UInt8(ascii: "="))
            append(filling.url.bytes, range, of: .query, as: .queryValue, to: &result)
        }
        return filling.parameters.found.subtracting(named)
    }

    /// Whether a segment of the path is `.` or `..`, also with escaped dots, because browsers
    /// resolve those too.
    private func hasDotSegment(_ url: [UInt8]) -> Bool {
        let text = url.span
        let range = min(originBytes, text.count)..<text.count
        // Most paths have neither a full stop nor an escape.
        guard text.has(UInt8(ascii: "."), in: range) || text.has(UInt8(ascii: "%"), in: range)
        else { return false }
        var index = originBytes
        while index < text.count {
            var (dots, others) = (0, 0)
            index += 1
            while index < text.count, text[index] != UInt8(ascii: "/") {
                let isEscape =
                    text[index] == UInt8(ascii: "%") && index + 2 < text.count
                    && text[index + 1] == UInt8(ascii: "2")
                    && text[index + 2] | 0x20 == UInt8(ascii: "e")
                if isEscape || text[index] == UInt8(ascii: ".") { dots += 1 } else { others += 1 }
                index += isEscape ? 3 : 1
            }
            if others == 0, dots == 1 || dots == 2 { return true }
        }
        return false
    }
}

extension LinkURL {
    /// The range of the value of the query's first item with this name.
    fileprivate func queryValue(named wanted: [UInt8]) -> Range<Int>? {
        var found: Range<Int>?
        forEachQueryItem { name, value in
            guard found == nil, name.count == wanted.count else { return }
            for offset in 0..<name.count
            where bytes[name.lowerBound + offset] != wanted[offset] { return }
            found = value
        }
        return found
    }
}
