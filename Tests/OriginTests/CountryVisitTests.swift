import Answering
import Countries
import Diagnostics
import Glibc
import LinkStore
import Services
import SiteConfiguration
import Snapshots
import Sockets
import TestSupport
import Testing

@testable import Origin

@Suite("Countries of visits, over sockets")
struct CountryVisitTests {
    private static let agent =
        "User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
        + "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1\r\n"

    /// A file of addresses of IPv4, of which those below 64.0.0.0 have no country, and all others have AT.
    static let file: [UInt8] = [
        0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x12, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x12, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0xE1, 0x47, 0x63, 0x6F, 0x75, 0x6E, 0x74, 0x72, 0x79, 0xE1, 0x48, 0x69, 0x73, 0x6F, 0x5F,
        0x63, 0x6F, 0x64, 0x65, 0x42, 0x41, 0x54, 0xAB, 0xCD, 0xEF, 0x4D, 0x61, 0x78, 0x4D, 0x69,
        0x6E, 0x64, 0x2E, 0x63, 0x6F, 0x6D, 0xE6, 0x5B, 0x62, 0x69, 0x6E, 0x61, 0x72, 0x79, 0x5F,
        0x66, 0x6F, 0x72, 0x6D, 0x61, 0x74, 0x5F, 0x6D, 0x61, 0x6A, 0x6F, 0x72, 0x5F, 0x76, 0x65,
        0x72, 0x73, 0x69, 0x6F, 0x6E, 0xA1, 0x02, 0x4B, 0x62, 0x75, 0x69, 0x6C, 0x64, 0x5F, 0x65,
        0x70, 0x6F, 0x63, 0x68, 0x04, 0x02, 0x65, 0x53, 0xF1, 0x00, 0x4D, 0x64, 0x61, 0x74, 0x61,
        0x62, 0x61, 0x73, 0x65, 0x5F, 0x74, 0x79, 0x70, 0x65, 0x41, 0x43, 0x4A, 0x69, 0x70, 0x5F,
        0x76, 0x65, 0x72, 0x73, 0x69, 0x6F, 0x6E, 0xA1, 0x04, 0x4A, 0x6E, 0x6F, 0x64, 0x65, 0x5F,
        0x63, 0x6F, 0x75, 0x6E, 0x74, 0xC1, 0x02, 0x4B, 0x72, 0x65, 0x63, 0x6F, 0x72, 0x64, 0x5F,
        0x73, 0x69, 0x7A, 0x65, 0xA1, 0x1C,
    ]

    /// Follows a link from an address.
    private func visit(_ store: StoreOrigin, _ client: String, _ fields: String = "") throws {
        let visitor = try TestClient(port: store.origin.httpPort)
        visitor.send(
            "GET /s/a HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n"
                + "X-Forwarded-For: \(client)\r\n\(Self.agent)\(fields)\r\n")
        #expect(try (300..<400).contains(visitor.readResponse().status))
    }

    private static let position = SourcePosition(file: "w", line: 1, column: 1)

    private func make(_ store: StoreOrigin) throws {
        let client = try store.client
        client.send(store.creation("a"))
        _ = try client.readResponse()
        try TestSupport.wait { store.service.visits.visits.isOpen }
    }

    /// The answer by country, when so many visits are counted.
    private func countries(_ store: StoreOrigin, visits: Int) throws -> String {
        func read(_ path: String) throws -> String {
            let client = try store.client
            client.send(store.request("GET", path))
            return try client.readResponse().body
        }
        _ = try waits { try read("visits").contains("\"visits\": \(visits),") }
        return try read("visits?by=country")
    }

    private func row(_ country: String, _ visits: Int) -> String {
        "\"country\": \"\(country)\", \"visits\": \(visits)"
    }

    @Test func `a trusted proxy names the country`() throws {
        let store = try StoreOrigin({ site in
            site.countries = .header("cf-ipcountry", Self.position)
        })
        try make(store)
        for _ in 0..<5 { try visit(store, "192.0.2.1", "CF-IPCountry: AT\r\n") }
        for _ in 0..<6 { try visit(store, "192.0.2.2", "cf-ipcountry:de\r\n") }
        for value in ["XX", "T1", "", "AUT"] {
            try visit(store, "192.0.2.3", "CF-IPCountry: \(value)\r\n")
        }
        try visit(store, "192.0.2.4")
        try visit(store, "192.0.2.5", "CF-IPCountry: AT\r\nCF-IPCountry: CH\r\n")
        try visit(store, "192.0.2.6", "CF-IPCountry: CH\r\n")
        let text = try countries(store, visits: 18)
        for row in [row("AT", 5), row("DE", 6), row("unknown", 6), row("other", 1)] {
            #expect(text.contains(row), "\(text)")
        }
    }

    @Test func `anybody else is not believed`() throws {
        let store = try StoreOrigin({ site in
            site.countries = .header("cf-ipcountry", Self.position)
            site.proxies.trusted = []
        })
        try make(store)
        for _ in 0..<6 {
            let answer = shell(
                "printf 'GET /s/a HTTP/1.1\\r\\nHost: localhost\\r\\nCF-IPCountry: AT\\r\\n\(Self.agent)"
                    + "Connection: close\\r\\n\\r\\n' | openssl s_client -quiet -connect "
                    + "127.0.0.1:\(store.origin.httpsPort) -servername localhost 2>/dev/null"
            ).output
            #expect(answer.hasPrefix("HTTP/1.1 3"), "\(answer)")
        }
        let text = try countries(store, visits: 6)
        #expect(text.contains(row("unknown", 6)), "\(text)")
    }

    @Test func `an address has the country of the file`() throws {
        let store = try StoreOrigin(
            { site in site.countryFile = "countries.mmdb" },
            prepare: { store in
                let path = "\(store.dropLast("links.db".count))countries.mmdb"
                guard let file = fopen(path, "w") else { return }
                _ = fwrite(Self.file, 1, Self.file.count, file)
                fclose(file)
            })
        try make(store)
        // What the client says of itself is of no interest.
        for _ in 0..<7 { try visit(store, "192.0.2.1", "CF-IPCountry: DE\r\n") }
        for _ in 0..<5 { try visit(store, "1.2.3.4") }
        try visit(store, "2001:db8::1")
        let text = try countries(store, visits: 13)
        #expect(text.contains(row("AT", 7)) && text.contains(row("unknown", 6)), "\(text)")
    }

    @Test func `nothing is counted where nothing is configured`() throws {
        let store = try StoreOrigin()
        try make(store)
        for _ in 0..<6 { try visit(store, "192.0.2.1", "CF-IPCountry: AT\r\n") }
        let text = try countries(store, visits: 6)
        #expect(text.contains("\"rows\":") && !text.contains("\"country\":"), "\(text)")
    }

    // MARK: Reloads

    @Test(
        arguments: [
            (nil, "cannot be read"), ("<html>", "is no MaxMind DB"),
        ] as [(String?, String)])
    func `a file that is none refuses the configuration`(content: String?, fact: String) throws {
        let directory = try TemporaryDirectory()
        var site = TestSite()
        site.countryFile = "countries.mmdb"
        if let content { try directory.write("countries.mmdb", Array(content.utf8)) }
        let error = #expect(throws: BuildError.self) { try TestOrigin.snapshot(site, directory) }
        let finding = try #require(error?.diagnostics.first)
        #expect(finding.message.contains("country file") && finding.message.contains(fact))
        #expect(finding.position?.file == "test.yaml" && finding.advice != nil)
    }

    @Test func `a file is read again when it has changed`() throws {
        let directory = try TemporaryDirectory()
        var site = TestSite()
        site.countryFile = "countries.mmdb"
        try directory.write("countries.mmdb", Self.file)
        let environment = try TestOrigin.environment(site, directory)
        func build(after previous: Snapshot?) throws -> (Snapshot, CountryTable) {
            let snapshot = try Snapshot.build(
                environment, limits: .patient, ticketKeys: try TestOrigin.ticketKeys.get(),
                after: previous, now: Clock.unixSeconds)
            guard case .table(let table) = snapshot.countries.source else {
                throw CountryFileError.isNoDatabase
            }
            return (snapshot, table)
        }
        let (first, table) = try build(after: nil)
        let (second, same) = try build(after: first)
        #expect(same === table)
        unlink("\(directory.path)/countries.mmdb")
        try directory.write("countries.mmdb", Self.file)
        let (_, other) = try build(after: second)
        #expect(other !== table)
        // What only a prediction needs is there without it.
        unlink("\(directory.path)/countries.mmdb")
        let predicted = try Snapshot.build(
            environment.withoutCertificates, limits: .patient,
            ticketKeys: try TestOrigin.ticketKeys.get(), now: Clock.unixSeconds)
        #expect(predicted.api == nil)
    }
}
