import ArgumentParser
import Diagnostics
import Files
import HTTPClient
import HTTPMessages

extension LinkOrigin {
    /// Asks with content that is read in pieces, and takes the content of the answer in pieces.
    /// - Parameters:
    ///   - path: after `/v1/`, with the query, escaped.
    ///   - type: the media type that the answer is to have; with another one it is a refusal.
    ///   - input: the media type of the content, and the file, or `-` for standard input.
    ///   - progress: counts the bytes that are sent.
    ///   - take: a piece of the answer's content.
    /// - Returns: the status.
    /// - Throws: the exit status, after printing why the origin refuses.
    func transfer(
        _ method: String, _ path: String, accepting type: String,
        sending input: (type: String, path: String)? = nil, _ progress: Progress,
        _ take: ([UInt8]) throws(ExitCode) -> Void
    ) throws(ExitCode) -> Int {
        var request = request(method, path)
        request.fields.append("Accept: \(type)")
        if let input { request.fields.append("Content-Type: \(input.type)") }
        var client = place.client
        client.limits = Self.limits(seconds: Self.transferSeconds)
        var pieces = try input.map { input throws(ExitCode) in try InputFile(input.path) }
        var status: ExitCode?
        var refusal = [UInt8]()
        let exchange = client.transfer(request) { () throws(FetchFailure) -> [UInt8]? in
            do throws(ExitCode) {
                guard let piece = try pieces?.next() else {
                    progress.goOn("waiting until the origin has done all of it")
                    return nil
                }
                progress.advance(by: piece.count)
                return piece
            } catch {
                status = error
                throw FetchFailure(.send, .system, "the file cannot be read")
            }
        } taking: { head, piece in
            guard head.value("content-type")?.hasPrefix(type) == true else {
                refusal += piece.prefix(Self.refusalBytesMax - refusal.count)
                return true
            }
            do throws(ExitCode) {
                try take(piece)
            } catch {
                status = error
            }
            return status == nil
        }
        if let status { throw status }
        guard let head = exchange.response?.head else {
            throw place.report(exchange, seconds: Self.transferSeconds)
        }
        if head.value("content-type")?.hasPrefix(type) == true { return head.status }
        let response = FetchResponse(head: head, received: refusal, bytesMax: Self.refusalBytesMax)
        throw self.refusal(try read(response), nil)
    }

    /// An import is answered when all of it is done.
    private static let transferSeconds = 600
    private static let refusalBytesMax = 1_048_576
}

/// A file that is sent.
private struct InputFile: ~Copyable {
    private let path: String
    private var pieces: InputPieces

    /// - Throws: the exit status, after printing why it cannot be read.
    init(_ path: String) throws(ExitCode) {
        self.path = path
        do throws(FileError) {
            pieces = try InputPieces(path)
        } catch {
            throw report(error, of: path)
        }
    }

    mutating func next() throws(ExitCode) -> [UInt8]? {
        do throws(FileError) {
            return try pieces.next()
        } catch {
            throw report(error, of: path)
        }
    }
}
