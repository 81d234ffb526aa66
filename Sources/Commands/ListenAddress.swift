import ArgumentParser
import Sockets

/// Where a listener is wanted, or that it is not.
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

    var address: SocketAddress? {
        if case .at(let address) = self { return address }
        return nil
    }

    var description: String { address?.description ?? "off" }
    var defaultValueDescription: String { description }
}
