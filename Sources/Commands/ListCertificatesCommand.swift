import ArgumentParser
import Diagnostics
import Origin
import Services
import SiteConfiguration
import Sockets
import URISyntax

struct ListCertificatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the hosts with their certificates, and what has failed last.",
        discussion: """
            Of nodes that share a database, it also says which one requests certificates now, which is due next and when, \
            and what keeps this node from requesting them.

            The exit status is 1 if a host has no valid certificate, an attempt has failed, their \
            directory cannot be used, or something keeps this node from requesting certificates. The json \
            format has one host on each line; times are in seconds since 1970.
            """)

    @Option(help: "The format of the list: text or json.") var format = OutputFormat.text
    @OptionGroup var options: StateOptions

    func run() throws {
        let directory = options.directory.current
        let reading = options.source.read()
        reading.diagnostics.printAsMessages()
        guard let environment = reading.environment else {
            try listFound(in: directory)
            throw reading.fault ?? .configurationInvalid
        }
        let statuses = directory.statuses(of: environment)
        guard !statuses.isEmpty else {
            return printMessage(
                "no host of \(quoted(environment.name)) gets its certificate by itself: nothing in its "
                    + "`tls` is `automatic`")
        }
        let faults = directory.faults(of: environment.automaticHosts)
        let now = Clock.unixSeconds
        var output = Output()
        switch format {
        case .json: for status in statuses { try output.write(.jsonLine(status.json)) }
        case .text:
            var table = Table(["HOST", "ENDS", "RENEWAL", "STATE"])
            try output.write(.lines(table.lines(of: statuses.map { $0.row(now: now) })))
        }
        try output.finish()
        // What has failed since is not in the files that were read.
        for fault in faults { printMessage(fault.diagnostic) }
        let isKept = printTurns(of: environment, directory, statuses, now: now)
        let isForeign = options.warnOfOtherOrigin(environment.name)
        if !faults.isEmpty || isForeign || isKept
            || statuses.contains(where: {
                $0.failures > 0 || $0.isRevoked || ($0.notAfter ?? 0) <= now
            })
        {
            throw ExitCode.no
        }
    }

    /// Says whose turn it is among the nodes of a database.
    /// - Returns: whether something keeps this node from a turn.
    private func printTurns(
        of environment: Environment, _ directory: CertificateDirectory,
        _ statuses: [CertificateStatus], now: Int
    ) -> Bool {
        guard environment.store?.database != nil else { return false }
        // A process that has ended has left its note.
        guard directory.isAttended else {
            printMessage(
                "waymark: no origin runs with \(quotedPath(directory.root)), so this node requests nothing; certificates "
                    + "that other nodes get are copied here when it starts")
            return false
        }
        let next = statuses.map { (host: "\($0.host)", time: $0.dueTime(now: now)) }
            .min { $0.time < $1.time }
            .map {
                (
                    host: $0.host, time: Timestamp(seconds: $0.time).description,
                    isOver: $0.time <= now
                )
            }
        guard let words = directory.fleetWords(next: next) else {
            printMessage("waymark: the origin has not read yet what the nodes have together")
            return false
        }
        printMessages(["waymark: " + words.lines[0]] + words.lines.dropFirst())
        return words.isFault
    }

    /// Lists the certificates that are there, where a configuration with errors does not say for which
    /// hosts they are.
    private func listFound(in directory: CertificateDirectory) throws(ExitCode) {
        let found = directory.findCertificates()
        guard !found.isEmpty else { return }
        let now = Clock.unixSeconds
        var output = Output()
        switch format {
        case .json:
            for (name, notAfter) in found {
                try output.write(
                    .jsonLine(.object([("host", .string(name)), ("not_after", .number(notAfter))])))
            }
        case .text:
            let rows = found.map { name, notAfter in
                [
                    name, Timestamp(seconds: notAfter).description, "-",
                    notAfter <= now ? "ended" : "valid",
                ]
            }
            var table = Table(["HOST", "ENDS", "RENEWAL", "STATE"])
            try output.write(.lines(table.lines(of: rows)))
        }
        try output.finish()
        printMessage(
            "waymark: these files are there; which hosts use them, and what is planned, is known when "
                + "the configuration has no error")
    }
}
