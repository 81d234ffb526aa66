import ArgumentParser
import Diagnostics
import Files
import LinkStore
import SiteConfiguration
import URISyntax

/// Puts a backup in the place of a store that no process serves.
struct RestoreLinksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a backup in the place of the store.",
        discussion: """
            The origin must not run. Nothing is replaced before the backup was checked, and the files \
            that were there are kept beside the store, as STORE.replaced. The visits are replaced, \
            too, if they are beside the backup, as FILE.visits. Tokens are those of the backup; \
            those that were removed since then stay removed, if the store that is replaced can be read.

            The exit status is 1 if the file is no backup that this program knows, 66 if it does not \
            exist, and 75 if a process serves or restores the store.
            """)

    @Argument(help: "The copy of links that `waymark links backup` has made.") var file: String
    @Option(
        name: .customLong("config"),
        help: "The configuration whose store is replaced; waymark.yaml by default.")
    var path: String?
    @Option(
        name: .customLong("env"),
        help: "The environment whose store is replaced, if there are several with a store.")
    var environmentName: String?

    func run() throws {
        let reference = try TokenSource(
            file: nil, path: path ?? usualConfiguration, environmentName: environmentName
        ).store().store
        guard let store = reference.file?.path else {
            let words = DatabaseFault.copiesItself.words(reference.path)
            printMessages([
                "waymark: error: \(words.fact)",
                "    use the server's own tools, such as `pg_restore`",
            ])
            throw ExitCode.no
        }
        guard FileStamp(of: file) != nil else {
            printMessages([
                "waymark: error: \(quoted(file)) does not exist",
                "    `waymark links backup` prints the path of the copy that it makes",
            ])
            throw ExitCode.inputMissing
        }
        let restored: StoreRestore
        do throws(StoreError) {
            restored = try StoreRestore(file, to: store)
        } catch {
            printMessages([
                "waymark: error: \(error.words.fact)", "    \(advice(error))",
            ])
            throw Self.exitCode(error)
        }
        let what = restored.hasVisits ? "links and visits" : "links"
        try printOutput(.lines(["restored the \(what) of \(store) from \(file)"]))
        if let fact = restored.unanswered.fact {
            printMessage("waymark: warning: \(quoted(file)) has \(fact)")
        }
        printMessages(words(restored.tokens))
        for kept in restored.kept { printMessage("waymark: the file before is \(quoted(kept))") }
        if !restored.hasVisits {
            printMessage(
                "waymark: there is no \(quoted(StoreRestore.visits(of: file))); the visits stay as they are"
            )
        }
    }

    /// Messages about tokens, because one may have been stolen.
    private func words(_ tokens: RestoredTokens) -> [String] {
        let isOne = tokens.count == 1
        var lines = [
            tokens.lastMade.map { time in
                "waymark: \(isOne ? "a token" : "\(tokens.count) tokens") of the backup "
                    + "\(isOne ? "is" : "are") valid, made until \(Timestamp(seconds: time)); "
                    + "tokens that were made since then are not"
            } ?? "waymark: no token of the backup is valid"
        ]
        for token in tokens.removed {
            lines.append(
                "waymark: the token \(quoted(token.name)) (…\(token.ending)) stays removed: the store "
                    + "before has it no more, because it was removed or an earlier restore has ended it"
            )
        }
        if !tokens.knowsRemovals, tokens.count > 0 {
            lines += [
                "waymark: warning: tokens that were removed since the backup are valid again: the "
                    + "store before is missing, is another one or cannot be read",
                "    look at `waymark tokens list` after the start, and remove those that must not "
                    + "be used",
            ]
        }
        return lines
    }

    private func advice(_ error: StoreError) -> String {
        switch error {
        case .isServed: "stop it first: what it has in memory would be lost"
        case .countsOthers: "nothing was replaced: move it away to restore the links without visits"
        case .isNoFile: "nothing was replaced: name the file itself"
        case .isLeftReplaced: error.words.advice
        case .isRestored: "wait for its end: nothing was replaced by this one"
        default: "nothing was replaced"
        }
    }

    /// The exit status of a command that has not put a store where it was to be.
    static func exitCode(_ error: StoreError) -> ExitCode {
        switch error {
        case .isServed, .isRestored, .isHeld: .tryAgain
        case .isFull: .outputFailed
        case .isClosed, .cannotOpen: .noPermission
        case .database(_, .away), .database(_, .busy): .unreachable
        case .isForeign, .isNewer, .isDamaged, .wasDamaged, .isMissing, .isGone, .isKept,
            .isOverwritten,
            .countsOthers, .isLeftReplaced, .isNoFile, .refused, .failed, .notCopied, .database:
            .no
        }
    }
}
