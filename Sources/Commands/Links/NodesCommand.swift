import ArgumentParser
import Diagnostics
private import JSONSyntax
private import SiteConfiguration

/// Lists the nodes that share the database of stored links.
struct NodesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nodes", abstract: "List the nodes that share the database of stored links.",
        discussion: """
            CONFIGURATION is a hash of the configuration's files. BEHIND has the changes that a node \
            has not answered yet, OFFSET the milliseconds by which its clock is ahead of the \
            database's, and SEEN the last time at which it has told of itself. The node that is asked \
            has a star. A node that has ended without telling it stays in the list for a day, and is \
            not up. A store that is a file has no nodes.

            The exit status is 1 if the configurations of nodes that are up differ; others are those of \
            `waymark links`. The token needs the scope admin. The json format has one node on each \
            line.
            """)

    @OptionGroup var format: LinkFormat
    @OptionGroup var options: LinkOriginOptions

    func run() throws {
        let answer = try options.origin().ask("GET", "nodes")
        let nodes = answer.json?["nodes"]?.elements ?? []
        var output = Output()
        switch format.format {
        case .json: for node in nodes { try output.write(.jsonLine(node.written)) }
        case .text:
            var table = Table([
                "NODE", "UP", "VERSION", "CONFIGURATION", "GENERATION", "BEHIND", "OFFSET", "SEEN",
            ])
            let rows = nodes.map { node in
                [
                    (node["name"]?.text ?? "") + (node["isAsked"]?.boolean == true ? "*" : ""),
                    node["isUp"]?.boolean == true ? "yes" : "no", node["version"]?.text ?? "",
                    node["configuration"]?.text ?? "",
                    node["generation"]?.written.compact ?? "",
                    node["behind"]?.written.compact ?? "",
                    node["clockOffsetMilliseconds"]?.written.compact ?? "",
                    node["seen"]?.text ?? "",
                ]
            }
            try output.write(.lines(table.lines(of: rows)))
        }
        try output.finish()
        let present = nodes.filter { $0["isUp"]?.boolean == true }
        if Set(present.compactMap { $0["configuration"]?.text }).count > 1 { throw ExitCode.no }
    }
}
