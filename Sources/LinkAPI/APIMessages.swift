import Associations
package import Diagnostics
package import LinkStore
import SiteConfiguration
import URISyntax

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
    /// The search that goes on with an answer that is not whole yet; nil for others.
    package var rest: LinkSearch?
    /// The link that the request's patch is to be applied to, beside the store's thread, before it is
    /// answered; nil for others.
    package var merging: StoredLink?
    /// The drawing that makes the answer without the store; nil for others.
    package var drawing: CodeDrawing?
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

    /// The types of refusals of content that no operation has seen (RFC 9457 §3.1.1), by their statuses.
    package static var contentProblems: [Int: String] {
        let kinds: [ProblemKind] = [
            .invalidContent, .contentStalled, .contentTooLarge, .storeUnavailable,
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

    /// An atomic import has more lines than it may have.
    package static func tooManyLines(_ linesMax: Int) -> APIResponse {
        Problem(
            .contentTooLarge,
            "an atomic import has at most \(linesMax) lines; without atomic=true (--atomic) there is "
                + "no limit"
        ).response
    }

    /// The path of the request has no single meaning.
    package static var invalidPath: APIResponse {
        Problem(
            .invalidPath,
            "a slash, a backslash and an escape cannot be escaped in it, except in the externalId "
                + "behind /v1/links/by-external-id/; a control character, bytes that are not UTF-8, more "
                + "than \(combiningMarksMax) combining marks in a row, and a percent sign without two hexadecimal digits are refused everywhere"
        ).response
    }
}

/// A reason for which a request is refused (RFC 9457).
struct Problem: Error, Sendable {
    let kind: ProblemKind
    var detail: String?
    /// Everything that is wrong with the content.
    var errors = [PointedFault]()
    var fields = [String: String]()
    /// True if an app has asked for a link that does not exist.
    var isMiss = false

    init(_ kind: ProblemKind, _ detail: String? = nil) { (self.kind, self.detail) = (kind, detail) }

    var response: APIResponse {
        var response = APIResponse(kind.status, json, fields: fields)
        response.type = "application/problem+json"
        response.isMiss = isMiss
        return response
    }

    var json: JSONText {
        var members: [(key: String, value: JSONText)] = [
            // Relative to the API.
            ("type", .string(kind.type)), ("title", .string(kind.title)),
            ("status", .number(kind.status)),
        ]
        let listed = listedErrors
        let rest = errors.count - listed.count
        let more = rest > 0 ? "\(rest) more errors are not listed" : nil
        if let detail = [detail, more].compactMap(\.self).joined(separator: "; ").nonempty {
            members.append(("detail", .string(detail)))
        }
        if !listed.isEmpty { members.append(("errors", .array(listed.map(\.json)))) }
        return .object(members)
    }

    /// As many of the errors as people read, so that an answer is not longer than its request by
    /// far.
    var listedErrors: ArraySlice<PointedFault> {
        var bytes = 0
        let end = errors.firstIndex { fault in
            defer { bytes += fault.byteCount }
            return bytes > Self.errorBytesMax
        }
        return errors[..<min(end ?? errors.count, Self.errorsMax)]
    }

    private static let errorsMax = 100
    private static let errorBytesMax = 32_768

    /// The content has these faults.
    static func invalid(_ errors: [PointedFault]) -> Problem {
        let kinds = errors.compactMap { ProblemKind.conflict($0.rule) }
        var problem = Problem(kinds.first ?? .invalidContent)
        problem.errors = errors
        return problem
    }

    /// The same for an import that only makes links: what exists can be changed instead.
    var advisingUpsert: Problem {
        var problem = self
        for index in errors.indices
        where [.slugTaken, .externalIDTaken].contains(errors[index].rule) {
            let other = errors[index].advice.map { "\($0), or " } ?? ""
            problem.errors[index].advice =
                "\(other)change the link that exists: mode=upsert (--mode upsert)"
        }
        return problem
    }

    static func store(_ detail: String) -> Problem {
        var problem = Problem(.storeUnavailable, detail)
        problem.fields["Retry-After"] = "5"
        return problem
    }

    /// The resource has other methods, which are these.
    static func methodNotAllowed(_ methods: [String]) -> Problem {
        var problem = Problem(
            .methodNotAllowed, "it has \(methods.joined(separator: ", "))")
        problem.fields["Allow"] = methods.joined(separator: ", ")
        return problem
    }

    /// An atomic import has more content than it may have.
    static func tooLarge(_ bytesMax: Int) -> Problem {
        Problem(
            .contentTooLarge,
            "an atomic import has at most \(bytesMax) bytes; without atomic=true (--atomic) there is "
                + "no limit")
    }

    /// Somebody asks too often, or too much at once.
    static func tooMany(_ detail: String, retryAfter seconds: Int) -> Problem {
        var problem = Problem(.tooManyRequests, detail)
        problem.fields["Retry-After"] = "\(seconds)"
        return problem
    }

    /// Everybody together has as much under way as there can be.
    static func busy(_ detail: String) -> Problem {
        var problem = Problem(.busy, detail)
        problem.fields["Retry-After"] = "1"
        return problem
    }

    static let notFound = Problem(
        .notFound, "nothing has this name here, or it is of a collection that the token is not for")
}

/// A fault at a JSON Pointer of the content.
struct PointedFault: Hashable, Sendable {
    let pointer: String
    let rule: RuleName
    let detail: String
    var advice: String?
    /// Of the table's column, if it is in one.
    var heading: String?

    init(_ pointer: String, _ rule: RuleName, _ detail: String, advice: String? = nil) {
        (self.pointer, self.rule, self.detail, self.advice) = (pointer, rule, detail, advice)
    }

    init(_ fault: DescriptionFault) {
        let diagnostic = fault.diagnostic
        self.init(
            fault.pointer, diagnostic.rule, diagnostic.message,
            advice: diagnostic.advice ?? Self.advice(on: diagnostic.rule))
    }

    /// The advice on faults that need none where people write them into a file.
    private static func advice(on rule: RuleName) -> String? {
        switch rule {
        case .controlCharacter: "remove the character"
        case .unsetValue: "write a value, or leave the member out"
        case .name: "choose a shorter name"
        case .tooMany: "keep what is long elsewhere"
        case .wrongValue, .wrongKind: "write it as GET /v1/openapi.json describes it"
        default: nil
        }
    }

    fileprivate var byteCount: Int {
        pointer.utf8.count + detail.utf8.count + (advice?.utf8.count ?? 0)
    }

    var json: JSONText {
        var members: [(key: String, value: JSONText)] = [
            ("pointer", .string(pointer)), ("rule", .string(rule.rawValue)),
            ("detail", .string(detail)),
        ]
        if let heading { members.append(("heading", .string(heading))) }
        if let advice { members.append(("advice", .string(advice))) }
        return .object(members)
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
            PointedFault(
                "", .tooManyFindings, "\(count - members.count) more members are there twice")
        ]
    }
}

extension String {
    /// Nil if it has no text.
    fileprivate var nonempty: String? { isEmpty ? nil : self }
}
