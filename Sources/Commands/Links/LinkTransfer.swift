import ArgumentParser
import Diagnostics
import Files
import HTTPMessages
import Sockets

extension LinkOrigin {
    /// Asks with content that is read in pieces, and takes the content of the answer in pieces.
    /// - Parameters:
    ///   - path: after `/v1/`, with the query, escaped.
    ///   - type: the media type that the answer is to have; with another one it is a refusal.
    ///   - input: the media type of the content, and the file, or `-` for standard input.
    ///   - take: a piece of the answer's content.
    /// - Returns: the status.
    /// - Throws: the exit status, after printing why the origin refuses.
    func transfer(
        _ method: String, _ path: String, accepting type: String,
        sending input: (type: String, path: String)? = nil,
        _ take: ([UInt8]) throws(ExitCode) -> Void
    ) throws(ExitCode) -> Int {
        var lines = [
            "\(method) /v1/\(path) HTTP/1.1", "Host: localhost", "Connection: close",
            "Authorization: Bearer \(token)", "Accept: \(type)",
        ]
        if let input {
            lines += ["Content-Type: \(input.type)", "Transfer-Encoding: chunked"]
        }
        let head = Array((lines.map { $0 + "\r\n" }.joined() + "\r\n").utf8)
        let connection = try connecting { () throws(SystemError) in
            let connection = try BlockingConnection(to: address, by: Self.deadline)
            try connection.send(head, by: Self.deadline)
            return connection
        }
        if let input {
            do throws(FileError) {
                try send(input.path, over: connection)
            } catch {
                throw report(error, of: input.path)
            }
        }
        var answer = try connecting { () throws(SystemError) in try AnswerReader(connection) }
        let isWanted = answer.head.field("content-type")?.hasPrefix(type) == true
        var refusal = [UInt8]()
        while let piece = try connecting({ () throws(SystemError) in try answer.next(connection) })
        {
            if isWanted {
                try take(piece)
            } else if refusal.count < Self.refusalBytesMax {
                refusal += piece
            }
        }
        guard answer.isWhole else {
            printMessages([
                "waymark: error: \(address) ends before its answer does",
                "    what came is not all; the origin's log may say why",
            ])
            throw .unreachable
        }
        if isWanted { return answer.head.status }
        throw self.refusal(try read(answer.head, refusal), nil)
    }

    /// Sends a file in chunks (RFC 9112 §7.1). An origin that refuses the request may take no more
    /// of them, and answers.
    private func send(
        _ path: String, over connection: borrowing BlockingConnection
    ) throws(FileError) {
        var isTaken = true
        var input = try InputPieces(path)
        while isTaken, let piece = try input.next() {
            let size = String(piece.count, radix: 16)
            isTaken =
                (try? connection.send(
                    Array("\(size)\r\n".utf8) + piece + [0x0D, 0x0A], by: Self.deadline)) != nil
        }
        if isTaken { try? connection.send(Array("0\r\n\r\n".utf8), by: Self.deadline) }
    }

    private func connecting<Value: ~Copyable>(
        _ body: () throws(SystemError) -> Value
    ) throws(ExitCode) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            throw unreachable(error, seconds: Self.transferSeconds)
        }
    }

    /// An import is answered when all of it is done.
    private static let transferSeconds = 600
    /// For each step, from now.
    fileprivate static var deadline: Deadline { Deadline(in: transferSeconds * 1000) }
    private static let refusalBytesMax = 1_048_576
}

/// Reads an answer in pieces.
private struct AnswerReader: ~Copyable {
    let head: HTTPResponse
    /// Where the content ends; nil if the connection ends with it.
    private var content: ContentReader?
    private var bytes: [UInt8]
    private var isEnded = false

    /// Waits for the head.
    init(_ connection: borrowing BlockingConnection) throws(SystemError) {
        var bytes = [UInt8]()
        var end: Int?
        while end == nil, bytes.count < Self.headBytesMax {
            let start = max(0, bytes.count - 3)
            let piece = try connection.receive(by: LinkOrigin.deadline)
            if piece.isEmpty { break }
            bytes += piece
            end = bytes.indices.dropFirst(start).first {
                bytes[$0...].starts(with: [0x0D, 0x0A, 0x0D, 0x0A])
            }.map { $0 + 4 }
        }
        head = HTTPResponse(Array(bytes[..<(end ?? bytes.count)]))
        self.bytes = Array(bytes[(end ?? bytes.count)...])
        var limits = RequestLimits()
        limits.contentBytesMax = .max
        let isChunked = head.field("transfer-encoding")?.lowercased() == "chunked"
        let length = head.field("content-length").flatMap { Int($0) }
        let framing: RequestHead.Framing? = isChunked ? .chunked : length.map { .length($0) }
        content = framing.flatMap { try? ContentReader($0, limits: limits) }
    }

    /// A piece of the content; nil at the end.
    mutating func next(
        _ connection: borrowing BlockingConnection
    ) throws(SystemError) -> [UInt8]? {
        while !isEnded, content?.isFinished != true {
            if bytes.isEmpty { bytes = try connection.receive(by: LinkOrigin.deadline) }
            guard !bytes.isEmpty else {
                isEnded = true
                break
            }
            var found = [UInt8]()
            let piece = bytes
            bytes = []
            guard content != nil else { return piece }
            do throws(MessageError) {
                let count = try content?.take(piece, piece.indices) { found += piece[$0] } ?? 0
                bytes = Array(piece[count...])
            } catch {
                isEnded = true
            }
            if !found.isEmpty { return found }
        }
        return nil
    }

    /// Whether all of the content has come.
    var isWhole: Bool { content?.isFinished ?? isEnded }

    private static let headBytesMax = 65_536
}
