import JSONSyntax
import LinkStore

/// One operation of the API. Requests are found and checked in the table of all, and the
/// description of the API (`OpenAPI`) is made from it.
struct APIRoute: Sendable {
    /// The name of the operation in programs that are generated from the description.
    let name: String
    let method: String
    /// Segments; one that begins with `{` stands for any.
    let path: [String]
    /// The scopes of which a token needs one; none if any token will do.
    let scopes: [TokenScope]
    /// For people.
    let summary: String
    /// The operation that answers; nil for one whose content or answer is longer than a buffer.
    var operation: (any Operation.Type)?
    /// The function that describes the link to be made, from the content and the path; nil if the
    /// operation makes none.
    var describe: Describing?
    /// The items that a query can have.
    var query = [Parameter]()
    var condition: Condition?
    /// The name of the schema of its content, which is JSON; nil if there is none.
    var content: String?
    /// The direction in which the operation transfers many links, without `LinkAPI.answer`; nil for
    /// an operation with content and an answer of bounded size.
    let transfer: Transfer?
    let answers: [Answer]
    /// True for an operation of Firebase's REST API, whose errors have another form, and whose requests
    /// may have their token in the query.
    var isFirebase = false
    /// True if it changes nothing, whatever its method is.
    var isReading = false
    /// Its problems, besides those of all operations of its kind.
    let ownProblems: [ProblemKind]
    /// True if it is about the whole store, so that a token for some collections is refused.
    var isAboutAll = false
    /// True for a request without content whose answer is kept all the same: what it has done is outside of the
    /// store, so no transaction has both.
    var keepsAnswer = false
    /// True if its answer has a secret, which is shown once and kept nowhere.
    var showsSecret = false

    typealias Describing = @Sendable (LinkAPI, JSONValue, [String]) throws(Problem) -> JSONValue

    /// An operation whose content or answer is longer than a buffer.
    enum Transfer: Sendable { case `import`, export }

    init(
        _ name: String, _ method: String, _ path: String, _ scopes: [TokenScope],
        _ summary: String,
        query: [Parameter] = [], condition: Condition? = nil, content: String? = nil,
        isAboutAll: Bool = false, keepsAnswer: Bool = false, showsSecret: Bool = false,
        isReading: Bool = false,
        describe: Describing? = nil, transfer: Transfer? = nil, _ answers: [Answer],
        problems: [ProblemKind] = []
    ) {
        (self.isAboutAll, self.showsSecret) = (isAboutAll, showsSecret)
        self.keepsAnswer = keepsAnswer
        (self.isReading, self.describe, self.transfer) = (isReading, describe, transfer)
        (self.name, self.method, self.scopes, self.summary) = (name, method, scopes, summary)
        self.path = path.utf8.split(separator: UInt8(ascii: "/")).map { String($0) ?? "" }
        (self.query, self.condition) = (query, condition)
        (self.content, self.answers, ownProblems) = (content, answers, problems)
    }

    /// The answer of the operation to a request that was let in.
    func answer(_ call: APICall) throws(Problem) -> APIResponse {
        guard let operation else { throw .notFound }
        return try operation.init(call: call).answer()
    }

    /// The content and the fields of answers of one status.
    struct Answer: Sendable {
        let status: Int
        /// The name of the content's schema; nil if there is none, or it is no JSON.
        let schema: String?
        var types = ["application/json"]
        var fields = [ResponseField]()

        init(_ status: Int, _ schema: String? = nil, _ fields: ResponseField...) {
            (self.status, self.schema, self.fields) = (status, schema, fields)
        }

        /// Content that is no JSON.
        init(_ status: Int, types: [String], _ fields: ResponseField...) {
            (self.status, schema, self.types, self.fields) = (status, nil, types, fields)
        }

        /// The same with a table as another form of it.
        func orTable() -> Answer {
            var answer = self
            answer.types.append("text/csv")
            return answer
        }

        var hasContent: Bool { schema != nil || types != ["application/json"] }
    }

    /// A condition of a request (RFC 9110 §13).
    enum Condition {
        /// `If-Match` with the entity tag of the link that was seen, or `*`; required.
        case match
        /// `If-None-Match: *`; required.
        case isNew
        /// `If-None-Match` with the entity tag of the link that was seen.
        case hasChanged
    }

    /// Every problem that it can have.
    var problems: [ProblemKind] {
        var all: [ProblemKind] = [
            .invalidPath, .query, .unauthorized, .tooManyRequests, .storeUnavailable, .busy,
        ]
        if !scopes.isEmpty { all.append(.scopeMissing) }
        if isFirebase { all.append(.notFound) }
        if path.contains(where: Self.isVariable) { all.append(.notFound) }
        if content != nil {
            all += [.contentType, .invalidJSON, .invalidContent]
            if !isFirebase { all += [.malformedContent, .contentTooLarge, .contentStalled] }
        }
        if isRepeatable { all += [.idempotencyKey, .idempotencyKeyReused] }
        if showsSecret { all.append(.idempotencyKey) }
        if isAboutAll { all.append(.collectionNotAllowed) }
        switch condition {
        case .match: all += [.preconditionRequired, .changedMeanwhile, .linkDeleted]
        case .isNew: all += [.preconditionRequired, .linkExists]
        case .hasChanged, nil: break
        }
        return all + ownProblems
    }

    /// The status of a problem.
    func status(of problem: ProblemKind) -> Int {
        isFirebase ? problem.firebaseStatus : problem.status
    }

    /// True if `Idempotency-Key` has a meaning: a secret is not kept. What changes nothing keeps no answer either:
    /// a token that may only read stores nothing. Firebase's operations give the same answer to the
    /// same request anyway.
    var isRepeatable: Bool {
        keepsAnswer
            || method == "POST" && content != nil && !isFirebase && !showsSecret && !isReading
    }

    var changesNothing: Bool { method == "GET" || isReading }

    /// True if `Prefer: wait` has a meaning: it changes a link, which other nodes answer then.
    var isAwaitable: Bool {
        path.first == "links" && transfer == nil && !isFirebase && !changesNothing
    }

    /// - Throws: why the key cannot be used.
    func check(idempotencyKey key: String, isRepeated: Bool) throws(Problem) {
        guard !showsSecret else {
            throw Problem(
                .idempotencyKey,
                "the answer has a secret, which is not kept to be repeated; leave the field "
                    + "out, and remove a token whose answer was lost")
        }
        // It is one value, and no list (draft-ietf-httpapi-idempotency-key-header §2).
        guard !isRepeatable || !isRepeated else {
            throw Problem(.idempotencyKey, "there are several; send one for each request")
        }
        guard !isRepeatable || (1...Self.keyBytesMax).contains(key.utf8.count) else {
            throw Problem(
                .idempotencyKey,
                "it has \(key.utf8.count) bytes, may have \(Self.keyBytesMax)")
        }
    }

    private static let keyBytesMax = 255

    static func isVariable(_ segment: String) -> Bool { segment.utf8.first == UInt8(ascii: "{") }

    /// The values that a path has in place of the variables; nil for another path.
    func values(in path: [String]) -> [String]? {
        guard path.count == self.path.count else { return nil }
        var values = [String]()
        for (own, segment) in zip(self.path, path) {
            if Self.isVariable(own) {
                values.append(segment)
            } else if own != segment {
                return nil
            }
        }
        return values
    }

    /// - Throws: what is wrong with the items of a query.
    func check(_ items: [(name: String, value: String)]) throws(Problem) {
        var seen = Set<String>()
        for (name, value) in items {
            guard let parameter = query.first(where: { $0.name == name }) else {
                // Google's libraries add `alt` and `prettyPrint`, which change nothing here.
                if isFirebase { continue }
                throw Problem(.query, Parameter.unknown(name, among: query))
            }
            guard seen.insert(name).inserted else {
                throw Problem(.query, "\(name) is there twice; leave one out")
            }
            if let fault = parameter.fault(of: value) { throw Problem(.query, fault) }
        }
    }
}

/// A field of answers, besides those of every answer.
enum ResponseField: String, Sendable {
    case entityTag = "ETag"
    case location = "Location"
    case next = "Link"
    case generation = "Waymark-Generation"
    case history = "Waymark-History"
    case applied = "Preference-Applied"
    case nodes = "Waymark-Nodes"

    /// For people.
    var summary: String {
        switch self {
        case .entityTag: "The entity tag of the link, for If-Match."
        case .location: "The path of what was made."
        case .next: "The next page, if there is one: </v1/…>; rel=\"next\"."
        case .generation: "The number of the change to the store."
        case .history: "The mark of the history to which the generation belongs."
        case .applied: "The wait that the request has asked for, and got."
        case .nodes:
            "After a wait: the nodes that answer with the change, and all nodes that are there, such as 2/3."
        }
    }
}
