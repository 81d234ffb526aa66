import SiteConfiguration
import TestSupport
import Testing

@testable import Migration

@Suite("Limits of translations")
struct LimitTests {
    private func written(
        _ files: [(String, Migration.Kind)], _ hosts: [String] = []
    ) throws -> Migration.Written {
        var migration = Migration()
        for (number, (text, kind)) in files.enumerated() {
            migration.add(Array(text.utf8), as: kind, file: "file\(number)")
        }
        return try migration.written(
            hosts: hosts, certificates: ("a", "b"), hasPage: { _ in false })
    }

    private static func servers(_ count: Int) -> String {
        (0..<count).map {
            "server { server_name h\($0).example; location /a { return 301 https://o\($0).example/; } }\n"
        }.joined()
    }

    // MARK: Sites

    @Test func `sites beyond the limit are listed, also one that only the command line names`()
        throws
    {
        let most = ConfigurationLimits.sitesMax
        let files: [(String, Migration.Kind)] = [
            (Self.servers(most), .nginx), ("/z https://o.example/z", .netlify),
        ]
        let lost = try written(files, ["new.example"]).lost
        #expect(lost == ["new.example: a configuration can have \(most) sites"])
    }

    @Test func `as many sites as a configuration can have are written`() throws {
        let most = ConfigurationLimits.sitesMax
        let files: [(String, Migration.Kind)] = [
            (Self.servers(most - 1), .nginx), ("/z https://o.example/z", .netlify),
        ]
        let result = try written(files, ["new.example"])
        #expect(result.lost == [])
        #expect(result.configuration.environments[0].sites.count == most)
    }

    @Test func `rules of hosts beyond the limit are listed with their lines`() throws {
        let most = ConfigurationLimits.sitesMax
        let lost = try written([(Self.servers(most + 2), .nginx)]).lost
        #expect(lost.count == 2)
        #expect(lost.first?.hasPrefix("file0:\(most + 1): ") == true)
    }

    @Test func `sites beyond the bytes of a configuration are listed once`() throws {
        let hosts = (0..<300).map {
            #"{"source":"/own","has":[{"type":"host","value":"h\#($0).example"}],"destination":"/x"}"#
        }
        let common = (0..<1_000).map {
            #"{"source":"/c\#($0)","destination":"https://x.example/\#($0)"}"#
        }
        var migration = Migration()
        let text = #"{"redirects":[\#((hosts + common).joined(separator: ","))]}"#
        migration.add(Array(text.utf8), as: .vercel, file: "vercel.json")
        migration.planSites([])
        #expect(migration.links.count < 300_000)
        #expect(migration.sites.count < 300)
        #expect(migration.untranslated.count < 2_000)
        let all = Set(migration.sites.flatMap(\.hosts))
        let lost = migration.untranslated.map(\.source.line)
        #expect(!all.contains("h299.example") && !lost.isEmpty)
    }

    // MARK: Costs

    static let many: [(Migration.Kind, few: Int, @Sendable (Int) -> String)] = [
        (
            .nginx, 200,
            { "server { server_name h\($0).example; return 301 https://x.example/\($0); }\n" }
        ),
        (
            .nginx, 200,
            {
                "server { server_name h\($0).example; error_page 404 https://x.example/\($0); }\n"
            }
        ),
        (
            .apache, 200,
            {
                "RewriteEngine On\nRewriteCond %{HTTP_HOST} ^h\($0)\\.example$\n"
                    + "RewriteRule ^(.*)$ https://g\($0).example/$1 [R=301,L]\n"
            }
        ),
        (.caddy, 200, { "h\($0).example {\nredir https://x.example/\($0)\n}\n" }),
        (.netlify, 1_000, { "/a\($0) https://x.example/\($0)\n" }),
        (.csv, 1_000, { "/a\($0),https://x.example/\($0)\n" }),
        (.apache, 1_000, { "Redirect 301 /a\($0) https://x.example/\($0)\n" }),
        (.nginx, 1_000, { "location = /a\($0) { return 301 https://x.example/\($0); }" }),
        (
            .nginx, 1_000,
            { "location /a\($0) { root /x; } location /a\($0)/b { return 301 /x\($0); }" }
        ),
        (.caddy, 1_000, { "redir /a\($0) https://x.example/\($0)\n" }),
    ]

    @Test("the cost is in proportion to the number of hosts and lines", arguments: many.indices)
    func cost(_ index: Int) {
        let (kind, few, line) = Self.many[index]
        func seconds(_ count: Int) -> Duration {
            let bytes = Array((0..<count).map(line).joined().utf8)
            return processorTime {
                var migration = Migration()
                migration.add(bytes, as: kind, file: "x")
                migration.planSites([])
                _ = WrittenConfiguration(migration, ("a", "b"))
            }
        }
        _ = seconds(50)
        let (small, large) = (seconds(few), seconds(20 * few))
        // Twenty times as many; a square would take four hundred times as long.
        #expect(large < small * 100 + .seconds(1), "\(small) and \(large)")
    }

    /// Each redirect to a host of the site is followed, to find those that never end.
    @Test func `a redirect costs the same with one host and with thousands`() throws {
        func seconds(hosts: Int) throws -> Duration {
            let names = (0..<hosts).map { "h\($0).example" }
            let locations = (0..<3_000).map {
                "location = /a\($0) { return 301 https://\(names[$0 % hosts])/b\($0); }\n"
            }
            let text =
                "server { server_name \(names.joined(separator: " "));\n\(locations.joined()) }"
            return try processorTime {
                let result = try written([(text, .nginx)])
                #expect(result.lost == [])
            }
        }
        _ = try seconds(hosts: 1)
        let one = try seconds(hosts: 1)
        let many = try seconds(hosts: 4_000)
        #expect(many < one * 3 + .seconds(1), "\(one) and \(many)")
    }

    @Test func `the rules of many hosts are known by one comparison`() {
        var sets = HostSets()
        let hosts = (0..<10_000).map { "h\($0).example" }
        let took = processorTime {
            for _ in 0..<100_000 { _ = sets.number(of: hosts) }
        }
        #expect(sets.all.count == 2)
        // Comparing the hosts each time would take 10^9 comparisons.
        #expect(took < .seconds(60))
    }

    @Test func `includes and files that are too many to compare are listed`() {
        var found = FoundPaths()
        for number in 0..<2_000 { found.addFile("d/f\(number).conf", isRead: true) }
        let answers = (0..<1_000).map { found.included("d/f\($0)*.conf") }
        #expect(answers.count { $0 == .read } == FoundPaths.comparisonsMax / 2_000)
        #expect(answers.last == .unknown)
        // What was found out is known.
        #expect(found.included("d/f1*.conf") == .read)
    }

    // MARK: Snippets

    @Test func `snippets of snippets are followed`() throws {
        let result = try written([
            (
                """
                (inner) {
                  redir /a https://x.example/a
                }
                (outer) {
                  import inner
                  redir /b https://x.example/b
                }
                a.example {
                  import outer
                  handle /c/* {
                    import inner2
                  }
                }
                (inner2) {
                  redir https://x.example/c
                }
                """, .caddy
            )
        ])
        #expect(result.lost == [])
        let found = ["a", "b", "c"].filter { result.text.contains("https://x.example/\($0)") }
        #expect(found == ["a", "b", "c"])
    }

    @Test(
        "snippets that import themselves, or take arguments, are listed",
        arguments: [
            "(s) {\nimport s\n}", "(s) {\nimport t\n}\n(t) {\nimport s\n}",
            "(s) {\nredir {args[0]}\n}", "(s) {\nhandle /x {\nredir {args[0]}\n}\n}",
        ])
    func listed(_ snippets: String) throws {
        let site = "a.example {\nredir /a https://x.example/a\nimport s\n}\n"
        #expect(try written([(snippets + "\n" + site, .caddy)]).lost.count == 1)
    }

    @Test func `what snippets expand to is bounded`() {
        // Each imports the next one twice.
        let doubling = (0..<30).map { "(s\($0)) {\nimport s\($0 + 1)\nimport s\($0 + 1)\n}\n" }
        let site = "a.example {\nredir /a https://x.example/a\nimport s0\n}\n"
        let text = doubling.joined() + "(s30) {\nredir /b https://x.example/b\n}\n" + site
        let file = RedirectFile.caddy(Array(text.utf8), file: "Caddyfile")
        #expect(file.rules.count + file.untranslated.count <= CaddySnippets.directivesMax + 2)
        #expect(file.untranslated.contains { $0.reason == CaddySnippets.reason })
    }
}
