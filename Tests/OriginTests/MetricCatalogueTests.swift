import Foundation
import Metrics
import Origin
import TestSupport
import Testing

/// What Prometheus adds to every sample, and to buckets.
private let addedLabels: Set = ["job", "instance", "le", "alertname", "alertstate"]
/// Metrics that Prometheus makes itself.
private let foreignNames: Set = ["up"]
/// Metrics that neither a rule nor a panel asks for, each on purpose.
private let unusedNames = [
    // Reserved addresses say nothing of memory; it is here because every process has it.
    "process_virtual_memory_bytes",
    // Failures and times say more of one host.
    "waymark_acme_attempts_total",
    // Who has issued a certificate is no fault.
    "waymark_acme_certificate_info",
]

@Suite("Alert rules and dashboard know the metrics that there are")
struct MetricCatalogueTests {
    static let rules = "deploy/prometheus/waymark.rules.yaml"
    static let dashboard = "deploy/grafana/waymark.json"

    @Test("every name and label is one of the catalogue's", arguments: [rules, dashboard])
    func known(_ path: String) throws {
        let queries = try Self.queries(of: path)
        #expect(queries.count > 10)
        for query in queries { #expect(query.strangers == [], "\(query.text)") }
    }

    @Test func `every metric is asked for, or left out on purpose`() throws {
        let queries = try [Self.rules, Self.dashboard].flatMap(Self.queries)
        let asked = Set(queries.flatMap(\.names))
        let forgotten = MetricCatalogue.all.filter { family in
            !unusedNames.contains(family.name)
                && asked.isDisjoint(with: family.sampleNames + [family.name])
        }
        #expect(
            forgotten.map(\.name) == [],
            "use it in \(Self.dashboard) or \(Self.rules), or name it in this file")
        #expect(unusedNames.filter { asked.contains($0) } == [])
    }

    @Test func `samples have the labels that the catalogue says`() throws {
        let origin = try TestOrigin { site in
            site.webLinks = []
            site.hasStore = true
        }
        let client = try TestClient(port: origin.httpPort)
        client.send(
            "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"
                + "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try client.readResponse()
        let page = try TestClient(port: origin.adminPort).get("/metrics").body
        let families = Dictionary(
            uniqueKeysWithValues: MetricCatalogue.all.flatMap { family in
                family.sampleNames.map { ($0, family) }
            })
        var seen = Set<String>()
        for line in page.split(separator: "\n") where !line.hasPrefix("#") {
            let sample = Query(text: String(line))
            let family = try #require(families[sample.names.first ?? ""], "\(line)")
            seen.insert(family.name)
            let labels = sample.labels.subtracting(addedLabels)
            #expect(labels == Set(family.labels), "\(line)")
        }
        // Of links, refusals, several sites, automatic certificates, checks and nodes it has nothing to
        // report.
        #expect(seen.count >= MetricCatalogue.all.count - 19)
    }

    @Test func `every reason, state and limit is told in the runbook`() throws {
        let runbook = try Self.text(of: "docs/operations.md")
        let origin = try TestOrigin()
        let page = try TestClient(port: origin.adminPort).get("/metrics").body
        let values = Set(page.matches(of: /(?:reason|state|limit)="(\w+)"/).map(\.output.1))
        #expect(values.count > 15)
        for value in values { #expect(runbook.contains("`\(value)`"), "\(value)") }
    }

    @Test func `the documentation has a row for each, and for no other`() throws {
        let rows = MetricCatalogue.all.map { family in
            let labels = family.labels.map { "`\($0)`" }.joined(separator: ", ")
            return "| `\(family.name)` | \(family.kind) | \(labels) | \(family.help.dropLast()) |"
        }
        let written = try Self.text(of: "docs/operations.md").split(separator: "\n")
            .filter { $0.hasPrefix("| `waymark_") || $0.hasPrefix("| `process_") }
        #expect(written.map(String.init) == rows)
        let origin = try TestOrigin()
        let page = try TestClient(port: origin.adminPort).get("/metrics").body
        let types = page.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
        #expect(
            types.map(String.init)
                == MetricCatalogue.all.map { "# TYPE \($0.name) \($0.kind)" })
    }

    @Test("a label is asked for values that it can have", arguments: [rules, dashboard])
    func values(_ path: String) throws {
        let origin = try TestOrigin()
        let page = try TestClient(port: origin.adminPort).get("/metrics").body
        let known = Self.values(in: page)
        let asked = try Self.queries(of: path).flatMap { Self.values(in: $0.text) }
            .filter { known[$0.key] != nil }
        #expect(!asked.isEmpty)
        for (label, values) in asked {
            #expect(values.subtracting(known[label] ?? []) == [], "\(label)")
        }
    }

    /// The values beside each label, those of regular expressions one by one.
    private static func values(in text: String) -> [String: Set<String>] {
        let labels = ["reason", "state", "limit", "listener", "file", "fetcher"]
        return text.matches(of: /([a-z_]+)(?:=~|!~|!=|=)"([a-z_|-]+)"/).reduce(into: [:]) {
            guard labels.contains(String($1.output.1)) else { return }
            $0[String($1.output.1), default: []].formUnion(
                $1.output.2.split(separator: "|").map(String.init))
        }
    }

    @Test func `an alert has a severity, says what to do, and where that stands`() throws {
        let runbook = try Self.text(of: "docs/operations.md")
        let sections = runbook.split(separator: "\n").filter { $0.hasPrefix("### Waymark") }
            .map { String($0.dropFirst(4)) }
        let alerts = try Self.alerts()
        #expect(alerts.map(\.name) == sections)
        for alert in alerts {
            #expect(alert.text.contains(/severity: (critical|warning)/), "\(alert.name)")
            for part in ["summary", "description"] {
                #expect(alert.text.contains("          \(part): "), "\(alert.name)")
            }
            let anchor = "docs/operations.md#\(alert.name.lowercased())\n"
            #expect(alert.text.contains("          runbook: \(anchor)"), "\(alert.name)")
        }
        let tests = try Self.text(of: "Tests/Tools/alerts.test.yaml")
        for alert in alerts { #expect(tests.contains("alertname=\"\(alert.name)\"")) }
    }

    @Test(
        "a name or a label that is none is found",
        arguments: [
            ("waymark_reddy == 0", ["waymark_reddy"]),
            ("sum by (rout) (waymark_http_requests_total)", ["rout"]),
            ("waymark_ready{route=\"aasa\"}", ["route"]), ("{{ $labels.rout }}", ["rout"]),
            ("process_open_fds{instance=\"a\"}", []), ("up{job=\"waymark\"} == 0", []),
            ("sum by (le) (rate(waymark_http_response_size_bytes_bucket{route=~\"a\"}[5m]))", []),
        ])
    func finds(_ text: String, _ strangers: [String]) {
        #expect(Query(text: text).strangers == strangers)
    }

    // MARK: Reading them

    private static func text(of path: String) throws -> String {
        try String(contentsOfFile: repository(path), encoding: .utf8)
    }

    private static func queries(of path: String) throws -> [Query] {
        guard path == dashboard else { return try alerts().map { Query(text: $0.text) } }
        let data = Data(try text(of: path).utf8)
        return texts(of: try JSONSerialization.jsonObject(with: data)).map(Query.init)
    }

    private static func alerts() throws -> [(name: String, text: String)] {
        try text(of: rules).components(separatedBy: "- alert: ").dropFirst().map { text in
            (String(text.prefix { $0 != "\n" }), text)
        }
    }

    /// Each target of a panel with the legend beside it, and queries of annotations and variables.
    private static func texts(of value: Any) -> [String] {
        if let list = value as? [Any] { return list.flatMap(texts) }
        guard let members = value as? [String: Any] else { return [] }
        let keys = ["expr", "legendFormat", "textFormat", "definition"]
        let own = keys.compactMap { members[$0] as? String }.joined(separator: " ")
        return (own.isEmpty ? [] : [own]) + members.values.flatMap(texts)
    }
}

/// An expression of PromQL, or a sample, as far as names and labels go.
private struct Query {
    let text: String

    var names: [String] {
        text.matches(of: /\b(?:waymark|process)_[a-z0-9_]+|\bup\b(?={)/).map { String($0.output) }
    }

    var labels: Set<String> {
        let matchers = text.matches(of: /([a-z_]+)(?:=~|!~|!=|=)"/).map { String($0.output.1) }
        let lists = text.matches(of: /\b(?:by|on|without|ignoring) \(([^)]*)\)/).flatMap { match in
            match.output.1.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let variables = text.matches(of: /{{ ?(?:\$labels\.)?([a-z_]+)/).map { String($0.output.1) }
        return Set(matchers + lists + variables)
    }

    /// What the catalogue does not know; a label must belong to one of the metrics beside it.
    var strangers: [String] {
        let families = MetricCatalogue.all.filter { family in
            names.contains { family.sampleNames.contains($0) }
        }
        let known = Set(families.flatMap(\.sampleNames)).union(foreignNames)
        let unknown = Set(names).subtracting(known)
        let labelled = addedLabels.union(families.flatMap(\.labels))
        return unknown.sorted() + labels.subtracting(labelled).sorted()
    }
}

extension MetricFamily {
    /// The names that its samples may have.
    fileprivate var sampleNames: [String] {
        kind == .histogram ? ["\(name)_bucket", "\(name)_sum", "\(name)_count"] : [name]
    }
}
