import Glibc
import Testing

@testable import Sockets

@Suite("What a service manager hands over, and is told")
struct ServiceManagerTests {
    static let plans: [(String?, String?, String?, [String])] = [
        ("42", "2", "https:http", ["3 https", "4 http"]),
        ("42", "1", nil, ["3 unknown"]),
        ("42", "2", "https", ["3 https", "4 unknown"]),
        ("42", "2", "https::http", ["3 https", "4 "]),
        ("41", "2", "https:http", []), (nil, "2", "https:http", []),
        ("42", nil, "https", []), ("42", "0", "", []), ("42", "-1", nil, []),
        ("42", "64", nil, (3...66).map { "\($0) unknown" }), ("42", "65", nil, []),
        ("42", "two", nil, []), ("forty", "2", nil, []),
    ]

    @Test("descriptors are taken when they are for this process", arguments: plans)
    func plan(_ process: String?, _ count: String?, _ names: String?, _ expected: [String]) {
        let plan = InheritedSocket.plan(
            process: process, count: count, names: names, ownProcess: 42)
        #expect(plan.map { "\($0.number) \($0.name)" } == expected)
    }

    @Test(
        "messages arrive at a path and at an abstract name",
        arguments: ["/tmp/waymark-notify-\(getpid())", "@waymark-notify-\(getpid())"])
    func notify(_ path: String) throws {
        let receiver = try Receiver(path)
        let manager = try ServiceManager(socket: path)
        try manager.notify("READY=1", "STATUS=serving")
        #expect(receiver.next() == "READY=1\nSTATUS=serving")
    }

    /// More than a manager's queue holds (net.unix.max_dgram_qlen).
    private func fill(_ manager: ServiceManager) throws {
        let busy = #expect(throws: SystemError.self) {
            for _ in 0..<10_000 { try manager.notify("WATCHDOG=1") }
        }
        #expect(busy?.isTimeOver == true)
    }

    /// Whoever waits for READY=1 would end the process, had it got lost.
    @Test func `a manager that is busy gets all a little later, in its order`() throws {
        let path = "@waymark-busy-\(getpid())"
        let receiver = try Receiver(path)
        let manager = try ServiceManager(socket: path)
        try fill(manager)
        var messages = ManagerMessages(manager)
        for message in ["RELOADING=1", "READY=1"] {
            messages.add([message])
            // It is not waited for.
            try messages.send()
            #expect(messages.retryAt < .max)
        }
        var heard = [String]()
        while let message = receiver.next(milliseconds: 0) {
            if message != "WATCHDOG=1" { heard.append(message) }
            try messages.send()
        }
        #expect(heard == ["RELOADING=1", "READY=1"])
        #expect(messages.retryAt == .max)
    }

    @Test func `a manager that is never free is given up, and hears what comes later`() throws {
        let path = "@waymark-never-\(getpid())"
        let receiver = try Receiver(path)
        let manager = try ServiceManager(socket: path)
        try fill(manager)
        var messages = ManagerMessages(manager, patienceMilliseconds: 0)
        messages.add(["READY=1"])
        #expect(throws: SystemError.self) { try messages.send() }
        #expect(messages.retryAt == .max)
        while receiver.next(milliseconds: 0) != nil {}
        messages.add(["STOPPING=1"])
        try messages.send()
        #expect(receiver.next() == "STOPPING=1")
        #expect(receiver.next(milliseconds: 0) == nil)
    }

    @Test func `what takes long has the manager wait, until it is done or hangs`() throws {
        let path = "@waymark-extension-\(getpid())"
        let receiver = try Receiver(path)
        let manager = try ServiceManager(socket: path)
        let message = "EXTEND_TIMEOUT_USEC=15000000"
        var time = TimeExtension(manager, atMost: 100_000, every: 0, isUrgent: true)
        for _ in 0..<2 {
            time.extend()
            #expect(receiver.next() == message)
        }
        var hanging = TimeExtension(manager, atMost: 0, every: 0)
        hanging.extend()
        var quick = TimeExtension(manager, atMost: 100_000)
        quick.extend()
        #expect(receiver.next(milliseconds: 0) == nil)
        #expect(hanging.next == .max)
        #expect(TimeExtension(nil, atMost: 100_000, isUrgent: true).next == .max)
    }

    @Test(
        "what is no socket of a manager is none",
        arguments: ["", "@", "relative", "vsock:2:1", "/" + String(repeating: "x", count: 107)])
    func noManager(_ path: String) {
        #expect(throws: SystemError.self) { _ = try ServiceManager(socket: path) }
    }

    @Test func `a manager that is not there does not take what it is told`() throws {
        let manager = try ServiceManager(socket: "@waymark-nobody-\(getpid())")
        let refused = SystemError("sendto", number: ECONNREFUSED)
        #expect(throws: refused) { try manager.notify("READY=1") }
        var messages = ManagerMessages(manager)
        messages.add(["READY=1"])
        #expect(throws: refused) { try messages.send() }
    }

    @Test func `a user and a group are known by name or number, or said to be unknown`() throws {
        #expect(try Account("root").user == 0)
        let nobody = try Account("65534:0")
        #expect(nobody.user == 65534 && nobody.group == 0)
        for unknown in ["no-such-user", "root:no-such-group", "", "root:", ":root", "-1"] {
            #expect(throws: UnknownAccount.self) { try Account(unknown) }
        }
    }

    @Test func `a socket that does not listen is refused`() throws {
        // What is handed over begins at 3, which is taken here; so the plan is tested above, and
        // a listener of our own stands in.
        let listener = try Listener(SocketAddress(host: .v4([127, 0, 0, 1]), port: 0))
        let copy = InheritedSocket(name: "https", number: dup(listener.descriptor.number))
        #expect(try Listener(copy).address == listener.address)
        let plain = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        let wrong = InheritedSocket(name: "https", number: plain)
        #expect(throws: SystemError.self) { _ = try Listener(wrong) }
    }
}

/// A service manager's socket.
private final class Receiver {
    private let socket: CInt
    private let path: String

    init(_ path: String) throws {
        self.path = path
        unlink(path)
        socket = Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        if path.hasPrefix("@") { address.sun_path.0 = 0 }
        let length = socklen_t(2 + path.utf8.count)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length)
            }
        }
        try #require(bound == 0)
    }

    deinit {
        close(socket)
        unlink(path)
    }

    /// The next message, or nil when there is none in time.
    func next(milliseconds: CInt = 5000) -> String? {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, milliseconds) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = recv(socket, &bytes, bytes.count, CInt(MSG_DONTWAIT))
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
}
