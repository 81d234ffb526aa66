package import Diagnostics
import JSONSyntax
package import LinkStore

/// A request to the API, without the connection that it came over.
package struct APIRequest: Sendable {
    package var method: String
    /// The segments of the path after `/v1`, decoded.
    package var path: [String]
    /// The items of the query, decoded, in their order.
    package var query: [(name: String, value: String)]
    /// Values of fields, by lower-case names.
    package var fields: [String: String]
    package var content: [UInt8]
    /// True if it has several `Idempotency-Key` fields.
    package var hasSeveralKeys = false
    /// True if it came over the admin listener.
    package var isLocal = true
    /// True if the client has asked for too many links that do not exist, so that every link is
    /// "not found" for it.
    package var isGuess = false

    package init(
        method: String, path: [String], query: [(name: String, value: String)] = [],
        fields: [String: String] = [:], content: [UInt8] = []
    ) {
        (self.method, self.path, self.query) = (method, path, query)
        (self.fields, self.content) = (fields, content)
    }

    /// The value of the query's first item of this name.
    func item(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// An answer of the API; an error where it refuses what else would begin.
package struct APIResponse: Error, Equatable {
    package var status: Int
    package var type = "application/json"
    /// Fields besides those of every response, by their names.
    package var fields = [String: String]()
    package var content = [UInt8]()
    /// The work that goes on with an answer that is not whole yet; nil for others.
    package var rest: UnfinishedAnswer?
    /// The link that the request's patch is to be applied to, beside the store's thread, before it is
    /// answered; nil for others.
    package var merging: StoredLink?
    /// The drawing that makes the answer without the store; nil for others.
    package var drawing: DrawnCodes?
    /// True if an app has asked for a link that does not exist, which its client may do so often.
    package var isMiss = false

    package init(_ status: Int, _ json: JSONText? = nil, fields: [String: String] = [:]) {
        (self.status, self.fields) = (status, fields)
        if let json { content = Array((json.compact + "\n").utf8) }
    }
}

extension APIResponse {
    /// The store cannot be asked now.
    package static func unavailable(_ detail: String) -> APIResponse {
        Problem.store(detail).response
    }

    /// There is too much to do already.
    package static func busy(_ detail: String) -> APIResponse { Problem.busy(detail).response }

    /// The content is more than the request may have.
    package static func tooLarge(_ bytesMax: Int) -> APIResponse {
        Problem.tooLarge(bytesMax).response
    }

    /// The resource has other methods.
    package static func methodNotAllowed(_ methods: [String]) -> APIResponse {
        Problem.methodNotAllowed(methods).response
    }

    /// The connection's certificate is not for the host of the request (RFC 9110 §7.4).
    package static var misdirected: APIResponse {
        Problem(
            .misdirected,
            "the certificate of this connection is not for the host of the request; connect to it "
                + "with its name (SNI)"
        ).response
    }

    /// A path of a host of the API at which nothing is.
    package static var noOperation: APIResponse {
        Problem(
            .notFound,
            "the operations of the API are below /v1/; GET /v1/openapi.json describes all"
        ).response
    }

    /// The types of refusals in place of an operation that has not seen the content, or has not answered in
    /// time (RFC 9457 §3.1.1), by their statuses.
    package static var typesInPlaceOfOperations: [Int: String] {
        let kinds: [ProblemKind] = [
            .malformedContent, .contentStalled, .contentTooLarge, .trailersTooLarge, .failed,
            .storeUnavailable,
        ]
        return Dictionary(kinds.map { ($0.status, $0.type) }) { first, _ in first }
    }

    /// The content of an import has stopped to come.
    /// - Parameter line: the last that has come whole; 0 for none.
    package static func stalled(after line: Int, isAtomic: Bool) -> APIResponse {
        Problem(
            .contentStalled,
            "the content has stopped to come "
                + (line == 0 ? "before its first line has ended" : "after line \(line)")
                + (isAtomic ? ", and nothing was done" : ", and nothing behind it was done")
        ).response
    }

    /// An atomic import has more lines and aliases than it may have.
    /// - Parameter line: the first that is not looked at.
    package static func tooManySlugs(before line: Int) -> APIResponse {
        Problem(
            .contentTooLarge,
            "an atomic import has at most \(LinkImport.atomicSlugsMax) lines, each of which counts its "
                + "aliases, too, and has more up to line \(line); without atomic=true (--atomic) there is "
                + "no limit"
        ).response
    }

    /// An atomic import changes more than one transaction may.
    static func tooMuch(behind line: Int, bytesMax: Int) -> APIResponse {
        Problem(
            .contentTooLarge,
            "the links of an atomic import, and what the audit says of them, have at most "
                + "\(bytesMax) bytes; line \(line) has more than is left. Nothing was "
                + "done; import fewer lines at a time, or without atomic=true (--atomic)"
        ).response
    }

    /// The path of the request has no single meaning.
    package static var invalidPath: APIResponse {
        Problem(
            .invalidPath,
            "a slash, a backslash and an escape cannot be escaped in it, except in the externalId "
                + "behind /v1/links/by-external-id/; a control character, bytes that are not UTF-8, "
                + "and a percent sign without two hexadecimal digits are refused everywhere"
        ).response
    }
}

extension DuplicateMembers {
    var faults: [PointedFault] {
        let listed = members.map { member in
            PointedFault(
                member.pointer, .duplicateKey, "\(quoted(member.key)) is there twice",
                advice: "keep one of them")
        }
        guard count > members.count else { return listed }
        return listed + [
            PointedFault(moreThanKept: count - members.count, "members are there twice")
        ]
    }
}

extension String {
    /// Nil if it has no text.
    var nonempty: String? { isEmpty ? nil : self }
}
