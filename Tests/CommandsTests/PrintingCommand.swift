import Testing

/// A command that prints something on standard output, and how.
struct PrintingCommand: CustomTestStringConvertible {
    let arguments: [String]
    var input: String?

    init(_ arguments: String..., input: String? = nil) {
        (self.arguments, self.input) = (arguments, input)
    }

    var testDescription: String {
        arguments.joined(separator: " ") + (input == nil ? "" : " from standard input")
    }

    /// Every command that prints, in every format that it has: `OutputTests` holds this against the
    /// program's own help.
    static let all: [PrintingCommand] =
        rendering + linting + apps + codes + matching + asking + others

    private static let rendering =
        ["aasa", "robots", "sitemap", "manifest"].map {
            // Only an environment that is open to search engines has a sitemap.
            PrintingCommand("render", $0, "--env", $0 == "sitemap" ? "prod" : "dev")
        } + [
            PrintingCommand(
                "render", "page", "--env", "dev", "--as", "iphone-safari", "--url", carSale)
        ]

    private static let linting =
        ["text", "json", "sarif", "github"].map {
            PrintingCommand("lint", "--format", $0, "-", input: "{\"applinks\": 1}")
        } + [PrintingCommand("lint", "--explain", "json-syntax")]

    private static let apps = ["text", "json", "sarif", "github"].map {
        PrintingCommand(
            "app", "--format", $0, "--assetlinks", assetlinks, "Tests/Fixtures/app/files/shop.apk")
    }

    private static let codes = ["svg", "png", "pdf", "terminal"].map {
        PrintingCommand("qr", "--format", $0, carSale)
    }

    private static let matching = ["text", "json", "lines"].flatMap { format in
        [
            PrintingCommand("match", "--format", format, "--aasa", aasa, carSale),
            PrintingCommand("match", "--format", format, "--aasa", aasa, input: "\(carSale)\n"),
        ]
    }

    private static let asking = ["text", "json"].flatMap { format in
        [
            PrintingCommand("explain", "--format", format, "--env", "dev", carSale),
            PrintingCommand(
                "report", "--format", format, "--fail-on", "required",
                "Tests/Fixtures/report/page.html"),
            PrintingCommand("statements", "--format", format, assetlinks),
            PrintingCommand("diff", "--format", format, aasa, "waymark.yaml", "--env", "dev"),
        ]
    }

    private static let others =
        ["github", "markdown"].map {
            PrintingCommand("diff", "--format", $0, aasa, "waymark.yaml", "--env", "dev")
        }
        + ["text", "json", "junit"].map { PrintingCommand("test", "--format", $0) }
        + ["text", "json", "github", "junit"].map {
            // Nothing listens on port 1.
            PrintingCommand(
                "check", "a.example", "--connect", "a.example:127.0.0.1:1", "--apple", "off",
                "--google", "off", "--format", $0)
        } + [
            PrintingCommand(
                "explain", "-", "--format", "json", "--env", "dev", input: "\(carSale)\n"),
            PrintingCommand("--help"), PrintingCommand("help", "serve"),
            PrintingCommand("lint", "--help"), PrintingCommand("--version"),
            PrintingCommand("--generate-completion-script", "bash"),
        ]

    private static let aasa = "Tests/Fixtures/report/apple-app-site-association"
    private static let assetlinks = "Tests/Fixtures/report/assetlinks.json"
    private static let carSale = "https://mobile-dev.willhaben.at/auto-verkaufen"
}
