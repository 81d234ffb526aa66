import ArgumentParser
import Files
private import URISyntax

struct DeleteLinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a link; its slug stays taken.",
        discussion: """
            Browsers get 410 then. It cannot be undone: to take a link out of use for a time, \
            disable it.
            """)

    @Argument(help: LinksCommand.linkHelp) var link: String
    @Flag(help: "Delete without asking.") var yes = false
    @OptionGroup var options: LinkOriginOptions

    func validate() throws {
        guard !yes else { return }
        guard isStandardInputTerminal, !options.readsStandardInput else {
            throw ValidationError(
                "standard input is no terminal, where you could be asked; add --yes")
        }
    }

    func run() throws {
        let origin = try options.origin()
        let before = try origin.link(link)
        let name = before["url"] ?? before["id"] ?? ""
        if !yes, try !confirms(before, name) {
            printMessage("waymark: nothing was deleted")
            throw ExitCode.no
        }
        let answer = try origin.ask(
            "DELETE", "links/\((before["id"] ?? "").queryEscaped)", match: before.entityTag,
            accepting: [412])
        guard answer.status != 412 else { throw origin.changedMeanwhile(before) }
        try printOutput(.lines(["deleted \(name)"]))
    }

    private func confirms(_ link: LinkOrigin.Answer, _ name: String) throws -> Bool {
        let destination = link["destination"].map { ", which leads to \($0)" } ?? ""
        printMessage(
            "delete \(name)\(destination)? It cannot be undone, and its slug stays taken. [y/N]")
        var input = StandardInputLines()
        let line = try readLine(&input)
        let words = line.map { String(decoding: $0.bytes, as: UTF8.self).lowercased() } ?? ""
        return ["y", "yes"].contains(words)
    }
}
