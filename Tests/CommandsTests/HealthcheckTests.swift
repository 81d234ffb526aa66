import Foundation
import Glibc
import Testing

@Suite("waymark healthcheck")
struct HealthcheckTests {
    /// What listens, the status that the command has then, and what it prints.
    static let answers: [(String?, Int32, String)] = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n", 0, "HTTP/1.1 200 OK\n"),
        (
            "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 5\r\n\r\n[-]a\n", 1,
            "HTTP/1.1 503 Service Unavailable\n[-]a\n"
        ),
        ("SSH-2.0-x\r\n", 1, "answers, but not with HTTP; is it the admin listener?\n"),
        ("", 1, "answers, but not with HTTP; is it the admin listener?\n"),
        (nil, 69, "does not answer within 3 s\n"),
    ]

    @Test("it says what it was told", arguments: answers)
    func tells(_ answer: String?, _ status: Int32, _ words: String) throws {
        let outcome = try ask(answer)
        #expect(outcome.status == status)
        #expect((outcome.output + outcome.messages).hasSuffix(words), "\(outcome)")
    }

    @Test func `an answer steers no terminal, and is no command to a build service`() throws {
        let text = "::error::x\u{1B}[2J\r##[error]x\u{202E}"
        let outcome = try ask("HTTP/1.1 503 \u{1B}[2J\r\n\r\n\(text)\n")
        #expect(
            outcome.output == """
                HTTP/1.1 503 \\u{1B}[2J
                \\u{3A}:error::x\\u{1B}[2J\\r#\\u{23}[error]x\\u{202E}

                """)
    }

    @Test("what cannot be printed is a failure", arguments: [">/dev/full", ">&-"])
    func unwritable(_ redirection: String) throws {
        #expect(try ask(Self.answers[0].0, redirecting: redirection).status == 74)
    }

    private func ask(
        _ answer: String?, redirecting redirection: String? = nil
    ) throws -> Program.Outcome {
        let (listener, port) = try listen()
        defer { close(listener) }
        if let answer {
            Thread.detachNewThread {
                let connection = accept(listener, nil, nil)
                var request = [UInt8](repeating: 0, count: 4096)
                _ = recv(connection, &request, request.count, 0)
                _ = send(connection, answer, answer.utf8.count, CInt(MSG_NOSIGNAL))
                close(connection)
            }
        }
        return try Program.run(
            ["healthcheck", "--admin", "127.0.0.1:\(port)"], redirecting: redirection)
    }

    @Test func `where nothing listens it is unreachable`() throws {
        let (listener, port) = try listen()
        close(listener)
        let outcome = try Program.run("healthcheck", "--admin", "127.0.0.1:\(port)")
        #expect(outcome.status == 69)
        #expect(outcome.messages.contains("does not answer: connect: Connection refused"))
    }
}

/// A socket that listens on a free port of this machine.
func listen() throws -> (CInt, UInt16) {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            bind(listener, pointer, size) == 0 && Glibc.listen(listener, 5) == 0
                && getsockname(listener, pointer, &size) == 0
        }
    }
    try #require(isBound)
    return (listener, UInt16(bigEndian: address.sin_port))
}
