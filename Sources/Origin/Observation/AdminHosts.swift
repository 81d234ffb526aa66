import ClientAddress
import Memory
import URISyntax

/// The hosts that requests to the admin listener may be for. A stranger's page can have its own
/// name resolved to this machine, and then read what a browser here is answered (DNS rebinding),
/// but its requests carry that name. An address cannot be resolved to another one, so any will do:
/// probes and Prometheus ask for that of a pod.
struct AdminHosts: Sendable {
    private let names: Set<[UInt8]>

    /// - Parameter names: besides `localhost`.
    init(_ names: [HostName]) {
        self.names = Set((names.map(\.description) + ["localhost"]).map { Array($0.utf8) })
    }

    /// - Parameter host: in lower case, without its port; empty in a request of HTTP/1.0 that names
    ///   none, as no browser sends them.
    func contain(_ host: ArraySlice<UInt8>) -> Bool {
        guard let first = host.first, let last = host.last else { return true }
        if first == UInt8(ascii: "["), last == UInt8(ascii: "]") {
            return IPAddress(Array(host.dropFirst().dropLast()).span)?.isV4 == false
        }
        let name = Array(last == UInt8(ascii: ".") ? host.dropLast() : host)
        return names.contains(name) || IPAddress(name.span)?.isV4 == true
    }
}
