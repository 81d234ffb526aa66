import ArgumentParser
import Diagnostics
import JSONSyntax
private import SiteConfiguration

/// Makes and removes the tokens with which programs use the API of a running origin.
struct TokensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Make and remove tokens for the API of stored links.",
        discussion: """
            Tokens need the scope admin, which the token beside the store has. The exit statuses \
            are those of `waymark links`.
            """,
        subcommands: [CreateTokenCommand.self, ListTokensCommand.self, RemoveTokenCommand.self])
}

struct CreateTokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a token, and print it: it is never shown again.",
        discussion: "Standard output has the token alone.")

    @Argument(help: "A name by which the audit and the list of tokens show it.") var name: String
    @Option(
        name: .customLong("scope"),
        help: ArgumentHelp(
            "What it allows: links.read, links.create, links.write, links.delete, stats.read, "
                + "audit.read or admin; several are separated by commas.", valueName: "scopes"))
    var scopes: [String]
    @Option(
        name: .customLong("collection"),
        help: "The collection it is for; can be repeated. All by default.")
    var collections: [String] = []
    @Option(help: "When it expires, such as 2027-12-31T00:00:00Z; by default never.")
    var expires: String?
    @OptionGroup var options: LinkOriginOptions

    func run() throws {
        let origin = try options.origin()
        let scopes = scopes.flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
            .map { String($0) ?? "" }
        var members: [(key: String, value: JSONText)] = [
            ("name", .string(name)), ("scopes", .strings(scopes)),
        ]
        if !collections.isEmpty { members.append(("collections", .strings(collections))) }
        if let expires { members.append(("expires", .string(expires))) }
        let answer = try origin.ask("POST", "tokens", .object(members))
        try printOutput(.lines([answer["token"] ?? ""]))
    }
}

struct ListTokensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List tokens, without their secrets.",
        discussion: """
            ENDING has the last characters of the secret. The json format has one token on each line.
            """)

    @Option(help: "The format of the list: text or json.") var format = OutputFormat.text
    @OptionGroup var options: LinkOriginOptions

    func run() throws {
        let answer = try options.origin().ask("GET", "tokens")
        let tokens = answer.json?["tokens"]?.elements ?? []
        var output = Output()
        switch format {
        case .json: for token in tokens { try output.write(.jsonLine(token.written)) }
        case .text:
            var table = Table([
                "ID", "NAME", "ENDING", "SCOPES", "COLLECTIONS", "EXPIRES", "LAST USED",
            ])
            try output.write(.lines(table.lines(of: tokens.map(Self.row))))
        }
        try output.finish()
    }

    private static func row(_ token: JSONValue) -> [String] {
        func texts(_ key: String) -> String? {
            token[key]?.elements?.compactMap(\.text).joined(separator: ",")
        }
        return [
            token["id"]?.written.compact ?? "", token["name"]?.text ?? "",
            token["ending"]?.text ?? "", texts("scopes") ?? "", texts("collections") ?? "all",
            token["expires"]?.text ?? "never",
            token["used"]?.text.map { String($0.prefix(10)) } ?? "never",
        ]
    }
}

struct RemoveTokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a token, which then allows nothing.")

    @Argument(help: "The token's id, as `waymark tokens list` shows it.") var id: Int
    @OptionGroup var options: LinkOriginOptions

    func run() throws {
        let answer = try options.origin().ask("DELETE", "tokens/\(id)", accepting: [404])
        guard answer.status != 404 else {
            printMessages([
                "waymark: error: there is no token \(id)",
                "    `waymark tokens list` has the ids",
            ])
            throw ExitCode.no
        }
    }
}
