package import Diagnostics
package import Logging

extension Logger {
    /// Logs a finding; its position, rule and advice are members. Notes, which are for `lint`, are
    /// logged at the level debug.
    package func report(_ diagnostic: Diagnostic, _ more: Logger.Metadata = [:]) {
        var metadata = more
        metadata[EventKey.rule.rawValue] = .string(diagnostic.rule.rawValue)
        if let position = diagnostic.position {
            metadata[EventKey.file.rawValue] = .string(position.file)
            metadata[EventKey.line.rawValue] = .stringConvertible(position.line)
            metadata[EventKey.column.rawValue] = .stringConvertible(position.column)
        }
        metadata[EventKey.advice.rawValue] = diagnostic.advice.map { .string($0) }
        log(level: diagnostic.severity.level, "\(diagnostic.message)", metadata: metadata)
    }

    /// Logs findings in their order.
    package func report(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics { report(diagnostic) }
    }
}

extension Severity {
    fileprivate var level: Logger.Level {
        switch self {
        case .note: .debug
        case .warning: .warning
        case .error: .error
        }
    }
}
