import Associations
import Foundation
import JSONSyntax
import LinkAPI
import LinkIndex
import LinkStore
import Resolution
import SiteConfiguration

/// The API of stored links with a store of its own.
final class Asker: @unchecked Sendable {
    static let shared = Asker()

    private let api: LinkAPI
    private let store: LinkStore
    private let resolver: LinkResolver
    let link: String
    private let milliseconds = 1_800_000_000_000
    private static let secret = "secret"
    private static let configuration = """
        version: 1
        apps:
          shop:
            ios: {id: ABCDE12345.com.example.shop, store: 123456789}
            android: {package: com.example.shop, sha256: "\(String(repeating: "AB:", count: 31))AB"}
        links:
          short: {match: /s/*, stored: {destinations: [www.example.com, "*.example.org/a/", store]}}
          exact:
            match: /x/*
            stored:
              destinations: [www.example.com, store]
              case: exact
              firebase: [long-links, debug, api]
        environments:
          prod:
            hosts: [go.example.com]
            tls: {certificate: c.pem, key: k.pem}
            publish: {shop: [short, exact]}
            store: links.db
        """

    private init() {
        let read = Configuration.read(Array(Self.configuration.utf8), file: "f")
        guard let environment = read.configuration?.environments.first,
            let store = try? LinkStore(NSTemporaryDirectory() + "fuzz-\(UUID()).db")
        else { preconditionFailure("\(read.diagnostics)") }
        self.store = store
        let resolver = LinkResolver(environment.sites[0])
        self.resolver = resolver
        api = LinkAPI(
            environment: "prod",
            sites: environment.sites.map { APISite($0, Router($0, files: []), resolver) })
        let made = api.answer(
            Self.request(
                "POST", ["links"],
                Array(#"{"collection": "short", "destination": "https://www.example.com/"}"#.utf8)),
            store, at: milliseconds, localSecret: Self.secret)
        let json = JSONDocument(made.content, file: "made").root
        link = json?["id"]?.text ?? ""
        require(!link.isEmpty, String(decoding: made.content, as: UTF8.self))
    }

    private static func request(
        _ method: String, _ path: [String], _ content: [UInt8], type: String = "application/json",
        _ query: [(name: String, value: String)] = []
    ) -> APIRequest {
        var request = APIRequest(
            method: method, path: path, query: query,
            fields: [
                "authorization": "Bearer \(secret)", "content-type": type,
                method == "PUT" ? "if-none-match" : "if-match": "*",
            ], content: content)
        request.isLocal = true
        return request
    }

    func check(_ content: [UInt8], _ method: String, _ path: [String]) {
        let response = measure { answer(method, path, content) }
        require(
            [200, 201, 400, 404, 409, 410, 412, 422].contains(response.status), "\(response.status)"
        )
        let document = JSONDocument(response.content, file: "answer")
        require(
            response.content.isEmpty || document.isValid,
            String(decoding: response.content, as: UTF8.self))
        guard response.status < 300, let root = document.root else { return }
        if let url = root["destination"]?.text { requireAllowed(url) }
        // Each request looks at all tokens.
        if path == ["tokens"], let id = root["id"]?.text { _ = answer("DELETE", ["tokens", id]) }
    }

    private func answer(
        _ method: String, _ path: [String], _ content: [UInt8] = []
    ) -> APIResponse {
        api.answer(
            Self.request(method, path, content), store, at: milliseconds, localSecret: Self.secret)
    }

    /// Asks for a long link with this query.
    func visit(_ query: [UInt8]) {
        let text = Array("https://go.example.com/x/?".utf8) + query
        guard let url = measure({ try? LinkURL(utf8: text) }) else { return }
        var scratch = LinkScratch()
        scratch.index = store.index
        let profile = VisitorProfile.all[query.count % VisitorProfile.all.count]
        let decision = measure {
            resolver.decide(
                url, for: Visitor(userAgent: profile.userAgent), at: nil, &scratch)
        }
        switch decision.answer {
        case .redirect(let location, _):
            requireAllowed(String(decoding: location, as: UTF8.self))
        case .landing(let offer), .summary(let offer):
            if let url = offer.webURL { requireAllowed(url) }
        case .page, .notFound, .gone, .fallback, .tooLong, .refused, .debug: break
        }
    }

    private func requireAllowed(_ url: String) {
        let parts = URLComponents(string: url)
        let host = parts?.host?.lowercased() ?? ""
        let isAllowed =
            host == "www.example.com"
            || host.hasSuffix(".example.org") && parts?.path.hasPrefix("/a/") == true
            || ["play.google.com", "apps.apple.com"].contains(host)
        require(isAllowed && parts?.user == nil, url)
    }

    /// What apps report.
    func reportOpens(_ content: [UInt8]) {
        let (response, opens) = measure {
            api.readOpens(content, from: "\(content.count)", in: store.index, at: milliseconds)
        }
        require([204, 400, 422, 429].contains(response.status), "\(response.status)")
        require(opens.count <= 100, "\(opens.count)")
        require(response.content.count <= 65_536, "\(response.content.count)")
    }

    /// - Returns: the answer.
    func importAll(
        _ content: [UInt8], _ type: String, _ query: [(name: String, value: String)],
        pieceBytes: Int
    ) -> [UInt8] {
        let begun = api.admit(
            Self.request("POST", ["import"], [], type: type, query + [("dry-run", "true")]), store,
            at: milliseconds, localSecret: Self.secret)
        guard case .success(let admitted) = begun, case .import(let options) = admitted.transfer
        else {
            // The columns are the only part of the request that a target takes from its input.
            require(query.contains { $0.name == "columns" }, "an import is refused")
            return []
        }
        var (reader, lines) = (ImportReader(options), [ImportedLine]())
        func take(isEnd: Bool) {
            while let line = reader.next(isEnd: isEnd) {
                lines.append(options.read(line, at: milliseconds / 1_000))
            }
        }
        for piece in stride(from: 0, to: content.count, by: pieceBytes) {
            reader.add(Array(content[piece..<min(piece + pieceBytes, content.count)]))
            take(isEnd: false)
        }
        take(isEnd: true)
        let rehearsal = ImportRehearsal()
        var (rest, report) = (lines[...], [UInt8]())
        while !rest.isEmpty {
            switch api.apply(rest, of: options, store, at: milliseconds, rehearsal) {
            case .failure(let response): require(false, "\(response.status)")
            case .success(let outcomes):
                require(1...rest.count ~= outcomes.count, "\(outcomes.count) of \(rest.count)")
                report += options.report(outcomes)
                rest = rest.dropFirst(outcomes.count)
            }
        }
        return report
    }

    /// The lines of a report are JSON; those of thousands are like the first.
    func checkReport(_ report: [UInt8]) {
        for line in report.split(separator: 0x0A, maxSplits: 50).prefix(50) {
            require(
                JSONDocument(Array(line), file: "report").isValid,
                String(decoding: line, as: UTF8.self))
        }
    }
}
