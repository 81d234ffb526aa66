import ArgumentParser
import Diagnostics
import Sockets
import URISyntax

/// The address of a listener, or off.
enum ListenAddress: Equatable, CustomStringConvertible {
    case at(SocketAddress)
    case off

    /// - Throws: a `ValidationError` that says what is wrong.
    init(_ text: String) throws(ValidationError) {
        if text == "off" {
            self = .off
        } else if let address = SocketAddress(text) {
            self = .at(address)
        } else {
            throw ValidationError(Self.fault(of: text))
        }
    }

    /// Whether both would get the same connections. Port 0 is a different free port each time.
    func collides(with other: ListenAddress) -> Bool {
        guard let address, let theirs = other.address, address.port != 0 else { return false }
        return address.port == theirs.port
            && (address.host == theirs.host || address.host == nil || theirs.host == nil)
    }

    var address: SocketAddress? {
        if case .at(let address) = self { return address }
        return nil
    }

    var description: String { address?.description ?? "off" }

    private static func fault(of text: String) -> String {
        let forms = "write ADDRESS:PORT, :PORT or off"
        if let scheme = text.firstRange(of: "://") {
            let rest = text[scheme.upperBound...].prefix { $0 != "/" }
            let isWhole = SocketAddress(String(rest)) != nil
            return "an address has no scheme; \(isWhole ? "write \(rest)" : forms)"
        }
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else {
            return UInt16(text).map { "write :\($0) for all addresses, or ADDRESS:\($0)" }
                ?? (isNumber(text) ? portFault(text) : forms)
        }
        let port = String(text[text.utf8.index(after: colon)...])
        let isWhole = SocketAddress("[\(text[..<colon])]:\(port)") != nil
        for address in isWhole ? [] : [text, "[\(text)]"]
        where SocketAddress("\(address):8443") != nil {
            return "the port is missing; write \(address):8443, or another port"
        }
        guard UInt16(port) != nil else { return portFault(port) }
        let host = String(text[..<colon])
        return host.utf8.contains(UInt8(ascii: ":"))
            ? "write an IPv6 address in brackets: [\(host)]:\(port)"
            : "\(quoted(host)) is not an IP address, and names are not resolved; \(forms)"
    }

    private static func portFault(_ port: String) -> String {
        "the port is \(quoted(port)), must be a number from 0 to \(UInt16.max)"
    }

    private static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
    }
}
