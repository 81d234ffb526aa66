import Files
import TLS
import URISyntax

/// A hash that tells whether two origins, or one before and after a change, are served from the
/// same: the content of all that is read when a snapshot is built, and the names, sizes and times
/// of public files. Copies that keep the times of files have the same hash.
struct InputHash: Sendable {
    private let content: [UInt8]
    /// All files together, in no order, so that one can be replaced without the others.
    private var files = [UInt8](repeating: 0, count: 32)

    /// - Parameter content: the hash of all that is read.
    init(_ content: [UInt8], _ trees: PublicTrees) {
        self.content = content
        for (directory, tree) in trees.all {
            for file in tree.files { add(file, directory) }
            for fault in tree.faults { add(Array("\(fault)".utf8)) }
        }
    }

    mutating func replace(_ file: FoundFile, with other: FoundFile, in directory: [UInt8]) {
        // What is added twice is not in it any more.
        add(file, directory)
        add(other, directory)
    }

    /// In hexadecimal digits.
    var text: String { sha256(content + files).hexadecimal }

    private mutating func add(_ file: FoundFile, _ directory: [UInt8]) {
        let stamp = file.stamp
        let times = "\(stamp.modified) \(stamp.modifiedNanoseconds)"
        add(directory + Array("/\(file.relativePath)\n\(stamp.bytes) \(times)".utf8))
    }

    private mutating func add(_ text: [UInt8]) {
        for (index, byte) in sha256(text).enumerated() { files[index] ^= byte }
    }
}
