import HTTPMessages
import SiteConfiguration

/// The answers that consist of a status and a line of text, prepared for every status.
struct PreparedStatuses: Sendable {
    private let answers: [PreparedAnswer]
    /// For each status code the index of its answer.
    private let indexes: [UInt8]
    /// 404 and 410 for a link that has something for other visitors, or at another time.
    let notFoundForVisitor: PreparedAnswer
    let goneForVisitor: PreparedAnswer
    /// The heads of redirects, but for their Location: for this visitor, in the order of
    /// `RedirectStatus.allCases`, and for everybody.
    private let redirects: [PreparedHead]
    let permanentRedirect: PreparedHead
    /// 400 for a request that should have been encrypted.
    let plainRequest: PreparedAnswer

    init(_ store: inout ResponseBytes) {
        var answers = [PreparedAnswer]()
        var indexes = [UInt8](repeating: 0, count: 600)
        for status in Status.allCases {
            indexes[status.rawValue] = UInt8(answers.count)
            answers.append(Self.answer(status, [], &store))
        }
        (self.answers, self.indexes) = (answers, indexes)
        notFoundForVisitor = Self.answer(.notFound, visitorFields, &store)
        goneForVisitor = Self.answer(.gone, visitorFields, &store)
        // Another visitor may be sent elsewhere, so caches must not keep it. A browser that keeps a
        // permanent redirect would never ask again, whatever the configuration says by then.
        redirects = RedirectStatus.allCases.map { status in
            store.addHead(
                Status(rawValue: status.rawValue) ?? .found,
                fieldLines([
                    "Content-Length: 0", "Cache-Control: private, no-store", "Vary: User-Agent",
                ]))
        }
        permanentRedirect = store.addHead(.permanentRedirect, fieldLines(["Content-Length: 0"]))
        plainRequest = Self.answer(
            .badRequest, [], &store,
            advice: "This port speaks HTTPS: the URL must begin with https://\n")
    }

    /// The head of a redirect for this visitor.
    func redirect(_ status: RedirectStatus) -> PreparedHead {
        switch status {
        case .movedPermanently: redirects[0]
        case .found: redirects[1]
        case .temporaryRedirect: redirects[2]
        case .permanentRedirect: redirects[3]
        }
    }

    subscript(status: Status) -> PreparedAnswer { answers[Int(indexes[status.rawValue])] }

    private static func answer(
        _ status: Status, _ more: [String], _ store: inout ResponseBytes, advice: String = ""
    ) -> PreparedAnswer {
        var fields = ["X-Content-Type-Options: nosniff"] + more
        var body = [UInt8]()
        if status != .noContent {
            body = Array("\(status.rawValue) \(status.reason)\n\(advice)".utf8)
            fields += ["Content-Length: \(body.count)", "Content-Type: text/plain; charset=utf-8"]
        }
        switch status {
        case .methodNotAllowed, .noContent: fields.append("Allow: GET, HEAD, OPTIONS")
        case .serviceUnavailable, .tooManyRequests: fields.append("Retry-After: 5")
        default: break
        }
        return PreparedAnswer(
            head: store.addHead(status, fieldLines(fields)), body: store.add(body))
    }
}
