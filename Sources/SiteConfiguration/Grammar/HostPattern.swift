import Diagnostics
import URISyntax

/// A host of the configuration.
enum HostPattern: Hashable, Sendable, CustomStringConvertible {
    case exact(HostName)
    /// The domain behind `*.`.
    case wildcard(HostName)
    /// A host with `{site}`, before the name of the site is in it.
    case template(String)

    init(_ text: String) throws(Fault) {
        guard !text.contains("{site}") else {
            // The name is checked when it is known; the rest now.
            do throws(Fault) {
                _ = try HostPattern(text.replacing("{site}", with: "site"))
            } catch {
                throw Format.hostFault(text)
            }
            self = .template(text)
            return
        }
        guard text.hasPrefix("*.") else {
            self = .exact(try Self.host(text, in: text))
            return
        }
        let domain = try Self.host(String(text.dropFirst(2)), in: text)
        let isWhole = !domain.description.utf8.contains(UInt8(ascii: "."))
        guard !isWhole || domain.description == "localhost" else {
            throw Fault(
                rule: .hostName, message: "\(quoted(text)) is a wildcard for a whole top level",
                advice: "write a domain of your own behind `*.`")
        }
        guard !domain.isAddress else {
            throw Fault(
                rule: .hostName,
                message: "\(quoted(text)): no host is below an IP address",
                advice: "write a domain of your own behind `*.`")
        }
        self = .wildcard(domain)
    }

    /// - Parameter written: the whole text, for messages.
    private static func host(_ text: String, in written: String) throws(Fault) -> HostName {
        do {
            return try HostName(text)
        } catch {
            throw Format.fault(error, of: written)
        }
    }

    var description: String {
        switch self {
        case .exact(let host): host.description
        case .wildcard(let domain): "*.\(domain)"
        case .template(let text): text
        }
    }
}
