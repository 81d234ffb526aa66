/// The content of a Smart App Banner tag: parameters between commas (Apple, "Promoting apps with
/// Smart App Banners").
struct AppBanner: Sendable {
    /// In their order; a piece without an equals sign has no value.
    let parameters: [(name: String, value: String?)]

    init(_ content: String) {
        parameters = content.utf8.split(
            separator: UInt8(ascii: ","), maxSplits: Self.parametersMax,
            omittingEmptySubsequences: false
        )
        .map { piece in
            let parts = piece.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
            ).map { trimmed(String(decoding: $0, as: UTF8.self)) }
            return (parts.first ?? "", parts.count > 1 ? parts[1] : nil)
        }
    }

    /// The value of the first parameter of this name, whatever its letters' case.
    subscript(_ name: String) -> String? {
        parameters.first { $0.name.lowercased() == name }?.value
    }

    /// Apple knows five.
    private static let parametersMax = 32

    static let names = [
        "app-id", "app-argument", "affiliate-data", "app-clip-bundle-id", "app-clip-display",
    ]
}
