/// The names by which programs of JavaScript use files beside them.
enum ProgramNames {
    /// The texts of a program that begin with `./` or `../`.
    static func used(in text: String) -> [String] {
        let quotes = text.utf8.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "`")
        }
        return quotes.dropFirst().filter {
            $0.count <= nameBytesMax
                && ($0.starts(with: "./".utf8) || $0.starts(with: "../".utf8))
        }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The file of a checkout that a relative name means; nil if it has none.
    /// - Parameters:
    ///   - directory: that of the program, with a slash behind it.
    ///   - names: the files of the checkout.
    static func file(_ name: String, in directory: String, _ names: Set<[UInt8]>) -> String? {
        endings.lazy.compactMap { normalized("\(directory)\(name)\($0)") }
            .first { names.contains(Array($0.utf8)) }
    }

    /// Whether a file is a program by its name.
    static func areOfProgram(_ name: String) -> Bool {
        programEndings.contains { name.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }

    private static let nameBytesMax = 1_024
    private static let endings = [""] + programEndings + programEndings.map { "/index\($0)" }
}
