import Diagnostics

/// The kinds of problems that the API answers with. The name is the end of a problem's type.
enum ProblemKind: String, CaseIterable, Sendable {
    case invalidPath = "invalid-path"
    case query
    case otherHistory = "other-history"
    case invalidJSON = "invalid-json"
    case idempotencyKey = "idempotency-key"
    case unauthorized
    case scopeMissing = "scope-missing"
    case collectionNotAllowed = "collection-not-allowed"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case contentStalled = "content-stalled"
    case malformedContent = "malformed-content"
    case slugTaken = "slug-taken"
    case externalIDTaken = "external-id-taken"
    case linkDeleted = "link-deleted"
    case linkExists = "link-exists"
    case changedMeanwhile = "changed-meanwhile"
    case contentTooLarge = "content-too-large"
    case lineTooLong = "line-too-long"
    case contentType = "content-type"
    case misdirected
    case invalidContent = "invalid-content"
    case idempotencyKeyReused = "idempotency-key-reused"
    case urlTooLong = "url-too-long"
    case preconditionRequired = "precondition-required"
    case tooManyRequests = "too-many-requests"
    case storeUnavailable = "store-unavailable"
    case busy
    case noFreeSlug = "no-free-slug"
    case noRoom = "no-room"
    case trailersTooLarge = "trailers-too-large"
    case failed

    /// The type of a problem (RFC 9457 §3.1.1).
    var type: String { "/v1/problems/\(rawValue)" }
    var status: Int { words.status }
    var title: String { words.title }

    private var words: (status: Int, title: String) {
        switch self {
        case .invalidPath: (400, "The path can be understood in two ways")
        case .query: (400, "The query is wrong")
        case .otherHistory: (400, "The generation is of another history")
        case .invalidJSON: (400, "The content is not JSON")
        case .idempotencyKey: (400, "The Idempotency-Key cannot be used")
        case .unauthorized: (401, "A token is needed")
        case .scopeMissing: (403, "The token has not the scope")
        case .collectionNotAllowed: (403, "The token is not for this collection")
        case .notFound: (404, "There is no such resource, or the token is not for it")
        case .methodNotAllowed: (405, "The resource has no such method")
        case .malformedContent: (400, "The content has no end, or wrong chunks")
        case .contentStalled: (408, "The content has stopped to come")
        case .slugTaken: (409, "The slug is taken")
        case .externalIDTaken: (409, "Another link has the external identifier")
        case .linkDeleted: (410, "The link was deleted")
        case .linkExists: (412, "The link exists")
        case .changedMeanwhile: (412, "The link was changed meanwhile")
        case .contentTooLarge: (413, "The content is too large")
        case .lineTooLong: (413, "The line of the import is too long")
        case .contentType: (415, "The content has another type")
        case .misdirected: (421, "The connection is not for this host")
        case .invalidContent: (422, "The content has faults")
        case .idempotencyKeyReused: (422, "Another request had the same Idempotency-Key")
        case .urlTooLong: (422, "The URL has too many bytes for a QR code")
        case .preconditionRequired: (428, "The request needs a condition")
        case .tooManyRequests: (429, "The client asks too often")
        case .storeUnavailable: (503, "The store cannot be used now")
        case .busy: (503, "Too many requests are under way")
        case .noFreeSlug: (503, "No free slug was found")
        case .noRoom: (507, "The stored links have all the memory that they may have")
        case .trailersTooLarge: (431, "The fields behind the content are too large")
        case .failed: (500, "The answer failed")
        }
    }

    /// The kind of a problem whose fault has this rule, if another link is in the way.
    static func conflict(_ rule: RuleName) -> ProblemKind? {
        switch rule {
        case .slugTaken: .slugTaken
        case .externalIDTaken: .externalIDTaken
        default: nil
        }
    }
}
