import ArgumentParser

// The exit statuses of every command; ArgumentParser itself answers 0 and 64.
extension ExitCode {
    /// No: there were findings, or what was asked for is not there.
    static let no = ExitCode(1)
    /// An input file is missing.
    static let inputMissing = ExitCode(66)
    /// The host, or the origin that was asked, does not answer.
    static let unreachable = ExitCode(69)
    /// Waymark's own fault.
    static let ourFault = ExitCode(70)
    /// An address cannot be listened on.
    static let cannotBind = ExitCode(71)
    /// What was asked for could not be written: the disk is full, or the stream is closed.
    static let outputFailed = ExitCode(74)
    /// Not now: files were changing.
    static let tryAgain = ExitCode(75)
    /// The system's permission is lacking.
    static let noPermission = ExitCode(77)
    /// The configuration is invalid.
    static let configurationInvalid = ExitCode(78)
    /// Nobody reads the output any more: what shells say of a process that SIGPIPE has ended, as
    /// it does unless whoever started this one ignores it.
    static let readerGone = ExitCode(141)
}
