/// A fault of a script's first line, which names the interpreter (execve(2)). Shells run such a script all the
/// same, and the system does not.
package enum ScriptFault: Hashable, Sendable {
    /// It is text that does not begin with `#!`.
    case noInterpreter
    /// The line ends with a carriage return, which becomes a part of the name.
    case carriageReturn
    /// The interpreter cannot be run.
    case interpreter(String, FileError)

    /// - Parameter path: of a file that this process may run.
    /// - Returns: nil for another program, and for what cannot be read, which may be run all the same.
    package init?(at path: String) {
        guard let start = try? readBeginning(of: path, count: Self.lineBytesMax) else { return nil }
        guard start.starts(with: "#!".utf8) else {
            let isText = start.prefix(4).allSatisfy { 0x20..<0x7F ~= $0 || 0x09...0x0D ~= $0 }
            guard isText || start.starts(with: [0xEF, 0xBB, 0xBF]) else { return nil }
            self = .noInterpreter
            return
        }
        let name = start.dropFirst(2).drop { $0 == 0x20 || $0 == 0x09 }
            .prefix { ![0x20, 0x09, 0x0A, 0x00].contains($0) }
        guard name.last != 0x0D else {
            self = .carriageReturn
            return
        }
        let interpreter = String(decoding: name, as: UTF8.self)
        do throws(FileError) {
            try checkExecutable(interpreter)
            return nil
        } catch {
            self = .interpreter(interpreter, error)
        }
    }

    /// The bytes that the system reads (`BINPRM_BUF_SIZE`).
    private static let lineBytesMax = 256
}
