import Glibc
import Testing

@testable import Origin
@testable import Sockets

@Suite("Sockets of a service manager")
struct InheritedListenerTests {
    @Test func `each is named once, however many loops and others of its name there are`() throws {
        let any = SocketAddress(host: .v4([127, 0, 0, 1]), port: 0)
        let one = try Listener(any)
        let other = try Listener(any)
        let inherited = [one.descriptor.number, other.descriptor.number].map {
            InheritedSocket(name: "https", number: dup($0))
        }
        let bound = try BoundListeners(
            OriginAddresses(https: any, http: any, admin: nil), inherited: inherited, loops: 2)
        #expect(bound.named.map(\.name) == ["https", "https", "http"])
        #expect(bound.named.prefix(2).map(\.address) == [one.address, other.address])
        #expect(bound.named.last?.address == bound.addresses.http)
    }
}
