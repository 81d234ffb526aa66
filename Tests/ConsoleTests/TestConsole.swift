@testable import Console
import Foundation
import JSONSyntax
@testable import LinkAPI
import LinkIndex
import LinkStore
import Resolution
import SiteConfiguration
import Testing
import Visits

/// The console over an API with a store of its own.
final class TestConsole {
    static let configuration = """
        version: 1
        apps:
          shop:
            name: Shop
            ios: {id: ABCDE12345.com.example.shop, store: 123456789}
            android: {package: com.example.shop, sha256: ["\(String(repeating: "AB:", count: 31))AB"]}
        links:
          info: {match: /s/info, web: https://www.example.com/info}
          short:
            match: /s/*
            stored: {destinations: [www.example.com, store]}
            web: {ios: landing}
          exact: {match: /X/*, stored: {destinations: "*", case: exact}}
        environments:
          prod:
            hosts: [go.example.com]
            tls: {certificate: c.pem, key: k.pem}
            publish: {shop: [info, short]}
            store: var/links.db
        """
    private let directory: String
    let store: LinkStore
    private let withoutCollections: LinkAPI
    private(set) var api: LinkAPI
    let visits = SharedVisits()
    private var tokens = [ConsoleRole: String]()
    /// Seconds since 1970.
    var now = 1_800_000_000
    private static let secret = "the local secret"
    /// The pages that clients get.
    var pages: (ServedPage.Question) -> ServedPage? = { _ in nil }
    /// What administrators see of the server.
    var health = ServerHealth()
    /// The questions for which the store cannot be reached.
    var isAway: (ConsoleAPI.Question) -> Bool = { _ in false }
    /// The name of the person, which the audit does not have: its changes are by tokens.
    var personName = "Anna"
    /// Whether an import has a transaction for 64 lines each.
    var endsTransactionsSoon = false
    /// Called before each question of a page.
    var before: (ConsoleAPI.Question) -> Void = { _ in }

    /// - Parameters:
    ///   - more: keys of the environment.
    ///   - countsCountries: whether the countries of visits are counted.
    ///   - countryAttribution: the line below them.
    ///   - logo: the picture that codes can have.
    init(
        _ more: String = "", countsCountries: Bool = false, countryAttribution: String? = nil,
        logo: CodeLogo? = nil
    ) throws {
        directory = NSTemporaryDirectory() + "waymark-console-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        store = try LinkStore(directory + "/links.db")
        let read = Configuration.read(Array((Self.configuration + more).utf8), file: "waymark.yaml")
        let environment = try #require(read.configuration?.environments.first)
        let sites = environment.sites.map { site in
            APISite(site, Router(site, files: []), LinkResolver(site), logo: logo)
        }
        api = LinkAPI(
            environment: "prod", sites: sites, countsCountries: countsCountries,
            countryAttribution: countryAttribution)
        withoutCollections = LinkAPI(environment: "prod", sites: [])
        try visits.open(store.path + ".visits")
        let scopes: [(ConsoleRole, String)] = [
            (.viewer, #""links.read","stats.read","audit.read""#),
            (
                .editor,
                #""links.read","stats.read","audit.read","links.create","links.write","links.delete""#
            ), (.admin, #""admin""#),
        ]
        for (role, names) in scopes {
            let json = #"{"name": "\#(role.rawValue)", "scopes": [\#(names)]}"#
            tokens[role] = ask("POST", ["tokens"], json).json?["token"]?.text
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// Asks the API, as whoever runs the origin.
    @discardableResult
    func ask(
        _ method: String, _ path: [String], _ json: String = "", _ fields: [String: String] = [:]
    ) -> ConsoleAPI.Answer {
        answer(
            ConsoleAPI.Question(
                method: method, path: path, query: [], fields: fields,
                content: json.isEmpty ? nil : Array(json.utf8)), Self.secret)
    }

    private func answer(_ question: ConsoleAPI.Question, _ token: String) -> ConsoleAPI.Answer {
        var fields = question.fields
        fields["authorization"] = "Bearer \(token)"
        if question.content != nil { fields["content-type"] = question.type }
        let request = APIRequest(
            method: question.method, path: question.path, query: question.query, fields: fields,
            content: question.content ?? [])
        if question.path == ["import"] { return shown(imported(request, token)) }
        var response = api.answer(
            request, store, at: now * 1000, localSecret: Self.secret, visits: visits)
        while let rest = response.rest { response = rest.next(store) }
        return shown(response)
    }

    private func shown(_ response: APIResponse) -> ConsoleAPI.Answer {
        ConsoleAPI.Answer(
            status: response.status, type: response.type, fields: response.fields,
            content: response.content)
    }

    /// Goes on with a configuration that has no collection.
    func removeCollections() { api = withoutCollections }

    /// Goes on with a configuration that has one collection of two.
    func removeCollections(but name: String) {
        let other = name == "exact" ? "short" : "exact"
        let lines = Self.configuration.split(separator: "\n", omittingEmptySubsequences: false)
        var kept = [Substring]()
        var isOther = false
        for line in lines {
            if line.hasPrefix("  ") && !line.hasPrefix("   ") {
                isOther = line.hasPrefix("  \(other):")
            }
            if !isOther || !line.hasPrefix("  ") { kept.append(line) }
        }
        let text = kept.joined(separator: "\n").replacing("[info, short]", with: "[info]")
        let read = Configuration.read(Array(text.utf8), file: "waymark.yaml")
        let sites = (read.configuration?.environments.first?.sites ?? []).map { site in
            APISite(site, Router(site, files: []), LinkResolver(site))
        }
        api = LinkAPI(environment: "prod", sites: sites)
    }

    func make(_ json: String) throws -> String {
        let answer = ask("POST", ["links"], json)
        return try #require(
            answer.json?["id"]?.text, "\(String(decoding: answer.content, as: UTF8.self))")
    }

    func link(_ id: String) -> JSONValue? { ask("GET", ["links", id]).json }

    /// What two sendings of a form are answered, as after a double click: the second is handled when the first is about to do what
    /// it is for.
    func postTwice(
        _ path: String, _ form: [(String, String)], as role: ConsoleRole = .editor
    ) -> (first: ConsoleResponse, second: ConsoleResponse?) {
        var other: ConsoleResponse?
        before = { [unowned self] question in
            let isRehearsal = question.query.contains {
                $0.name == "dry-run" && $0.value == "true"
            }
            guard question.method == "POST", !isRehearsal else { return }
            before = { _ in }
            other = post(path, form, as: role)
        }
        return (post(path, form, as: role), other)
    }

    // MARK: Pages

    func get(
        _ path: String, as role: ConsoleRole = .editor, _ language: ConsoleLanguage = .en,
        isTopLevel: Bool = false
    ) -> ConsoleResponse {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let query = (parts.count < 2 ? [] : parts[1].split(separator: "&")).map { item in
            let pair = item.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false
            ).map { $0.removingPercentEncoding ?? "" }
            return (name: pair[0], value: pair[1])
        }
        let segments = path.hasPrefix("?") ? [] : parts.first?.split(separator: "/") ?? []
        var request = ConsoleRequest(
            .get, segments.map(String.init), query: query, person: ConsolePerson(personName, role),
            setting: setting(language), now: now)
        request.isTopLevel = isTopLevel
        return answer(request, role)
    }

    func post(
        _ path: String, _ form: [(String, String)], as role: ConsoleRole = .editor,
        _ language: ConsoleLanguage = .en
    ) -> ConsoleResponse {
        answer(
            ConsoleRequest(
                .post, path.split(separator: "/").map(String.init),
                form: form.map { (name: $0.0, value: $0.1) },
                person: ConsolePerson(personName, role), setting: setting(language), now: now), role
        )
    }

    private func setting(_ language: ConsoleLanguage) -> ConsoleSetting {
        var setting = ConsoleSetting(environment: "prod", language: language, isSecure: true)
        if let (name, rules) = api.zoneOfSites(at: now) { setting.clock = SiteClock(name, rules) }
        return setting
    }

    private func answer(_ request: ConsoleRequest, _ role: ConsoleRole) -> ConsoleResponse {
        let token = tokens[role] ?? ""
        return Console.answer(
            request,
            ConsoleAPI(
                { [self] question in
                    before(question)
                    return isAway(question)
                        ? shown(Problem.store("the database does not answer").response)
                        : answer(question, token)
                }, page: { [self] in pages($0) },
                health: { [self] in role == .admin ? health : nil }))
    }
}

extension ConsoleResponse {
    var text: String { String(decoding: content, as: UTF8.self) }
    func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    /// The id of the link to whose page it leads.
    var linkID: String? {
        field("Location")?.split(separator: "?").first?.split(separator: "/").last.map(String.init)
    }
}
