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

    /// Whoever waits for READY=1 would end the process, had it got lost.
    @Test func `a manager that is busy is waited for, unless it is only a mention`() throws {
        let path = "@waymark-busy-\(getpid())"
        let receiver = try Receiver(path)
        let manager = try ServiceManager(socket: path)
        // More than a queue holds (net.unix.max_dgram_qlen).
        var mentions = 0
        let most = 10_000
        for _ in 0..<most { manager.notifyWithoutWaiting("WATCHDOG=1") }
        try startThread(name: "busy") { try? manager.notify("READY=1") }
        while let message = receiver.next(), message != "READY=1" { mentions += 1 }
        #expect((1..<most).contains(mentions))
        #expect(receiver.next(milliseconds: 0) == nil)
    }

    @Test func `what takes long has the manager wait, until it is done or hangs`() throws {
        let path = "@waymark-extension-\(getpid())"
        let receiver = try Receiver(path)
        let manager = try? ServiceManager(socket: path)
        let message = "EXTEND_TIMEOUT_USEC=15000000"
        let result = manager.extendingTimeout(each: 10) {
            #expect(receiver.next() == message)
            #expect(receiver.next() == message)
            return 7
        }
        #expect(result == 7)
        let hanging = try Receiver(path + "-hanging")
        (try? ServiceManager(socket: path + "-hanging")).extendingTimeout(each: 10, atMost: 30) {
            for _ in 0..<3 { #expect(hanging.next() == message) }
            #expect(hanging.next(milliseconds: 200) == nil)
        }
        let quick = try Receiver(path + "-quick")
        (try? ServiceManager(socket: path + "-quick")).extendingTimeout(each: 200) {}
        #expect(quick.next(milliseconds: 400) == nil)
        #expect(ServiceManager?.none.extendingTimeout { 8 } == 8)
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
        manager.notifyWithoutWaiting("WATCHDOG=1")
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
