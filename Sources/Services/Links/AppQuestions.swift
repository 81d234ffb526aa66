package import Answering
import HTTPMessages
import LinkAPI
package import LinkIndex
import Memory
package import Snapshots
import Sockets
import URISyntax

/// Answers what apps ask of links on the hosts of sites: `GET /_/resolve`, and `POST /_/opens`.
struct AppQuestions: RequestHandler {
    var sitePrefix: String? { "/_/" }

    private let api: LinkAPI
    /// The stored links; nil while they are not read.
    private let index: @Sendable () -> LinkIndex?
    /// Takes a report of opens, whose content has come.
    private let report: @Sendable (HandledRequest, LinkAPI) -> Void

    init(
        api: LinkAPI, index: @escaping @Sendable () -> LinkIndex?,
        report: @escaping @Sendable (HandledRequest, LinkAPI) -> Void
    ) {
        (self.api, self.index, self.report) = (api, index, report)
    }

    func route(_ head: HandledHead) -> HandledRoute? {
        guard case .site = head.scope else { return nil }
        switch head.path {
        case "/_/opens":
            let methods = ["POST", "OPTIONS"]
            if head.method == .options { return .telling(methods) }
            guard head.method == .post else { return .refusing(.methodNotAllowed(methods)) }
            let type = head.value(of: "content-type")?.comparable
            let coding = head.values(of: "content-encoding").joined(separator: ", ").comparable
            if let refusal = api.refusalOfOpens(type: type, coding: coding, isSecure: head.isSecure)
            {
                return .refusing(refusal)
            }
            return HandledRoute(
                .whole(bytesMax: Self.contentBytesMax),
                problemTypes: APIResponse.typesInPlaceOfOperations
            ) { [report, api] request in
                if !request.isCancelled { report(request, api) }
            }
        case "/_/resolve":
            let methods = ["GET", "HEAD", "OPTIONS"]
            if head.method == .options { return .telling(methods) }
            guard head.method == .get || head.method.isHead else {
                return .refusing(.methodNotAllowed(methods))
            }
            return HandledRoute(
                .whole(bytesMax: 0), problemTypes: APIResponse.typesInPlaceOfOperations
            ) { [self] request in
                if !request.isCancelled { resolve(request) }
            }
        default: return nil
        }
    }

    /// For a connection that goes on asking for unknown links, after its network has asked for too
    /// many, nothing is looked up in the store.
    private func resolve(_ request: HandledRequest) {
        let query = request.head.query ?? ""
        let index = index()
        let response = api.resolve(
            queryItems(query), ifNoneMatch: request.head.value(of: "if-none-match")?.comparable,
            in: request.head.isGuesser ? index.map { _ in LinkIndex() } : index,
            at: Clock.unixSeconds, on: request.head.host, port: request.head.port)
        if response.status == 404 { request.noteMiss(ofSlug: keyedHash(0, Array(query.utf8).span)) }
        request.answer(response)
    }

    /// The most bytes of content that a request can have.
    static let contentBytesMax = 65_536
}

extension Snapshot {
    /// An origin of this snapshot that answers without a connection. It takes no reports of opens.
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - index: the stored links; nil if none are looked up.
    package func predictor(now: Int, stored index: LinkIndex?) -> Predictor {
        let links = index.map { Published<LinkIndex?>($0) }
        return Predictor(
            sites, now: now, storedLinks: links,
            handler: api.map { api in
                AppQuestions(api: api, index: { links?.value ?? nil }) { request, _ in
                    request.abort()
                }
            })
    }
}

extension HandledRoute {
    static func refusing(_ response: APIResponse) -> HandledRoute {
        HandledRoute(.refused) { $0.answer(response) }
    }

    /// An answer with the methods of a path (RFC 9110 §9.3.7).
    fileprivate static func telling(_ methods: [String]) -> HandledRoute {
        HandledRoute(.refused) {
            $0.answer(.noContent, ["Allow: \(methods.joined(separator: ", "))"])
        }
    }
}
