import ArgumentParser

// The exit statuses of every command; ArgumentParser itself uses 0 and 64.
extension ExitCode {
    /// No: there are findings, or the requested thing does not exist.
    static let no = ExitCode(1)
    /// An input file is missing.
    static let inputMissing = ExitCode(66)
    /// The host or the origin does not answer.
    static let unreachable = ExitCode(69)
    /// An error in Waymark, a lack of descriptors, threads or memory, or a disk that fails.
    static let ourFault = ExitCode(70)
    /// An address cannot be bound.
    static let cannotBind = ExitCode(71)
    /// The output could not be written: the disk is full, or the stream is closed.
    static let outputFailed = ExitCode(74)
    /// Files changed while they were read, or the store cannot be used now; try again.
    static let tryAgain = ExitCode(75)
    /// A permission is missing.
    static let noPermission = ExitCode(77)
    /// The configuration is invalid.
    static let configurationInvalid = ExitCode(78)
    /// The output has no reader any more. Shells report this status for a process that SIGPIPE has
    /// ended; it is used if the parent process ignores SIGPIPE.
    static let readerGone = ExitCode(141)
}
