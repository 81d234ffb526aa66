import ArgumentParser
private import Associations
private import JSONSyntax
import Reviewing

extension AssetLinksFiles {
    /// Reads a file with its includes, and prints what is wrong with them.
    /// - Throws: the exit status, after printing the reason.
    static func read(
        _ bytes: [UInt8], name: String, _ includes: IncludeOptions, printsFaults: Bool = true
    ) throws(ExitCode) -> AssetLinksFiles {
        let files = AssetLinksFiles(bytes, name: name, includes: try includes.load())
        let own = files.readings[0]
        try printFaults(printsFaults ? own.diagnostics : [], isRead: own.json.isValid)
        for other in files.readings.dropFirst() {
            try printFaults(other.diagnostics, isRead: true)
        }
        return files
    }
}
