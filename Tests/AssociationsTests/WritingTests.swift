import Associations
import Testing

@Suite("Association files as they are written")
struct WritingTests {
    private let one = "8LQ3T5XW7R.com.example.one"
    private let two = "8LQ3T5XW7R.com.example.two"

    private func file(_ components: [Component], apps: [String]? = nil) throws -> AssociationFile {
        let ids = try (apps ?? [one]).map { try AppIdentifier($0) }
        return AssociationFile(
            applinks: AppLinks(details: [Detail(appIDs: ids, components: components)]))
    }

    private func text(
        _ file: AssociationFile, _ form: AssociationForm = .modern
    ) -> String {
        String(decoding: file.serialized(as: form), as: UTF8.self)
    }

    @Test func `the modern form says everything, in an order that does not change`() throws {
        let full = Component(
            path: "/a/*",
            query: .items([.init(name: "z", pattern: "?*"), .init(name: "a", pattern: "1")]),
            fragment: "top", exclude: true, comment: "a \"quoted\" comment", caseSensitive: false,
            percentEncoded: false)
        var file = try file([full, Component(query: .whole("x=1"))], apps: [one, two])
        file.applinks?.defaults = ComponentDefaults(caseSensitive: false)
        file.applinks?.substitutionVariables = [.init(name: "food", values: ["pizza", ""])]
        file.webCredentials = [try AppIdentifier(two)]
        file.appClips = [try AppIdentifier("\(one).Clip")]
        #expect(
            text(file) == """
                {
                  "applinks": {
                    "defaults": {"caseSensitive": false},
                    "substitutionVariables": {"food": ["pizza", ""]},
                    "details": [
                      {
                        "appIDs": ["8LQ3T5XW7R.com.example.one", "8LQ3T5XW7R.com.example.two"],
                        "components": [
                          {
                            "/": "/a/*",
                            "?": {"z": "?*", "a": "1"},
                            "#": "top",
                            "exclude": true,
                            "caseSensitive": false,
                            "percentEncoded": false,
                            "comment": "a \\"quoted\\" comment"
                          },
                          {"?": "x=1"}
                        ]
                      }
                    ]
                  },
                  "webcredentials": {"apps": ["8LQ3T5XW7R.com.example.two"]},
                  "appclips": {"apps": ["8LQ3T5XW7R.com.example.one.Clip"]}
                }

                """)
        #expect(AssociationReading(file.serialized(), file: "f").diagnostics == [])
    }

    @Test func `the legacy form has apps, appID and paths alone, an entry for each app`() throws {
        let file = try file(
            [Component(path: "/a/b", exclude: true), Component(path: "/a/*")], apps: [one, two])
        #expect(
            text(file, .legacy) == """
                {
                  "applinks": {
                    "apps": [],
                    "details": [
                      {"appID": "8LQ3T5XW7R.com.example.one", "paths": ["NOT /a/b", "/a/*"]},
                      {"appID": "8LQ3T5XW7R.com.example.two", "paths": ["NOT /a/b", "/a/*"]}
                    ]
                  }
                }

                """)
    }

    @Test func `the compatible form says both, and each means the same`() throws {
        let file = try file([Component(path: "/a/*")])
        let reading = AssociationReading(file.serialized(as: .compatible), file: "f")
        #expect(reading.diagnostics == [])
        let detail = try #require(reading.details.first)
        #expect(detail.singular?.value == one && detail.plural?.map(\.value) == [one])
        #expect(detail.paths?.map(\.path?.value) == ["/a/*"])
        #expect(detail.components?.map(\.path?.value) == ["/a/*"])
    }

    @Test(
        "what older systems cannot be told opens nothing there",
        arguments: [
            (Component(path: "/a", query: .whole("x=1")), [String]()),
            (Component(path: "/a", query: .whole("*")), ["/a"]),
            (Component(path: "/a", query: .items([.init(name: "x", pattern: "?*")])), []),
            (Component(path: "/a", query: .items([.init(name: "x", pattern: "*")])), ["/a"]),
            (Component(path: "/a", fragment: "top"), []),
            (Component(path: "/a", fragment: "*"), ["/a"]),
            (Component(path: "/$(lang)/a"), []),
            (Component(), ["*"]),
            (Component(path: "/a", query: .whole("x=1"), exclude: true), ["NOT /a"]),
            (Component(fragment: "top", exclude: true), ["NOT *"]),
            (Component(path: "/$(lang)/a$(x)", exclude: true), ["NOT /*/a*"]),
            (Component(path: "/a$b", exclude: true), ["NOT /a$b"]),
            (Component(path: "/ü/*", exclude: true), ["NOT /ü/*"]),
            (Component(path: "/ü/?*", exclude: true, percentEncoded: false), ["NOT /%C3%BC/?*"]),
            (Component(path: "/a b%", percentEncoded: false), ["/a%20b%25"]),
        ])
    func narrowed(_ component: Component, _ paths: [String]) throws {
        let bytes = try file([component]).serialized(as: .legacy)
        let detail = try #require(AssociationReading(bytes, file: "f").details.first)
        #expect(
            detail.paths?.map { ($0.exclude ? "NOT " : "") + ($0.path?.value ?? "") } == paths)
    }

    @Test func `equal files give equal bytes, and any text survives`() throws {
        for path in ["/\u{1F600}/ä", "/\"\\", "/e\u{301}", "/\u{2028}\u{7F}\u{1}", "/é"] {
            let bytes = try file([Component(path: path)]).serialized()
            #expect(try bytes == file([Component(path: path)]).serialized())
            let reading = AssociationReading(bytes, file: "f")
            let read = try #require(reading.details.first?.components?.first?.path?.value)
            #expect(read.utf8.elementsEqual(path.utf8))
        }
    }

    @Test func `assetlinks lists every key, and the rules of Android 15 where asked`() throws {
        let key = Array(repeating: "0A", count: 31).joined(separator: ":") + ":B1"
        let statement = AssetStatement(
            relations: [.handleAllURLs, .getLoginCreds],
            package: try AndroidPackage("com.example.app"),
            fingerprints: [try CertificateFingerprint(key)],
            dynamicComponents: [
                Component(path: "/a/*", comment: "all"), Component(path: "*", exclude: true),
            ])
        let bytes = AssetLinks(statements: [statement]).serialized()
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                [
                  {
                    "relation": [
                      "delegate_permission/common.handle_all_urls",
                      "delegate_permission/common.get_login_creds"
                    ],
                    "target": {
                      "namespace": "android_app",
                      "package_name": "com.example.app",
                      "sha256_cert_fingerprints": [
                        "\(key)"
                      ]
                    },
                    "relation_extensions": {
                      "delegate_permission/common.handle_all_urls": {
                        "dynamic_app_link_components": [
                          {"/": "/a/*", "comments": "all"},
                          {"/": "*", "exclude": true}
                        ]
                      }
                    }
                  }
                ]

                """)
        #expect(AssetLinksReading(bytes, file: "f").diagnostics == [])
    }
}
