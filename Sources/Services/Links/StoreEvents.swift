import Diagnostics
import LinkIndex
import LinkStore

// Messages about a store of links for operators.

extension LinkService {
    /// The event about an error of the store.
    func event(_ error: StoreError) -> ServiceEvent {
        let (fact, advice) = error.words(at: path, isShared: isShared)
        return .finding(Diagnostic(.error, .linkStore, at: nil, fact, advice: advice))
    }
}

extension StoreError {
    /// Its words, with the path where they lack it.
    /// - Parameters:
    ///   - path: of the store.
    ///   - isShared: whether it is a database that several nodes share, which has no files on this machine.
    func words(at path: String, isShared: Bool) -> (fact: String, advice: String) {
        switch self {
        case .failed where !isShared:
            (
                "\(words.fact): \(quoted(path))",
                "look whether its file system is full, read-only or broken, and whether a limit on "
                    + "the size of files holds (ulimit -f); \(words.advice)"
            )
        case .isFull, .failed: ("\(words.fact): \(quoted(path))", words.advice)
        default: words
        }
    }
}

extension LinkStore {
    /// The warnings about what was found when it was opened.
    func takeFirstFindings() -> [Diagnostic] {
        [takeUnansweredFinding(), noteFinding].compactMap(\.self)
    }

    /// The warnings about what was found since.
    func takeFindings() -> [Diagnostic] {
        [takeSetbackFinding(), takeUnansweredFinding()].compactMap(\.self)
    }

    /// The warning about links that are not answered; nil if there are no new ones.
    private func takeUnansweredFinding() -> Diagnostic? {
        takeUnanswered().fact.map { fact in
            Diagnostic(
                .warning, .linkStore, at: nil, "\(quoted(path)) has \(fact)",
                advice: isShared
                    ? "whatever wrote the row made a mistake; correct it, and restart the nodes one after the other"
                    : "whatever wrote the file made a mistake; stop waymark, and correct the row")
        }
    }

    /// The warning that searches are slow; nil if notes have their index.
    private var noteFinding: Diagnostic? {
        noteFault.map { fault in
            Diagnostic(
                .warning, .linkStore, at: nil,
                "\(quoted(path)) has no index of its notes, so each search reads every row: \(fault.words.fact)",
                advice:
                    "more than 64 MiB of notes are put in order in a temporary file: give waymark a directory "
                    + "for that (SQLITE_TMPDIR, or /var/tmp), and room for the index; then start it again"
            )
        }
    }

    /// The warning that the database is of another history than the links that were answered; nil if it is not.
    private func takeSetbackFinding() -> Diagnostic? {
        guard let (from, to) = takeSetback() else { return nil }
        return Diagnostic(
            .warning, .linkStore, at: nil,
            to < from
                ? "the history of \(quoted(path)) went back from generation \(from), and is now at \(to)"
                : "the history of \(quoted(path)) is another one: its generation \(from) is not the one that this node "
                    + "knew, or its mark is missing; it is now at \(to)",
            advice:
                "it was restored, or a failover has lost changes; its links are answered as they are there now"
        )
    }
}

extension BaseKeeper.Resumed {
    /// The warning that they are answered from a file.
    func finding(after milliseconds: Int) -> Diagnostic {
        Diagnostic(
            .warning, .linkStore, at: nil,
            "stored links are answered as this node knew them \(durationInWords(age)) before: "
                + "\(counted(store.index.count, "slug")) of generation \(store.index.generation), read from "
                + "\(quoted(path)) in \(milliseconds) ms",
            advice:
                "changes that others have made since are answered when the database is there again")
    }
}
