// swift-tools-version: 6.2
import PackageDescription

/// Every target is built like this; `docs/internals/architecture.md` says why.
let everywhere: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Outside the tests every step that the compiler cannot check is spelled `unsafe`.
let checked = everywhere + [.strictMemorySafety()]

/// `./bootstrap test` sets it. It optimizes what it builds, with the packages that come from elsewhere; tests
/// would take longer to optimize than they run. The driver has one level for all, so its compiler gets another. A
/// package that depends on this one could not be built with such flags.
let isForTests = Context.environment["WAYMARK_TESTED_BUILD"] == "1"

let testing =
    everywhere
    + (isForTests
        ? [.unsafeFlags(["-Xfrontend", "-Onone"], .when(configuration: .debug))] : [])

/// For rooms in which nothing is done for each request: a smaller program instead of a faster one.
let small = checked + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// One room of the building: a floor may import only what its line names here.
func room(
    _ name: String, _ below: [Target.Dependency] = [], settings: [SwiftSetting] = checked
) -> Target {
    .target(name: name, dependencies: below, swiftSettings: settings)
}

func tests(
    _ name: String, _ below: [Target.Dependency], settings: [SwiftSetting] = testing
) -> Target {
    .testTarget(name: name, dependencies: below, swiftSettings: settings)
}

/// The commit that `./bootstrap build` and the image set; `--version` prints it. SwiftPM's own
/// `Context.gitInformation` is cached with the manifest, and names an older commit.
let commit = Context.environment["WAYMARK_COMMIT"] ?? ""
precondition(
    commit.isEmpty || (commit.count >= 12 && commit.allSatisfy(\.isHexDigit)),
    "WAYMARK_COMMIT must have at least 12 hexadecimal digits")

let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
    name: "waymark",
    products: [
        .executable(name: "waymark", targets: ["waymark"]),
        .library(name: "Associations", targets: ["Associations"]),
        .library(name: "SmartLinks", targets: ["SmartLinks"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // Cellar: one C library each; headers, and shims for macros.
        .target(
            name: "CCommit",
            cSettings: [.define("WAYMARK_COMMIT", to: "0x0\(commit.prefix(12))")]),
        .systemLibrary(name: "CLinux"),
        .target(name: "CReserve"),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // Ground floor.
        // For apps: it imports Foundation, and none of the rooms.
        room("SmartLinks"),
        room("Diagnostics"),
        room("URISyntax"),
        room("Memory"),
        room("Files"),
        room("SQLite", ["CSQLite"]),
        room("Sockets", ["CLinux", "CReserve"]),
        room("TLS", ["COpenSSL"]),
        room("Compression", ["CZlib"]),
        room("YAML", ["CYAML"], settings: small),

        // First floor: the formats, no I/O.
        room("JSONSyntax", ["Diagnostics", "URISyntax"]),
        room("Associations", ["Diagnostics", "JSONSyntax", "URISyntax"]),
        room("ClientAddress", ["Memory", "URISyntax"]),
        room("Countries"),
        room("Metrics", settings: small),
        room("HTTPMessages", ["Memory", "URISyntax"]),
        room("LinkIndex", ["Memory"]),
        room("PostgreSQL", ["Diagnostics", "Sockets", "URISyntax"], settings: small),
        room("Markup", ["Diagnostics", "URISyntax"]),
        room("Visits", ["Memory"]),

        // Second floor: text to a checked site; text to a code.
        room(
            "SiteConfiguration",
            [
                "Associations", "ClientAddress", "Diagnostics", "Files", "JSONSyntax", "LinkIndex",
                "PostgreSQL", "URISyntax", "YAML",
            ], settings: small),

        room(
            "AccessLog", ["ClientAddress", "Diagnostics", "HTTPMessages", "Memory", "URISyntax"]),
        room("EventLog", ["Diagnostics", "HTTPMessages", logging], settings: small),
        room("QRCodes", ["Compression", "Markup", "URISyntax"], settings: small),
        room(
            "Certificates",
            ["Diagnostics", "HTTPMessages", "JSONSyntax", "TLS", "URISyntax"], settings: small),
        room("Passkeys", ["JSONSyntax", "TLS", "URISyntax"], settings: small),
        room("OpenID", ["JSONSyntax", "TLS", "URISyntax"], settings: small),
        room(
            "HTTPClient", ["Compression", "HTTPMessages", "Sockets", "TLS"], settings: small),

        room(
            "LinkStore", ["Diagnostics", "Files", "LinkIndex", "Memory", "SQLite", "Visits"],
            settings: small),

        // Third floor: bytes of an app to what it declares; the rows of a store in a database of several nodes.
        room(
            "AppFiles",
            ["Associations", "Compression", "Diagnostics", "JSONSyntax", "TLS", "URISyntax"],
            settings: small),
        room(
            "SharedStore", ["LinkIndex", "LinkStore", "PostgreSQL", "Sockets", "Visits"],
            settings: small),

        // Fourth floor: pure decisions.
        room(
            "Linting",
            [
                "AppFiles", "Associations", "Diagnostics", "JSONSyntax", "SiteConfiguration",
                "URISyntax",
            ], settings: small),
        room(
            "Pages",
            ["Diagnostics", "Markup", "QRCodes", "SiteConfiguration", "URISyntax"]),
        room(
            "Reporting", ["Associations", "Diagnostics", "JSONSyntax", "Markup", "URISyntax"],
            settings: small),
        room(
            "Resolution",
            [
                "AppFiles", "Associations", "Diagnostics", "JSONSyntax", "LinkIndex", "Memory",
                "SiteConfiguration", "URISyntax",
            ]),

        // Fifth floor: a request to an answer, without a connection; files of others to a
        // configuration.
        room(
            "Migration",
            [
                "Associations", "Diagnostics", "JSONSyntax", "Resolution", "SiteConfiguration",
                "URISyntax",
            ],
            settings: small),
        room(
            "Reviewing",
            ["Associations", "Diagnostics", "Resolution", "SiteConfiguration", "URISyntax"],
            settings: small),
        room(
            "LiveCheck",
            [
                "Associations", "Diagnostics", "HTTPClient", "HTTPMessages", "JSONSyntax",
                "Linting", "SiteConfiguration", "Sockets", "TLS", "URISyntax",
            ], settings: small),
        room(
            "LinkAPI",
            [
                "Associations", "Compression", "Countries", "Diagnostics", "Files", "JSONSyntax",
                "LinkIndex", "LinkStore", "QRCodes", "Resolution", "SiteConfiguration", "TLS",
                "URISyntax", "Visits",
            ], settings: small),
        room(
            "Console", ["Countries", "Diagnostics", "JSONSyntax", "Markup", "TLS", "URISyntax"],
            settings: small),
        room(
            "Answering",
            [
                "Associations", "Compression", "Diagnostics", "Files", "HTTPMessages",
                "LinkIndex", "Markup", "Memory", "Pages", "Resolution", "SiteConfiguration",
                "URISyntax",
            ]),

        // Sixth floor: what is answered from.
        room(
            "Snapshots",
            [
                "Answering", "Countries", "Diagnostics", "Files", "HTTPMessages", "LinkAPI",
                "Resolution", "SiteConfiguration", "Sockets", "TLS", "URISyntax",
            ], settings: small),

        // Seventh floor: threads that live as long as the process.
        room(
            "Services",
            [
                "AccessLog", "Answering", "Certificates", "ClientAddress", "Console", "Diagnostics",
                "Files", "HTTPClient", "HTTPMessages", "LinkAPI", "LinkIndex", "LinkStore",
                "LiveCheck",
                "Memory", "OpenID", "Pages", "Passkeys", "SharedStore", "SiteConfiguration",
                "Snapshots", "Sockets",
                "TLS",
                "URISyntax", "Visits",
            ], settings: small),

        // Eighth floor: loops and connections.
        room(
            "Origin",
            [
                "AccessLog", "Answering", "ClientAddress", "Countries", "Diagnostics", "Files",
                "HTTPMessages", "LinkStore", "LiveCheck", "Memory", "Metrics", "Resolution",
                "Services",
                "SiteConfiguration", "Snapshots", "Sockets", "TLS", "URISyntax", "Visits",
            ]),

        // Ninth floor and roof.
        room(
            "Commands",
            [
                "Answering", "AppFiles", "Associations", "CCommit", "Countries", "Diagnostics",
                "EventLog", "Files",
                "HTTPClient", "HTTPMessages", "JSONSyntax", "LinkIndex", "LinkStore", "Linting",
                "LiveCheck", "Migration", "Origin", "Pages", "PostgreSQL", "QRCodes", "Reporting",
                "Resolution", "Reviewing", "Services", "SharedStore", "SiteConfiguration",
                "Snapshots", "Sockets", "TLS", "URISyntax",
                argumentParser, logging,
            ], settings: small),
        .executableTarget(
            name: "waymark", dependencies: ["Commands", argumentParser], swiftSettings: checked),

        // For tests and fuzzers: random numbers, the way to the repository.
        .target(
            name: "TestSupport", path: "Tests/TestSupport", swiftSettings: testing),

        // A PostgreSQL server and databases for tests.
        .target(
            name: "PostgreSQLSupport",
            dependencies: ["LinkStore", "PostgreSQL", "SharedStore", "Sockets", "TestSupport"],
            path: "Tests/PostgreSQLSupport", swiftSettings: testing),

        // An authenticator for tests.
        .target(
            name: "PasskeySupport", dependencies: ["Passkeys", "TLS", "URISyntax"],
            path: "Tests/PasskeySupport", swiftSettings: testing),

        // Run by hand; docs/internals/verification.md says how.
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "Associations", "Diagnostics", "Linting", "Markup", "Pages", "TestSupport",
                "SiteConfiguration",
            ],
            path: "Tests/Fuzz", exclude: ["Seeds", "Targets", "run"],
            swiftSettings: testing),
        // Built with the rest, so that they keep up with it; Tests/Fuzz/run links them.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "AccessLog", "AppFiles", "Associations", "ClientAddress", "Compression",
                "Countries", "Diagnostics", "HTTPMessages", "LinkAPI", "LinkIndex", "LinkStore",
                "Linting",
                "Markup", "OpenID", "Passkeys", "Resolution", "SiteConfiguration",
                "URISyntax",
            ],
            path: "Tests/Fuzz/Targets", swiftSettings: testing),
        // Tests/Tools/check-parser asks it.
        .executableTarget(
            name: "request-probe", dependencies: ["FuzzTargets"], path: "Tests/RequestProbe",
            swiftSettings: testing),

        // The program is built first, and run as it is.
        tests(
            "CommandsTests",
            [
                "Answering", "Commands", "Diagnostics", "Origin", "Services", "SiteConfiguration",
                "Snapshots", "Sockets", "TLS", "TestSupport", "waymark",
                argumentParser, logging,
            ]),
        tests(
            "AppFilesTests", ["AppFiles", "Compression", "TestSupport", "TLS"]),
        tests(
            "AnsweringTests",
            ["Answering", "Markup", "SiteConfiguration", "TestSupport", "TLS"]),
        tests("SmartLinksTests", ["SmartLinks"]),
        tests(
            "CertificatesTests",
            ["Associations", "Certificates", "HTTPMessages", "TLS", "URISyntax"]),
        tests("AccessLogTests", ["AccessLog", "ClientAddress", "Memory"]),
        tests("ClientAddressTests", ["ClientAddress"]),
        tests("CountriesTests", ["Countries", "TestSupport"]),
        tests(
            "ConsoleTests",
            [
                "Associations", "Console", "Diagnostics", "JSONSyntax", "LinkAPI", "LinkIndex",
                "LinkStore", "Markup", "Resolution", "SiteConfiguration", "TestSupport", "TLS",
                "URISyntax", "Visits",
            ]),
        tests("DiagnosticsTests", ["Diagnostics"]),
        tests("EventLogTests", ["Diagnostics", "EventLog", logging]),
        tests("JSONSyntaxTests", ["Diagnostics", "JSONSyntax", "TestSupport"]),
        tests("AssociationsTests", ["Associations", "Diagnostics", "JSONSyntax", "TestSupport"]),
        tests("FilesTests", ["Files", "TestSupport"]),
        tests(
            "HTTPClientTests",
            [
                "COpenSSL", "Compression", "HTTPClient", "HTTPMessages", "Sockets", "TestSupport",
                "TLS",
            ]),
        tests("HTTPMessagesTests", ["HTTPMessages", "Memory"]),
        tests(
            "LinkAPITests",
            [
                "Associations", "LinkAPI", "LinkIndex", "LinkStore", "QRCodes", "Resolution",
                "SiteConfiguration", "TestSupport", "Visits",
            ]),
        tests("LinkIndexTests", ["LinkIndex", "TestSupport"]),
        tests(
            "LinkStoreTests",
            [
                "LinkAPI", "LinkIndex", "LinkStore", "PostgreSQL", "PostgreSQLSupport", "SQLite",
                "SharedStore", "Sockets", "TestSupport", "Visits",
            ]),
        tests(
            "LintingTests",
            [
                "AppFiles", "Associations", "Diagnostics", "Linting", "TestSupport",
                "SiteConfiguration",
            ]),
        tests(
            "LiveCheckTests",
            [
                "Compression", "Diagnostics", "HTTPClient", "HTTPMessages", "LiveCheck", "Sockets",
                "TestSupport", "TLS",
            ]),
        tests("MarkupTests", ["Markup"]),
        tests("MemoryTests", ["Memory", "TestSupport"]),
        tests(
            "OriginTests",
            [
                "Answering", "Associations", "ClientAddress", "Countries", "Diagnostics", "Files",
                "HTTPMessages", "LinkStore", "Markup",
                "Memory", "Metrics", "Origin", "PasskeySupport", "Passkeys", "PostgreSQL",
                "PostgreSQLSupport", "Resolution", "Services", "SharedStore", "SiteConfiguration",
                "Snapshots", "Sockets", "TLS", "TestSupport", "URISyntax", "Visits",
            ]),
        tests("MetricsTests", ["Metrics"]),
        tests(
            "MigrationTests", ["Associations", "Migration", "SiteConfiguration", "TestSupport"]),
        tests(
            "PagesTests", ["Diagnostics", "Markup", "Pages", "SiteConfiguration", "TestSupport"]),
        tests(
            "PostgreSQLTests", ["PostgreSQL", "PostgreSQLSupport", "Sockets", "TestSupport"]),
        tests("QRCodesTests", ["QRCodes", "TestSupport"]),
        tests("ReportingTests", ["Associations", "Diagnostics", "Reporting", "TestSupport"]),
        tests(
            "ResolutionTests",
            [
                "Associations", "Diagnostics", "LinkIndex", "Resolution", "TestSupport",
                "SiteConfiguration",
                "URISyntax",
            ]),
        tests(
            "SiteConfigurationTests",
            [
                "Associations", "Diagnostics", "JSONSyntax", "SiteConfiguration", "TestSupport",
                "URISyntax",
            ]),
        tests("SQLiteTests", ["SQLite", "TestSupport"]),
        tests("SocketsTests", ["Sockets"]),
        tests("PasskeysTests", ["PasskeySupport", "Passkeys", "TLS", "URISyntax"]),
        tests("OpenIDTests", ["JSONSyntax", "OpenID", "TLS", "URISyntax"]),
        tests("TLSTests", ["COpenSSL", "TestSupport", "TLS"]),
        tests("URISyntaxTests", ["URISyntax"]),
        tests("VisitsTests", ["Visits"]),
        tests("YAMLTests", ["YAML"]),
        // It reads all sources, so it is optimized as the rooms are.
        tests("TidyTests", ["TestSupport"], settings: everywhere),
    ]
        // The entry of the tests stands beside it.
        + (isForTests
            ? [
                .testTarget(
                    name: "TestedBuildTests", path: "Tests/TestedBuild/TestedBuildTests",
                    swiftSettings: testing)
            ] : []),
    swiftLanguageModes: [.v6]
)
