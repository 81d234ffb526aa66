import Files
import SiteConfiguration

/// The lines of the files with findings. A file that was not added is read when a line is
/// requested.
struct SourceLines {
    private var files = [String: [ArraySlice<UInt8>]]()

    mutating func add(_ bytes: [UInt8], of file: String) {
        files[file] = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    /// Has no lines of a binary file.
    mutating func leaveOut(_ file: String) { files[file] = [] }

    /// A line, counted from 1, without its end; nil if it does not exist.
    mutating func line(_ number: Int, of file: String) -> ArraySlice<UInt8>? {
        if files[file] == nil {
            add(
                (try? readFile(file, bytesMax: ConfigurationLimits.fileBytesMax).bytes) ?? [],
                of: file)
        }
        guard let lines = files[file], lines.indices.contains(number - 1) else { return nil }
        var line = lines[number - 1]
        if number == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}
