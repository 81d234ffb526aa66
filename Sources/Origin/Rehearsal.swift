import HTTPMessages
import Memory
package import TLS

extension Snapshot {
    /// What a client would get for the bytes of one request, to the byte, without a connection:
    /// the code that answers it is the origin's own.
    /// - Parameter isSecure: whether it would come over https.
    /// - Throws: when OpenSSL has no memory for a loop's buffers.
    package func rehearse(
        _ request: [UInt8], isSecure: Bool
    ) throws(OpenSSLError) -> [UInt8] {
        let shared = SharedByLoops(
            published: Published(self), health: Health(), httpsPort: nil)
        var context = try LoopContext(shared, limits: OriginLimits())
        context.input.append(request, 0..<request.count)
        let answer: Answer
        do {
            let head = try context.reader.read(
                context.input.storage, 0..<context.input.count)
            answer =
                head.map { head in
                    context.answer(
                        head, via: isSecure ? .https : .http, isSecure: isSecure,
                        hasServerName: isSecure)
                } ?? .status(.requestTimeout, isHead: false)
        } catch {
            answer = .status(error.status, isHead: context.reader.method.isHead)
        }
        context.isSecure = isSecure
        let rest = context.write(answer, .stays)
        return Array(context.output.storage[..<context.output.count]) + context.takeBody()[rest]
    }
}
