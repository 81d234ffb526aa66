import Answering
import HTTPMessages

/// The request of a connection that is under way, told by what the next bytes of the client belong
/// to. What is needed for one kind only is in that kind.
enum Exchange {
    /// The header of the PROXY protocol, which stands before everything else.
    case proxyHeader
    /// A request's head. It has begun if the connection has bytes left over.
    case head
    /// Content that is discarded, and whose end the answer waits for.
    case content(DiscardedContent)
    /// Content for a handler; nothing is read while it answers.
    case handled(Handling)

    /// Whether the header of the PROXY protocol is still to come.
    var isProxyHeader: Bool { if case .proxyHeader = self { true } else { false } }

    /// Whether no request is under way, except perhaps a part of its head.
    var isHead: Bool { if case .head = self { true } else { false } }

    var isHandled: Bool { if case .handled = self { true } else { false } }

    /// The bytes of content that have come.
    var takenBytes: Int {
        switch self {
        case .proxyHeader, .head: 0
        case .content(let content): content.reader.takenBytes
        case .handled(let handling): handling.content?.takenBytes ?? 0
        }
    }

    /// The bytes that the request holds until the connection's next turn.
    var heldBytes: Int {
        switch self {
        case .proxyHeader, .head: 0
        case .content(let content): content.answer.heldBytes
        case .handled(let handling): handling.request.heldBytes
        }
    }

    /// The steps that the handler has taken.
    var steps: Int { if case .handled(let handling) = self { handling.steps } else { 0 } }
}

/// A request with content that is discarded. Its answer was decided before the content has come;
/// by then the loop has read other requests, and there may be another snapshot.
///
/// A class, because few connections have one, and each would have room for it.
final class DiscardedContent {
    var reader: ContentReader
    /// Whether the request is a HEAD: its response has no content, whatever its status.
    let isHead: Bool
    /// Without ranges of the input.
    let answer: Answer
    let ending: Ending
    /// The site that the answer's ranges are ranges of.
    let site: PreparedSite

    init(
        _ reader: ContentReader, isHead: Bool, _ answer: consuming Answer, _ ending: Ending,
        _ site: PreparedSite
    ) {
        (self.reader, self.isHead) = (reader, isHead)
        (self.answer, self.ending, self.site) = (answer, ending, site)
    }
}

/// The progress of a connection towards its end; a later case takes the place of an earlier one.
enum Closing {
    case open
    /// The peer sends nothing more (a half-close); what it has sent is still answered.
    case inputEnded
    /// No further request is answered; the connection closes once its output has been sent.
    case lastAnswer
    /// The connection is given up, and an answer that is not finished is cut off.
    case aborted(AbortReason)

    var isInputEnded: Bool { if case .inputEnded = self { true } else { false } }
    var isLastAnswer: Bool { if case .lastAnswer = self { true } else { false } }
}
