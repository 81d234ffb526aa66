/// A room of the building: a target, its floor, and what its files may import.
struct Room {
    let floor: Int
    let name: String
    /// Rooms below it.
    let rooms: Set<String>
    /// Modules that are not ours. The C libraries and the packages each have the neighbours that
    /// name them here, and nobody else.
    let outside: Set<String>

    init(_ floor: Int, _ name: String, _ rooms: Set<String> = [], outside: Set<String> = []) {
        self.floor = floor
        self.name = name
        self.rooms = rooms
        self.outside = outside
    }
}

/// The building as `docs/internals/architecture.md` draws it, from the roof down.
let building = [
    Room(10, "SmartLinks", outside: ["Foundation", "FoundationNetworking"]),
    Room(10, "waymark", ["Commands"], outside: ["ArgumentParser"]),
    Room(
        9, "Commands",
        [
            "Answering", "AppFiles", "Associations", "CCommit", "Countries", "Diagnostics",
            "EventLog", "Files", "HTTPClient", "HTTPMessages", "JSONSyntax", "LinkIndex",
            "LinkStore", "Linting",
            "LiveCheck", "Migration", "Origin", "Pages", "PostgreSQL", "QRCodes", "Reporting",
            "Resolution", "Reviewing", "Services", "SharedStore", "SiteConfiguration", "Snapshots",
            "Sockets", "TLS", "URISyntax",
        ],
        outside: ["ArgumentParser", "FoundationEssentials", "Glibc", "Logging", "Synchronization"]),
    Room(
        8, "Origin",
        [
            "AccessLog", "Answering", "ClientAddress", "Countries", "Diagnostics", "Files",
            "HTTPMessages", "LinkStore", "LiveCheck", "Memory", "Metrics", "Resolution", "Services",
            "SiteConfiguration", "Snapshots", "Sockets", "TLS", "URISyntax", "Visits",
        ], outside: ["Synchronization"]),
    Room(
        7, "Services",
        [
            "AccessLog", "Answering", "Certificates", "ClientAddress", "Console", "Diagnostics",
            "Files", "HTTPClient", "HTTPMessages", "LinkAPI", "LinkIndex", "LinkStore", "LiveCheck",
            "Memory", "OpenID", "Pages", "Passkeys", "SharedStore", "SiteConfiguration",
            "Snapshots", "Sockets", "TLS",
            "URISyntax", "Visits",
        ], outside: ["Synchronization"]),
    Room(
        6, "Snapshots",
        [
            "Answering", "Countries", "Diagnostics", "Files", "HTTPMessages", "LinkAPI",
            "Resolution", "SiteConfiguration", "Sockets", "TLS", "URISyntax",
        ]),
    Room(
        5, "Answering",
        [
            "Associations", "Compression", "Diagnostics", "Files", "HTTPMessages", "LinkIndex",
            "Markup", "Memory", "Pages", "Resolution", "SiteConfiguration", "URISyntax",
        ],
        outside: ["Synchronization"]),
    Room(
        5, "LiveCheck",
        [
            "Associations", "Diagnostics", "HTTPClient", "HTTPMessages", "JSONSyntax", "Linting",
            "SiteConfiguration", "Sockets", "TLS", "URISyntax",
        ]),
    Room(5, "Console", ["Countries", "Diagnostics", "JSONSyntax", "Markup", "TLS", "URISyntax"]),
    Room(
        5, "LinkAPI",
        [
            "Associations", "Compression", "Countries", "Diagnostics", "Files", "JSONSyntax",
            "LinkIndex", "LinkStore",
            "QRCodes", "Resolution", "SiteConfiguration", "TLS", "URISyntax", "Visits",
        ], outside: ["Synchronization"]),
    Room(
        5, "Reviewing",
        ["Associations", "Diagnostics", "Resolution", "SiteConfiguration", "URISyntax"]),
    Room(
        5, "Migration",
        [
            "Associations", "Diagnostics", "JSONSyntax", "Resolution", "SiteConfiguration",
            "URISyntax",
        ]),
    Room(
        4, "Pages", ["Diagnostics", "Markup", "QRCodes", "SiteConfiguration", "URISyntax"],
        outside: ["Synchronization"]),
    Room(
        4, "Linting",
        [
            "AppFiles", "Associations", "Diagnostics", "JSONSyntax", "SiteConfiguration",
            "URISyntax",
        ]),
    Room(4, "Reporting", ["Associations", "Diagnostics", "JSONSyntax", "Markup", "URISyntax"]),
    Room(
        4, "Resolution",
        [
            "AppFiles", "Associations", "Diagnostics", "JSONSyntax", "LinkIndex", "Memory",
            "SiteConfiguration", "URISyntax",
        ]),
    Room(
        3, "SharedStore", ["LinkIndex", "LinkStore", "PostgreSQL", "Sockets", "Visits"],
        outside: ["Synchronization"]),
    Room(
        3, "SiteConfiguration",
        [
            "Associations", "ClientAddress", "Diagnostics", "Files", "JSONSyntax", "LinkIndex",
            "PostgreSQL", "URISyntax", "YAML",
        ]),
    Room(
        3, "AppFiles",
        ["Associations", "Compression", "Diagnostics", "JSONSyntax", "TLS", "URISyntax"]),
    Room(2, "Passkeys", ["JSONSyntax", "TLS", "URISyntax"]),
    Room(2, "OpenID", ["JSONSyntax", "TLS", "URISyntax"]),
    Room(
        2, "AccessLog", ["ClientAddress", "Diagnostics", "HTTPMessages", "Memory", "URISyntax"]),
    Room(2, "Certificates", ["Diagnostics", "HTTPMessages", "JSONSyntax", "TLS", "URISyntax"]),
    Room(
        2, "LinkStore", ["Diagnostics", "Files", "LinkIndex", "Memory", "SQLite", "Visits"],
        outside: ["Synchronization"]),
    Room(2, "QRCodes", ["Compression", "Markup", "URISyntax"]),
    Room(2, "HTTPClient", ["Compression", "HTTPMessages", "Sockets", "TLS"]),
    Room(2, "EventLog", ["Diagnostics", "HTTPMessages"], outside: ["Logging"]),
    Room(2, "Associations", ["Diagnostics", "JSONSyntax", "URISyntax"]),
    Room(1, "JSONSyntax", ["Diagnostics", "URISyntax"]),
    Room(1, "ClientAddress", ["Memory", "URISyntax"]),
    Room(1, "Countries"),
    Room(1, "Metrics"),
    Room(1, "HTTPMessages", ["Memory", "URISyntax"]),
    Room(1, "LinkIndex", ["Memory"]),
    Room(1, "Markup", ["Diagnostics", "URISyntax"]),
    Room(1, "PostgreSQL", ["Diagnostics", "Sockets", "URISyntax"], outside: ["Glibc"]),
    Room(1, "Visits", ["Memory"]),
    Room(0, "Compression", ["CZlib"]),
    Room(0, "Diagnostics"),
    Room(0, "Files", outside: ["Glibc", "Synchronization"]),
    Room(0, "Memory", outside: ["Synchronization"]),
    Room(0, "SQLite", ["CSQLite"], outside: ["Glibc"]),
    Room(0, "Sockets", ["CLinux", "CReserve"], outside: ["Glibc", "Synchronization"]),
    Room(0, "TLS", ["COpenSSL"], outside: ["Glibc", "Synchronization"]),
    Room(0, "URISyntax"),
    Room(0, "YAML", ["CYAML"]),
    Room(-1, "CCommit"),
    Room(-1, "CLinux"),
    Room(-1, "CReserve"),
    Room(-1, "COpenSSL"),
    Room(-1, "CSQLite"),
    Room(-1, "CYAML"),
    Room(-1, "CZlib"),
]
