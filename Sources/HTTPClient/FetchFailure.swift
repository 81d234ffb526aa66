private import HTTPMessages
internal import Sockets
package import TLS

/// The reason why there is no response.
package struct FetchFailure: Error, Hashable, Sendable {
    package let phase: Phase
    package let kind: Kind
    /// The system's or OpenSSL's words.
    package let text: String

    package enum Phase: String, Hashable, Sendable {
        case resolve, connect, handshake, send, wait, receive
    }

    package enum Kind: Hashable, Sendable {
        case refused, timeout, unreachable, reset, system
        /// The rules allow no connection to the address.
        case privateAddress
        case tls(TLSClientFailure?)
        /// The server's certificates are not trusted; the exchange's peer has the reasons.
        case untrusted
        /// The bytes are no response.
        case malformed
    }

    /// The phase and the reason, for messages.
    package var words: String {
        text.utf8.starts(with: "\(phase.rawValue):".utf8) ? text : "\(phase.rawValue): \(text)"
    }

    /// Whether something answers that does not speak HTTP/1.
    package var isNotHTTP: Bool { kind == .malformed && text == "\(ResponseError.notHTTP)" }

    /// Whether the server has closed the connection without an answer.
    package var isEmpty: Bool { text == "\(ResponseError.empty)" }

    package init(_ phase: Phase, _ kind: Kind, _ text: String) {
        self.phase = phase
        self.kind = kind
        self.text = text
    }

    /// - Parameters:
    ///   - deadline: the one of the step that has failed.
    ///   - bytesCome: the number of bytes that have come from the server until then.
    init(_ phase: Phase, _ error: SystemError, _ deadline: Deadline, bytesCome: Int = 0) {
        let kind: Kind =
            if error.isTimeOver {
                .timeout
            } else if error.isRefused {
                .refused
            } else if error.isUnreachable {
                .unreachable
            } else {
                error.isReset ? .reset : .system
            }
        // The wait may have been for a part of it, and the clock may be behind.
        let isOver = kind == .timeout && deadline.remaining <= clockStepMilliseconds
        self.init(phase, kind, isOver ? phase.words(after: deadline, bytesCome) : error.description)
    }
}

extension FetchFailure.Phase {
    /// The failure of this phase at a deadline that has passed, for people.
    fileprivate func words(after deadline: Deadline, _ bytesCome: Int) -> String {
        let limit = deadline.limitMilliseconds
        let time = limit % 1_000 == 0 ? "\(limit / 1_000) s" : "\(limit) ms"
        let come = bytesCome == 0 ? "nothing has come" : "\(bytesCome) bytes have come"
        return switch self {
        case .resolve, .connect: "no connection within \(time)"
        case .handshake: "the handshake is not complete after \(time): \(come)"
        case .send: "the request is not taken within \(time)"
        case .wait: "no answer within \(time): \(come)"
        case .receive: "the answer is not whole after \(time): \(come)"
        }
    }
}

/// The time by which a deadline's clock may be behind: it moves with the kernel's ticks, of which
/// there are at least a hundred a second.
private let clockStepMilliseconds = 10
