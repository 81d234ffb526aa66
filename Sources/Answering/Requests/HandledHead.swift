package import HTTPMessages

/// The head of a request as a handler gets it: a copy, because the loop goes on to other requests.
package struct HandledHead: Sendable {
    /// By which way the request came.
    package enum Scope: Sendable { case admin, otherHost, site }

    package let scope: Scope
    package let method: Method
    package let isHTTP10: Bool
    /// Whether the client speaks TLS with this origin or with a trusted proxy.
    package let isSecure: Bool
    /// Whether clients accept the certificate of its connection for the host, as far as it has one.
    package let isCovered: Bool
    /// Whether its connection guesses slugs of stored links, so that none is looked up for it.
    package let isGuesser: Bool
    /// The request line and the field section.
    private let bytes: [UInt8]
    private let hostRange: Range<Int>
    private let pathRange: Range<Int>
    private let targetRange: Range<Int>

    package init(
        _ scope: Scope, _ head: RequestHead, _ text: [UInt8], isSecure: Bool,
        isCovered: Bool = true, isGuesser: Bool = false
    ) {
        let line = head.line
        let start = line.lowerBound
        // The fields end where the message ends; empty lines before it are not copied.
        bytes = Array(text[start..<head.end])
        func moved(_ range: Range<Int>) -> Range<Int> {
            range.isEmpty ? 0..<0 : range.lowerBound - start..<range.upperBound - start
        }
        (hostRange, pathRange) = (moved(head.host), moved(head.path))
        targetRange = moved(head.target)
        (self.scope, method, isHTTP10) = (scope, head.method, head.isHTTP10)
        (self.isSecure, self.isCovered, self.isGuesser) = (isSecure, isCovered, isGuesser)
    }

    /// The host without its port, in lower case.
    package var host: String { String(decoding: bytes[hostRange], as: UTF8.self).lowercased() }

    /// The port behind the host; nil without one.
    package var port: UInt16? {
        let field = value(of: "host") ?? ""
        let colon = field.utf8.lastIndex(of: UInt8(ascii: ":"))
        return colon.flatMap { UInt16(field[field.utf8.index(after: $0)...]) }
    }

    /// The path as it was sent; `/` where the target has none.
    package var path: String {
        pathRange.isEmpty ? "/" : String(decoding: bytes[pathRange], as: UTF8.self)
    }

    /// The query as it was sent, without its question mark; nil without one.
    package var query: String? {
        let rest = bytes[pathRange.upperBound..<max(pathRange.upperBound, targetRange.upperBound)]
        guard rest.first == UInt8(ascii: "?") else { return nil }
        return String(decoding: rest.dropFirst(), as: UTF8.self)
    }

    /// The values of the lines with this name, in their order.
    /// - Parameter name: in lower case.
    package func values(of name: String) -> [String] {
        var values = [String]()
        for line in bytes.split(separator: UInt8(ascii: "\n")).dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let found = line[..<colon]
            guard found.count == name.utf8.count,
                zip(found, name.utf8).allSatisfy({ pair in pair.0 | 0x20 == pair.1 | 0x20 })
            else { continue }
            let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
            let value = line[(colon + 1)...].drop(while: isSpace)
            let end = value.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? value.startIndex
            values.append(String(decoding: value[value.startIndex..<end], as: UTF8.self))
        }
        return values
    }

    /// The value of the only line with this name; nil without one, or with several.
    package func value(of name: String) -> String? {
        let all = values(of: name)
        return all.count == 1 ? all[0] : nil
    }
}
