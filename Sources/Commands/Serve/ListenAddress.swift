import ArgumentParser
import Sockets

/// The address of a listener, or off.
enum ListenAddress: ExpressibleByArgument, Equatable, CustomStringConvertible {
    case at(SocketAddress)
    case off

    init?(argument: String) {
        if argument == "off" {
            self = .off
        } else if let address = SocketAddress(argument) {
            self = .at(address)
        } else {
            return nil
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
    var defaultValueDescription: String { description }
}
