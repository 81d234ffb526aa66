import Diagnostics

/// A reason for which a request is refused (RFC 9457).
struct Problem: Error, Sendable {
    let kind: ProblemKind
    var detail: String?
    /// Everything that is wrong with the content.
    var errors = [PointedFault]()
    var fields = [String: String]()
    /// True if an app has asked for a link that does not exist.
    var isMiss = false
    /// The collection and the slug of a new link that was refused for something else.
    var wanted: (collection: ServedCollection, slug: String)?

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
        let more = unlistedErrors?.detail
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

    /// A fault that stands for the errors that are not listed; nil if all are.
    var unlistedErrors: PointedFault? { unlisted(from: listedErrors.endIndex) }

    /// The same with so many of its errors at most, and a fault that stands for the others.
    func keeping(_ count: Int) -> Problem {
        guard errors.count > count, let rest = unlisted(from: count) else { return self }
        var problem = self
        problem.errors[count...] = [rest]
        return problem
    }

    private func unlisted(from index: Int) -> PointedFault? {
        let rest = errors[index...].reduce(0) { $0 + $1.count }
        return rest > 0 ? PointedFault(moreThanKept: rest, "errors are not listed") : nil
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
        var problem = Problem(.methodNotAllowed, "it has \(methods.joined(separator: ", "))")
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
