import Glibc
import PostgreSQL
import PostgreSQLSupport
import Sockets
import TestSupport
import Testing

/// A server that answers each connection in the same way, whatever it is asked.
final class Impostor: @unchecked Sendable {
    let port: Int
    private let listener: Int32

    /// - Parameters:
    ///   - answers: one for each request.
    ///   - flood: sent again and again after them, if it is not empty.
    ///   - pauseMilliseconds: after each time.
    ///   - closes: whether it closes the connection then, and does not wait.
    init(
        _ answers: [[UInt8]], flood: [UInt8] = [], pauseMilliseconds: UInt32 = 0,
        closes: Bool = false
    ) throws {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        (listener, port) = (number, try boundPort(number))
        try #require(listen(number, 8) == 0)
        try startThread(name: "impostor") {
            while true {
                let peer = accept(number, nil, nil)
                guard peer >= 0 else { break }
                var request = [UInt8](repeating: 0, count: 4_096)
                for answer in answers where recv(peer, &request, request.count, 0) > 0 {
                    _ = send(peer, answer, answer.count, Int32(MSG_NOSIGNAL))
                }
                while !flood.isEmpty, send(peer, flood, flood.count, Int32(MSG_NOSIGNAL)) > 0 {
                    usleep(1_000 * pauseMilliseconds)
                }
                // Until the other side has closed it.
                while !closes, recv(peer, &request, request.count, 0) > 0 {}
                close(peer)
            }
            close(number)
        }
    }

    // The thread closes it: closed here, its number might be another impostor's listener when the
    // thread accepts next, and that one's clients would get these answers.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    func connect(_ limits: PostgreSQLLimits = PostgreSQLLimits()) throws -> PostgreSQLConnection {
        let endpoint = PostgreSQLEndpoint(host: "127.0.0.1", address: "127.0.0.1", port: port)
        return try PostgreSQLConnection(
            loadedLibrary(), TestServer.login, at: endpoint, limits: limits)
    }
}

/// Messages of a server (PostgreSQL's chapter 55).
enum Message {
    static func of(_ type: Character, _ content: [UInt8] = []) -> [UInt8] {
        let length = UInt32(content.count + 4)
        return Array(type.utf8) + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
            + content
    }

    static func parameter(_ name: String, _ value: String) -> [UInt8] {
        of("S", Array("\(name)\0\(value)\0".utf8))
    }

    static let authenticated = of("R", [0, 0, 0, 0])
    static let idle = of("Z", Array("I".utf8))
    static let done = of("C", Array("SET\0".utf8))
    static let bound = of("1") + of("2")
    /// What is answered to a connection, and to the settings of its session.
    static let greetings = [
        authenticated + parameter("server_version", "15.4") + idle, done + idle,
    ]
}
