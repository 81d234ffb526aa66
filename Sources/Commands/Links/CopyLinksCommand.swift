import ArgumentParser
import Diagnostics
import Files
import LinkIndex
import LinkStore
import PostgreSQL
import Services
import SharedStore
import SiteConfiguration
import URISyntax

/// Copies a store from a file to a database that several nodes share, or back.
struct CopyLinksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a store from a file to a PostgreSQL database, or back.",
        discussion: """
            One of FROM and TO is the file of a store, the other one a URL as `store` has it. Links, \
            aliases, deleted links, tokens, the audit and visits are copied, and compared at the end. \
            No process may serve the file, nor use the database that is filled; one that is copied \
            can be in use, and the copy has what it has at one moment. Nobody can use a copy that is \
            not complete: run the command again, and it goes on.

            The exit status is 1 if something keeps the store from being copied, such as other links \
            at TO, 66 if FROM does not exist, 69 if the database does not answer, and 75 if a process \
            serves the file.
            """)

    @Argument(help: "The store that is copied: a file, or postgresql://USER@HOST/DATABASE.")
    var from: String
    @Argument(help: "The store that is made of it.") var to: String
    @Option(
        help: ArgumentHelp(
            "The file with the password of the database, as `store-password` names it.",
            valueName: "file"))
    var passwordFile: String?

    func validate() throws {
        let areDatabases = [from, to].map(PostgreSQLLocation.isMeant)
        guard areDatabases[0] != areDatabases[1] else {
            throw ValidationError(
                areDatabases[0]
                    ? "FROM and TO are databases; copy one with `pg_dump` and `pg_restore`"
                    : "FROM and TO are files; copy one with `waymark links backup`")
        }
    }

    func run() throws {
        let isToDatabase = PostgreSQLLocation.isMeant(by: to)
        let place = try place(isToDatabase ? to : from)
        if !isToDatabase {
            let summary = try attempt { copy throws(StoreError) in try copy.copy(place, to: to) }
            return try write(summary, place.description, to)
        }
        guard FileStamp(of: from) != nil else {
            printMessages([
                "waymark: error: \(quoted(from)) does not exist",
                "    name the file that `store` of the environment names",
            ])
            throw ExitCode.inputMissing
        }
        let summary = try attempt { copy throws(StoreError) in try copy.copy(from, to: place) }
        try write(summary, from, place.description)
    }

    private func attempt(
        _ body: (StoreCopy) throws(StoreError) -> StoreCopy.Summary
    ) throws(ExitCode) -> StoreCopy.Summary {
        do throws(StoreError) {
            return try Progress.showing("copying", counting: "rows") {
                progress throws(StoreError) in
                try body(
                    StoreCopy { (table, rows) throws(StoreError) in
                        rows > 0 ? progress.advance(by: rows) : progress.goOn(table)
                    })
            }
        } catch {
            printMessages(["waymark: error: \(error.words.fact)", "    \(advice(error))"])
            throw RestoreLinksCommand.exitCode(error)
        }
    }

    private func advice(_ error: StoreError) -> String {
        switch error {
        case .isServed: "stop it first: what it changes meanwhile would be missing in the copy"
        case .database(_, .away), .database(_, .busy):
            "nobody uses the copy: run the command again, and it goes on"
        case .database(_, .refused):
            "correct that, and run the command again"
                + (passwordFile == nil
                    ? "; if the role has a password, `--password-file` names its file" : "")
        default: error.words.advice
        }
    }

    private func write(_ summary: StoreCopy.Summary, _ from: String, _ to: String) throws {
        let name = to
        var lines = [
            summary.wasThere
                ? "\(name) has all links of \(from) already"
                : "copied \(from) to \(name)"
        ]
        for (name, sum) in summary.tables {
            lines.append("  \(sum.count) \(name), the same in both: \(sum.hash.hexadecimal)")
        }
        try printOutput(.lines(lines))
        if summary.left > 0, !summary.wasThere {
            printMessage(
                "waymark: \(summary.left) links and aliases were there from an attempt before")
        }
        if summary.hasOtherVisits {
            printMessages([
                "waymark: warning: the visits are not copied: \(quoted(from + ".visits")) is of another store",
                "    remove it if nobody needs it",
            ])
        }
        if summary.missed > 0 {
            printMessages([
                "waymark: warning: nodes have made \(counted(summary.missed, "change")) meanwhile, which "
                    + "the copy does not have",
                "    to have them, stop the nodes, remove the copy, and run the command again",
            ])
        }
    }

    // MARK: Arguments

    private func place(_ text: String) throws(ExitCode) -> PostgreSQLPlace {
        let location: PostgreSQLLocation
        do throws(PostgreSQLLocation.Fault) {
            location = try PostgreSQLLocation(text)
        } catch {
            printMessages(["waymark: error: \(error.fact)", "    \(error.advice)"])
            throw .configurationInvalid
        }
        let password = passwordFile.map {
            FileReference(path: $0, position: SourcePosition(file: $0, line: 1, column: 1))
        }
        let name = location.description
        return PostgreSQLPlace(location, node: "copy") { () throws(StoreError) in
            try readPassword(password, of: name)
        }
    }
}
