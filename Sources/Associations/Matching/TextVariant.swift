private import URISyntax

/// One of the four forms in which a rule compares a part of the URL.
struct TextVariant: Hashable, Sendable {
    let rawValue: Int

    /// As written, which is what a rule without flags compares.
    static let written = TextVariant(decoded: false, folded: false)
    static let count = 4

    init(decoded: Bool, folded: Bool) { rawValue = (decoded ? 1 : 0) | (folded ? 2 : 0) }

    var isDecoded: Bool { rawValue & 1 != 0 }
    var isFolded: Bool { rawValue & 2 != 0 }

    /// Writes this form of a part of `text` over `target`.
    func write(_ text: [UInt8], _ range: Range<Int>, isPath: Bool, into target: inout [UInt8]) {
        let source = text.span.extracting(range)
        guard isPath, self == .written, isNormalizedPathBeforeEnd(source) else {
            return write(source, isPath: isPath, into: &target)
        }
        // Most paths are compared so, and are copied at once.
        target.replaceSubrange(target.indices, with: text[range])
        if let last = target.last, last != slash, last != star { target.append(slash) }
    }

    /// Writes this form of `source` over `target`.
    func write(_ source: Span<UInt8>, isPath: Bool, into target: inout [UInt8]) {
        target.removeAll(keepingCapacity: true)
        guard isDecoded || isFolded || isPath else { return append(source, to: &target) }
        guard isDecoded || isFolded else { return appendNormalizedPath(source, to: &target) }
        var text = [UInt8]()
        if isDecoded { appendDecoded(source, to: &text) } else { append(source, to: &text) }
        if isPath {
            appendNormalizedPath(text.span, to: &target)
            swap(&text, &target)
        }
        target.removeAll(keepingCapacity: true)
        if isFolded { appendFolded(text.span, to: &target) } else { swap(&text, &target) }
    }
}

func append(_ source: Span<UInt8>, to target: inout [UInt8]) {
    target.reserveCapacity(target.count + source.count)
    for index in source.indices { target.append(source[index]) }
}

/// Appends `source` with its percent escapes decoded. Malformed escapes, and escapes of bytes that
/// are not valid UTF-8, stay as they are, so the result is always UTF-8.
/// - Returns: whether all well-formed escapes could be decoded.
@discardableResult
func appendDecoded(_ source: Span<UInt8>, to target: inout [UInt8]) -> Bool {
    var isUTF8 = true
    var index = 0
    while index < source.count {
        var run = [UInt8]()
        while let byte = escape(source, at: index + 3 * run.count) { run.append(byte) }
        guard !run.isEmpty else {
            if source[index] == UInt8(ascii: "%") { isUTF8 = false }
            target.append(source[index])
            index += 1
            continue
        }
        var offset = 0
        while offset < run.count {
            let length = scalarBytes(run[offset])
            let scalar = run[offset..<min(offset + length, run.count)]
            if String(validating: scalar, as: UTF8.self) != nil {
                target += scalar
                offset += length
            } else {
                let start = index + 3 * offset
                append(source.extracting(start..<(start + 3)), to: &target)
                offset += 1
                isUTF8 = false
            }
        }
        index += 3 * run.count
    }
    return isUTF8
}

/// Appends `source`, which is UTF-8, in lower case. A scalar whose lower case has several scalars
/// stays as it is.
func appendFolded(_ source: Span<UInt8>, to target: inout [UInt8]) {
    target.reserveCapacity(target.count + source.count)
    var index = 0
    while index < source.count {
        let byte = source[index]
        guard byte >= 0x80 else {
            target.append(byte.isUpperCaseLetter ? byte | 0x20 : byte)
            index += 1
            continue
        }
        let end = min(index + scalarBytes(byte), source.count)
        let letter = String(decoding: (index..<end).map { source[$0] }, as: UTF8.self)
        let lower = letter.unicodeScalars.first?.properties.lowercaseMapping ?? letter
        target += lower.unicodeScalars.count == 1 ? Array(lower.utf8) : Array(letter.utf8)
        index = end
    }
}

/// The byte of the escape at `index`, if there is one.
func escape(_ text: Span<UInt8>, at index: Int) -> UInt8? {
    guard index + 2 < text.count, text[index] == UInt8(ascii: "%") else { return nil }
    guard let high = text[index + 1].hexDigitValue, let low = text[index + 2].hexDigitValue else {
        return nil
    }
    return high << 4 | low
}

/// The number of bytes of a scalar that begins with this byte.
func scalarBytes(_ lead: UInt8) -> Int { lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4 }

/// Appends a path, or a pattern for a path, in the form in which the two are compared.
///
/// Several `/` or `*` in a row become one. Then a slash is added at the beginning and the end,
/// unless there is a star. So `/buy`, `buy/` and `/buy//` are the same pattern, `/buy/*` matches
/// `/buy`, and `**` (which becomes `/*/`) is not `*`. A text of one character is not changed.
func appendNormalizedPath(_ source: Span<UInt8>, to target: inout [UInt8]) {
    guard !source.isEmpty else { return target.append(slash) }
    guard !isOneScalar(source) else { return append(source, to: &target) }
    let start = target.count
    target.reserveCapacity(start + source.count + 2)
    // Two or more stars, and nothing else, become one star between slashes.
    let isOnlyStars = source.indices.allSatisfy { source[$0] == star }
    if (source[0] != star || isOnlyStars) && source[0] != slash { target.append(slash) }
    var last: UInt8 = 0
    for index in source.indices {
        let byte = source[index]
        if byte != last || (byte != slash && byte != star) { target.append(byte) }
        last = byte
    }
    if (last != star || isOnlyStars) && last != slash { target.append(slash) }
}

/// Whether normalization adds nothing to a path but a slash at its end. Paths of a few octets may count
/// as others.
private func isNormalizedPathBeforeEnd(_ path: Span<UInt8>) -> Bool {
    guard path.count > 4, path[0] == slash else { return false }
    var last: UInt8 = 0
    for index in path.indices {
        let byte = path[index]
        if byte == last, byte == slash || byte == star { return false }
        last = byte
    }
    return true
}

private func isOneScalar(_ text: Span<UInt8>) -> Bool {
    text.count <= 4 && text.indices.count { text[$0] & 0xC0 != 0x80 } == 1
}

private let slash = UInt8(ascii: "/")
private let star = UInt8(ascii: "*")
