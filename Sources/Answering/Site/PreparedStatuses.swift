import HTTPMessages
import SiteConfiguration

/// The answers that consist of a status and a line of text, prepared for every status. It is small,
/// because a loop moves it whenever another site answers.
struct PreparedStatuses: Sendable {
    /// One for each status, and at the end those with a name.
    private let answers: [PreparedAnswer]
    /// For each status code the index of its answer.
    private let indexes: [UInt8]
    /// The heads of redirects up to the URL of their Location: for this visitor, in the order of
    /// `RedirectStatus.allCases`, and last for everybody.
    private let redirects: [PreparedHead]

    /// 404 and 410 for a link that has something for other visitors, or at another time.
    var notFoundForVisitor: PreparedAnswer { answers[answers.count - 3] }
    var goneForVisitor: PreparedAnswer { answers[answers.count - 2] }
    /// 400 for a request that should have been encrypted.
    var plainRequest: PreparedAnswer { answers[answers.count - 1] }
    var permanentRedirect: PreparedHead { redirects[redirects.count - 1] }

    init(_ store: inout ResponseBytes) {
        var answers = [PreparedAnswer]()
        var indexes = [UInt8](repeating: 0, count: 600)
        for status in Status.allCases {
            indexes[status.rawValue] = UInt8(answers.count)
            answers.append(Self.answer(status, [], &store))
        }
        answers.append(Self.answer(.notFound, visitorFields, &store))
        answers.append(Self.answer(.gone, visitorFields, &store))
        answers.append(
            Self.answer(
                .badRequest, [], &store,
                advice: "This port speaks HTTPS: the URL must begin with https://\n"))
        (self.answers, self.indexes) = (answers, indexes)
        // Another visitor may be sent elsewhere, so caches must not keep it. A browser that keeps a
        // permanent redirect would never ask again, whatever the configuration says by then.
        let found = RedirectStatus.allCases.map { status in
            store.addHead(
                Status(rawValue: status.rawValue) ?? .found,
                fieldLines([
                    "Content-Length: 0", "Cache-Control: private, no-store", "Vary: User-Agent",
                ]) + "Location: ".utf8)
        }
        let forAll = fieldLines(["Content-Length: 0"]) + "Location: ".utf8
        redirects = found + [store.addHead(.permanentRedirect, forAll)]
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
