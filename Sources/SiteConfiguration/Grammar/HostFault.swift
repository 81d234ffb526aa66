import Diagnostics
import URISyntax

extension Format {
    /// The fault of a text that is not a host, and the advice.
    /// - Parameters:
    ///   - isWildcard: whether `*.` can be in front of a host here.
    ///   - port: the advice on a port.
    static func hostFault(
        _ text: String, isWildcard: Bool = true, port: String = ownPort
    ) -> Fault {
        if let place = placeOfBlank(text) {
            return Fault(
                rule: .hostName, message: "\(quoted(text)) has a blank, which no host name has",
                advice: "remove the blank at its \(place)")
        }
        let isBelow = isWildcard && text.utf8.starts(with: "*.".utf8)
        let host = isBelow ? String(text.dropFirst(2)) : text
        let (fact, advice) =
            listFault(text)
            ?? (host.utf8.contains(UInt8(ascii: "*")) || host.isEmpty
                ? starFault(text, isWildcard)
                : decoration(host, isBelow ? "*." : "", port)
                    ?? labelFault(host, isBelow ? "*." : ""))
        return Fault(rule: .hostName, message: "\(quoted(text)) \(fact)", advice: advice)
    }

    static let ownPort = "the port is that of `waymark serve --https`"

    private static func starFault(_ text: String, _ isWildcard: Bool) -> (String, String?) {
        guard isWildcard else { return ("has a wildcard, which is not a host", "write one host") }
        if text.utf8.allSatisfy({ "*.".utf8.contains($0) }) {
            return (
                "would stand for every host",
                "list each host, or write \"*.example.com\" with a domain of your own"
            )
        }
        let labels = text.split(separator: ".")
        let rest = labels.drop { $0.contains("*") }
        let domain = rest.joined(separator: ".")
        let advice =
            rest.count > 1 && !domain.contains("*")
            ? "list each host, or write \(quoted("*." + domain)) for all hosts below \(domain)"
            : "list each host"
        let isWholeLabel = labels.allSatisfy { $0 == "*" || !$0.contains("*") }
        return (
            isWholeLabel
                ? "has a * behind its first part" : "has a * that is not a whole part",
            advice + "; a * stands for one whole part in front of a domain"
        )
    }

    /// The fault of a host with other parts of a URL, and the advice; nil if it has none.
    /// - Parameters:
    ///   - start: what is in front of the host.
    ///   - port: the advice on a port.
    private static func decoration(
        _ text: String, _ start: String, _ port: String
    ) -> (String, String?)? {
        let bytes = Array(text.utf8)
        var host = bytes[...]
        var parts = [String]()
        if let mark = bytes.indices.first(where: { bytes[$0...].starts(with: "://".utf8) }) {
            host = bytes[(mark + 3)...]
            parts.append("a scheme")
        }
        if let end = host.firstIndex(where: { "/?#".utf8.contains($0) }) {
            host = host[..<end]
            parts.append("a path")
        }
        if let at = host.lastIndex(of: UInt8(ascii: "@")) {
            host = host[(at + 1)...]
            parts.append("a user name")
        }
        if let colon = host.lastIndex(of: UInt8(ascii: ":")),
            host[(colon + 1)...].allSatisfy(\.isDigit), !host[..<colon].contains(UInt8(ascii: ":"))
        {
            host = host[..<colon]
            parts.append("a port")
        }
        if host.last == UInt8(ascii: "."), host.count > 1 {
            host = host.dropLast()
            parts.append("a full stop at its end")
        }
        let name = String(decoding: host, as: UTF8.self)
        guard !parts.isEmpty, (try? HostName(name)) != nil || HostName(anyScript: name) != nil
        else { return nil }
        return (
            "has \(inWords(parts, "and")), which \(parts.count == 1 ? "is" : "are") no part of a host",
            "write \(quoted(start + (HostName(anyScript: name)?.description ?? name)))"
                + (parts.contains("a port") ? "; \(port)" : "")
        )
    }

    private static func labelFault(_ text: String, _ start: String) -> (String, String?) {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if text.utf8.contains(where: { $0 >= 0x80 }) {
            return (
                "is not in ASCII",
                HostName(anyScript: text).map { "write it in punycode: \(quoted("\(start)\($0)"))" }
                    ?? "write it in punycode, beginning with xn--"
            )
        }
        if text.utf8.first == UInt8(ascii: "[") || text.utf8.contains(UInt8(ascii: ":")) {
            return ("is an IPv6 address, and not a host name", "write the host name of the links")
        }
        if text.utf8.contains(UInt8(ascii: "_")) {
            return (
                "has an underscore, which no host name has (RFC 1123 §2.1)",
                "write a hyphen: \(quoted(start + text.replacing("_", with: "-")))"
            )
        }
        if text.utf8.contains(where: { "{}".utf8.contains($0) }) {
            return ("has braces that are not {site}", "write {site} for the name of the site")
        }
        if let long = labels.first(where: { $0.count > HostName.labelBytesMax }) {
            return (
                "has a part of \(long.count) bytes, may have \(HostName.labelBytesMax)",
                "shorten what is between two full stops"
            )
        }
        if labels.contains(where: \.isEmpty) {
            return ("has an empty part", "write one full stop between two parts, and none around")
        }
        if labels.contains(where: { $0.first == 0x2D || $0.last == 0x2D }) {
            return ("has a part that begins or ends with a hyphen", "remove the hyphen")
        }
        return ("is not a host name", "write letters, digits and hyphens, and full stops between")
    }

    /// The fault of several hosts in one text; nil if it is not that.
    private static func listFault(_ text: String) -> (String, String?)? {
        let names = text.utf8.split { ", ;".utf8.contains($0) }.map {
            String(decoding: $0, as: UTF8.self)
        }
        guard names.count > 1,
            names.allSatisfy({ $0.contains(".") && (try? HostPattern($0)) != nil })
        else { return nil }
        let list = names.map { $0.utf8.first == UInt8(ascii: "*") ? quoted($0) : $0 }
        return (
            "is not one host name, but \(names.count)",
            "write a list: [\(list.joined(separator: ", "))]"
        )
    }
}
