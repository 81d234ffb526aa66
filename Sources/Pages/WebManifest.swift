package import Diagnostics

/// The site as an application for browsers, and the apps that belong to it (W3C, "Web Application
/// Manifest" §1 and §3).
package struct WebManifest: Sendable {
    package let name: String
    /// The path of a square picture, and its media type.
    package let icon: (path: String, type: String)?
    /// Package names of Android apps.
    package let androidPackages: [String]
    /// Numeric App Store IDs.
    package let appStoreIdentifiers: [String]

    package init(
        name: String, icon: (path: String, type: String)?, androidPackages: [String],
        appStoreIdentifiers: [String]
    ) {
        self.name = name
        self.icon = icon
        self.androidPackages = androidPackages
        self.appStoreIdentifiers = appStoreIdentifiers
    }

    /// The document. It does not ask browsers to prefer the apps, so that people can choose.
    package var json: JSONText {
        let icons = icon.map { icon in
            JSONText.object([
                ("src", .string(icon.path)), ("sizes", .string("any")),
                ("type", .string(icon.type)),
            ])
        }
        let android = androidPackages.map { package in
            JSONText.object([
                ("platform", .string("play")), ("id", .string(package)),
                (
                    "url",
                    .string("https://play.google.com/store/apps/details?id=\(package)")
                ),
            ])
        }
        let apple = appStoreIdentifiers.map { id in
            JSONText.object([
                ("platform", .string("itunes")),
                ("url", .string("https://apps.apple.com/app/id\(id)")),
            ])
        }
        return .object([
            ("name", .string(name)), ("start_url", .string("/")), ("display", .string("browser")),
            ("icons", .array(icons.map { [$0] } ?? [])),
            ("related_applications", .array(android + apple)),
        ])
    }
}
