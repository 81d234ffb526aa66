internal import Glibc
private import Synchronization

/// The addresses of one family that the system's resolver has for a host.
package enum NameResolution: Hashable, Sendable {
    case addresses([SocketAddress.Host])
    /// The name does not exist, or has no address of this family.
    case none
    /// The resolver did not answer, or could not.
    case failed(String)

    /// Asks the system's resolver, which may wait longer than the deadline: its thread is then left
    /// to itself. The C library sets no limit for answers over TCP, so only so many threads wait at
    /// once, and another question fails. `localhost` and what ends in `.localhost` is this machine,
    /// whatever the resolver knows (RFC 6761 §6.3).
    package init(_ host: String, v6 isV6: Bool, by deadline: Deadline) {
        guard !Self.isLocalhost(host) else {
            self = .addresses([isV6 ? .v6Loopback : .v4([127, 0, 0, 1])])
            return
        }
        guard Questions.open.begin() else {
            self = .failed(
                "\(Questions.openMax) earlier questions to the resolver have no answer yet")
            return
        }
        self.init(openFor: host, v6: isV6, by: deadline)
    }

    private init(openFor host: String, v6 isV6: Bool, by deadline: Deadline) {
        guard let answered = try? Wakeup() else {
            Questions.open.end()
            self = .failed("no descriptor is left")
            return
        }
        let answer = Answer()
        do throws(SystemError) {
            try startThread(name: "resolver") {
                let found = NameResolution.ask(host, isV6 ? AF_INET6 : AF_INET)
                answer.value.withLock { $0 = found }
                Questions.open.end()
                answered.wake()
            }
        } catch {
            Questions.open.end()
            self = .failed("\(error)")
            return
        }
        // A signal may end a wait.
        while answer.value.withLock({ $0 == nil }), deadline.remaining > 0 {
            answered.wait(atMost: deadline.remaining)
        }
        let seconds = deadline.limitMilliseconds / 1_000
        self =
            answer.value.withLock { $0 }
            ?? .failed("the resolver does not answer within \(seconds) s")
    }

    private static func isLocalhost(_ host: String) -> Bool {
        let labels = host.utf8.split(separator: 0x2E, omittingEmptySubsequences: true)
        return labels.last.map { String($0)?.lowercased() == "localhost" } ?? false
    }

    package var addresses: [SocketAddress.Host] {
        if case .addresses(let addresses) = self { addresses } else { [] }
    }

    private final class Answer: Sendable {
        let value = Mutex<NameResolution?>(nil)
    }

    /// The questions to the system's resolver that are without an answer.
    final class Questions: Sendable {
        static let open = Questions()
        static let openMax = 64
        private let count = Atomic<Int>(0)

        /// Counts another one; false if there are too many.
        func begin() -> Bool {
            guard count.add(1, ordering: .relaxed).newValue > Self.openMax else { return true }
            end()
            return false
        }

        func end() { count.subtract(1, ordering: .relaxed) }
    }

    private static func ask(_ host: String, _ family: CInt) -> NameResolution {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = family
        var list: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host, nil, &hints, &list)
        defer { unsafe freeaddrinfo(list) }
        switch status {
        case 0: break
        case EAI_NONAME, noAddressOfFamily: return .none
        default: return .failed(unsafe String(cString: gai_strerror(status)))
        }
        var addresses = [SocketAddress.Host]()
        var next = unsafe list
        while let item = unsafe next {
            if let address = unsafe SocketAddress.Host(item.pointee.ai_addr),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            unsafe next = item.pointee.ai_next
        }
        return addresses.isEmpty ? .none : .addresses(addresses)
    }
}

/// EAI_NODATA, which the C library declares only for _GNU_SOURCE.
private let noAddressOfFamily: CInt = -5

extension SocketAddress.Host {
    /// Nil for another family than IPv4 and IPv6.
    fileprivate init?(_ address: UnsafeMutablePointer<sockaddr>?) {
        guard let address = unsafe address else { return nil }
        // Port and address follow two bytes of family; IPv6 has four more bytes between them.
        let bytes = UnsafeRawPointer(address)
        let family = unsafe CInt(address.pointee.sa_family)
        switch family {
        case AF_INET:
            self = unsafe .v4([UInt8](UnsafeRawBufferPointer(start: bytes + 4, count: 4)))
        case AF_INET6:
            self = unsafe .v6([UInt8](UnsafeRawBufferPointer(start: bytes + 8, count: 16)))
        default: return nil
        }
    }

    static let v6Loopback = Self.v6([UInt8](repeating: 0, count: 15) + [1])

    /// Whether what is sent there stays on this machine.
    package var isLoopback: Bool {
        switch self {
        case .v4(let octets): octets[0] == 127
        case .v6: self == .v6Loopback
        }
    }

    /// Whether the address is one of the public internet, by the registries of special addresses
    /// (RFC 6890): not private, loopback, link-local, shared, documentation or multicast.
    package var isPublic: Bool {
        switch self {
        case .v4(let octets): return Self.isPublic(v4: octets)
        case .v6(let octets):
            // Addresses that contain one of IPv4: mapped ones, 6to4 and NAT64.
            if octets.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
                || octets.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0])
            {
                return Self.isPublic(v4: Array(octets[12...]))
            }
            if octets.starts(with: [0x20, 0x02]) { return Self.isPublic(v4: Array(octets[2..<6])) }
            let isDocumentation =
                octets.starts(with: [0x20, 0x01, 0x0D, 0xB8])
                || octets.starts(with: [0x3F, 0xFF]) && octets[2] < 0x10
            // Protocol assignments, with Teredo and benchmarking.
            let isAssignment = octets.starts(with: [0x20, 0x01]) && octets[2] < 0x02
            return octets[0] & 0xE0 == 0x20 && !isDocumentation && !isAssignment
        }
    }

    private static func isPublic(v4 octets: [UInt8]) -> Bool {
        let first = (octets[0], octets[1])
        switch first {
        case (0, _), (10, _), (127, _), (169, 254), (192, 168), (224..., _): return false
        case (100, 64...127), (172, 16...31), (198, 18...19): return false
        case (192, 0): return octets[2] != 0 && octets[2] != 2
        case (198, 51): return octets[2] != 100
        case (203, 0): return octets[2] != 113
        case (192, 88): return octets[2] != 99
        default: return true
        }
    }
}
