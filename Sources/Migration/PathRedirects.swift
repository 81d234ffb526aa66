private import URISyntax

// Paths with names, such as `/blog/:year/*`, as regular expressions.

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

/// A path of Vercel (path-to-regexp): names with a modifier or an expression of their own, and
/// expressions without a name.
func vercelExpression(_ path: String) -> String {
    let bytes = Array(path.utf8)
    var (result, index) = (Array("^".utf8), 0)
    while index < bytes.count {
        let byte = bytes[index]
        if byte == UInt8(ascii: ":"), index + 1 < bytes.count, bytes[index + 1].isLetter {
            index = appendName(bytes, index, &result)
        } else if byte == UInt8(ascii: "(") {
            let end = endOfGroup(bytes, index)
            result += bytes[index..<end]
            index = end
        } else if byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
            result += literalExpression(CollectionOfOne(bytes[index + 1]))
            index += 2
        } else {
            result += literalExpression(CollectionOfOne(byte))
            index += 1
        }
    }
    return String(decoding: result + "$".utf8, as: UTF8.self)
}

/// Appends the expression of the name that begins at `start`.
/// - Returns: the index behind it.
private func appendName(_ bytes: [UInt8], _ start: Int, _ result: inout [UInt8]) -> Int {
    var end = start + 1
    while end < bytes.count, bytes[end].isLetter || bytes[end].isDigit || bytes[end] == 0x5F {
        end += 1
    }
    let head = Array("(?<".utf8) + bytes[(start + 1)..<end] + ">".utf8
    let modifier = end < bytes.count ? bytes[end] : 0
    switch modifier {
    case UInt8(ascii: "("):
        let close = endOfGroup(bytes, end)
        result += head + bytes[(end + 1)..<close]
        return close
    case UInt8(ascii: "*") where result.last == UInt8(ascii: "/") && end + 1 < bytes.count:
        // Without a segment there is no slash either. At the end, a slash makes no difference.
        result.removeLast()
        result += "(?:/".utf8 + head + ".*))?".utf8
        return end + 1
    case UInt8(ascii: "*"):
        result += head + ".*)".utf8
        return end + 1
    case UInt8(ascii: "+"):
        result += head + ".+)".utf8
        return end + 1
    case UInt8(ascii: "?") where result.elementsEqual("^/".utf8) && end + 1 == bytes.count:
        result += head + "[^/]+)?".utf8
        return end + 1
    case UInt8(ascii: "?") where result.last == UInt8(ascii: "/"):
        result.removeLast()
        result += "(?:/".utf8 + head + "[^/]+))?".utf8
        return end + 1
    default:
        result += head + "[^/]+)".utf8
        return end
    }
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
    var (result, index, braces) = (Array("^".utf8), 0, 0)
    if bytes.first != UInt8(ascii: "/"), bytes.first != UInt8(ascii: "*") {
        result.append(UInt8(ascii: "/"))
    }
    while index < bytes.count {
        let byte = bytes[index]
        let next = index + 1 < bytes.count ? bytes[index + 1] : 0
        index += 1
        switch byte {
        case UInt8(ascii: ":") where next.isLetter:
            index = appendName(bytes, index - 1, &result)
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
        case UInt8(ascii: "{"):
            braces += 1
            result += "(?:".utf8
        case UInt8(ascii: ",") where braces > 0: result.append(UInt8(ascii: "|"))
        case UInt8(ascii: "}") where braces > 0:
            braces -= 1
            result.append(UInt8(ascii: ")"))
        case UInt8(ascii: "@") where next == UInt8(ascii: "("):
            let end = endOfGroup(bytes, index)
            result += "(?:".utf8 + bytes[(index + 1)..<end]
            index = end
        case UInt8(ascii: "!"), UInt8(ascii: "+"), UInt8(ascii: "("), UInt8(ascii: "["):
            return nil
        default: result += literalExpression(CollectionOfOne(byte))
        }
    }
    return braces == 0 ? String(decoding: result + "$".utf8, as: UTF8.self) : nil
}
