private import URISyntax

// Paths with names, such as `/blog/:year/*`, as regular expressions.

/// The reason why a path of Netlify has no equal; nil if it has.
func netlifyFault(_ path: Substring.UTF8View) -> String? {
    if path.contains(UInt8(ascii: "#")) { return "browsers do not send a fragment" }
    if path.contains(UInt8(ascii: "?")) {
        return "a path has no query; write its items behind the path, with a blank between them"
    }
    let segments = path.dropFirst().split(
        separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for (number, segment) in segments.enumerated() {
        let isStar = number == segments.count - 1 && segment.elementsEqual("*".utf8)
        guard isStar || !segment.contains(UInt8(ascii: "*")) else {
            return "a star has no equal but at the end of a path, behind a slash"
        }
        for (mark, byte) in segment.enumerated() where byte == UInt8(ascii: ":") {
            let name = segment.dropFirst(mark + 1)
            let isLiteral = name.isEmpty || mark > 0 && name.first?.isLetter != true
            guard isLiteral || mark == 0 && name.allSatisfy(\.isOfName) else {
                return "a name such as :slug has no equal but for a whole segment"
            }
        }
    }
    return nil
}

/// A path of Netlify: a segment can be a name such as `:year`, and the last one a star.
func netlifyExpression(_ path: String) -> String {
    var result = [UInt8](arrayLiteral: UInt8(ascii: "^"))
    let segments = path.utf8.dropFirst().split(
        separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for segment in segments {
        result.append(UInt8(ascii: "/"))
        let name = segment.dropFirst()
        if segment.elementsEqual("*".utf8) {
            result += "(?<splat>.*)".utf8
        } else if segment.first == UInt8(ascii: ":"), !name.isEmpty {
            result += "(?<".utf8 + Array(name) + ">[^/]+)".utf8
        } else {
            result += literalExpression(segment)
        }
    }
    return String(decoding: result + "$".utf8, as: UTF8.self)
}

/// The index behind the parenthesis that ends the group at `start`, or the end.
private func endOfGroup(_ bytes: [UInt8], _ start: Int) -> Int {
    var (depth, index) = (0, start)
    while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: "\\"): index += 1
        case UInt8(ascii: "("): depth += 1
        case UInt8(ascii: ")"):
            depth -= 1
            if depth == 0 { return index + 1 }
        default: break
        }
        index += 1
    }
    return bytes.count
}

/// A path of Firebase Hosting, which is a glob with names; nil if a regular expression has no equal
/// of it.
func firebaseExpression(_ path: String) -> String? {
    let bytes = Array(path.utf8)
    var (result, index, ends) = (Array("^".utf8), 0, [UInt8]())
    if bytes.first != UInt8(ascii: "/"), bytes.first != UInt8(ascii: "*") {
        result.append(UInt8(ascii: "/"))
    }
    while index < bytes.count {
        let byte = bytes[index]
        let next = index + 1 < bytes.count ? bytes[index + 1] : 0
        index += 1
        switch byte {
        case UInt8(ascii: ":") where next.isLetter:
            guard let end = appendName(bytes, index, &result) else { return nil }
            index = end
        case UInt8(ascii: "*") where next == UInt8(ascii: "*"):
            index += 1
            // Between two slashes it stands for any number of segments, also for none.
            let isInner =
                result.last == UInt8(ascii: "/") && index < bytes.count
                && bytes[index] == UInt8(ascii: "/")
            if isInner { result.removeLast() }
            result += isInner ? "(?:/.*)?".utf8 : ".*".utf8
        case UInt8(ascii: "*"):
            result += result.last == UInt8(ascii: "/") ? "[^/]+".utf8 : "[^/]*".utf8
        case UInt8(ascii: "?"): result += "[^/]".utf8
        case UInt8(ascii: "\\") where index < bytes.count:
            result += literalExpression(CollectionOfOne(next))
            index += 1
        case UInt8(ascii: "{"):
            // Each looks at all that is behind it; an expression has no more groups within groups, either.
            guard ends.count < 8, hasAlternatives(bytes[index...]) else { return nil }
            ends.append(UInt8(ascii: "}"))
            result += "(?:".utf8
        case UInt8(ascii: "@") where next == UInt8(ascii: "("):
            ends.append(UInt8(ascii: ")"))
            index += 1
            result += "(?:".utf8
        case UInt8(ascii: ",") where ends.last == UInt8(ascii: "}"),
            UInt8(ascii: "|") where ends.last == UInt8(ascii: ")"):
            result.append(UInt8(ascii: "|"))
        case UInt8(ascii: "}"), UInt8(ascii: ")"):
            guard ends.popLast() == byte else { return nil }
            result.append(UInt8(ascii: ")"))
        case UInt8(ascii: "!"), UInt8(ascii: "+"), UInt8(ascii: "("), UInt8(ascii: "["):
            return nil
        default: result += literalExpression(CollectionOfOne(byte))
        }
    }
    return ends.isEmpty ? String(decoding: result + "$".utf8, as: UTF8.self) : nil
}

/// Appends the expression of a name of Firebase.
/// - Returns: the index behind it; nil if its modifier has no equal.
private func appendName(_ bytes: [UInt8], _ start: Int, _ result: inout [UInt8]) -> Int? {
    let name = bytes[start...].prefix(while: \.isOfName)
    let head = Array("(?<".utf8) + name + ">".utf8
    let next = name.endIndex < bytes.count ? bytes[name.endIndex] : 0
    if next == UInt8(ascii: "(") {
        let end = endOfGroup(bytes, name.endIndex)
        result += head + bytes[(name.endIndex + 1)..<end]
        return end < bytes.count && "*+?".utf8.contains(bytes[end]) ? nil : end
    }
    guard "*+?".utf8.contains(next) else {
        result += head + "[^/]+)".utf8
        return name.endIndex
    }
    let end = name.endIndex + 1
    guard result.last == UInt8(ascii: "/") else { return nil }
    if next == UInt8(ascii: "+") {
        result += head + ".+)".utf8
    } else if next == UInt8(ascii: "*"), end == bytes.count {
        // At the end, a slash makes no difference.
        result += head + ".*)".utf8
    } else if result.count == 2, end == bytes.count {
        result += head + "[^/]+)?".utf8
    } else {
        // Without a segment there is no slash either.
        result.removeLast()
        result += "(?:/".utf8 + head + (next == UInt8(ascii: "*") ? ".*))?" : "[^/]+))?").utf8
    }
    return end
}

/// Whether braces have alternatives, up to the one that ends them, and no range such as `1..3`.
private func hasAlternatives(_ bytes: ArraySlice<UInt8>) -> Bool {
    var (depth, hasComma, last) = (0, false, UInt8(0))
    for byte in bytes {
        if byte == UInt8(ascii: "{") { depth += 1 }
        if byte == UInt8(ascii: "}") {
            guard depth > 0 else { return hasComma }
            depth -= 1
        }
        guard byte != UInt8(ascii: ".") || last != byte else { return false }
        if byte == UInt8(ascii: ","), depth == 0 { hasComma = true }
        last = byte
    }
    return false
}
