/// The statements of a Gradle script that may write a manifest, or copy files into a source set, when the script runs. One
/// that names such a file may, unless it gives it a name or only reads it.
struct ManifestWrites {
    /// Whether there is one.
    private(set) var isFound = false
    /// Whether there is one that may write resources of releases.
    private(set) var findsResources = false
    /// The source sets into which there may be one, if releases have them.
    private(set) var sourceSets = Set<String>()
    /// The variables that have a manifest or the directory of a source set.
    private var names = Set<String>()

    /// Takes the names of the source sets of the module; nil if they are not known.
    mutating func take(_ names: SourceSetNames?) {
        if sourceSets.contains(where: {
            names?.mayBeOfRelease($0) ?? true || names?.isOpen($0) ?? true
        }
        ) {
            isFound = true
        }
    }

    /// Takes a statement, or the heading of a block.
    /// - Parameter isOfOthers: whether it is for other modules.
    mutating func take(_ statement: [GradleToken], isOfOthers: Bool = true) {
        guard !isFound else { return }
        let sign = statement.firstIndex(of: .symbol(UInt8(ascii: "=")))
        let isRead = statement.mentions(readingWords.contains)
        /// Whether the first file of a kind is neither read nor given to a name.
        func isUsed(_ isOfKind: (GradleToken) -> Bool) -> Bool {
            guard !isRead, let place = statement.firstIndex(where: isOfKind) else { return false }
            return sign.map { $0 > place } ?? true
        }
        if statement.contains(where: \.isOfResources) {
            findsResources =
                findsResources || isUsed(\.isOfResources)
                || statement.mentions(copyingWords.contains)
        }
        let isOfVariable = !names.isEmpty && statement.mentions(names.contains)
        let isOfManifest = isOfVariable || statement.contains(where: \.isManifest)
        let sets = statement.compactMap(\.sourceSet)
        let isOfSet = isOfVariable || !sets.isEmpty
        guard isOfManifest || isOfSet else { return }
        let isWritten =
            isOfSet && statement.mentions(copyingWords.contains)
            || isOfManifest && statement.writes
            || isUsed { $0.isManifest || $0.sourceSet != nil }
        if isWritten, !isOfManifest, !isOfOthers, statement.isOfOwnSets {
            sourceSets.formUnion(sets)
        } else {
            isFound = isWritten
        }
        // `def file = file('src/main/AndroidManifest.xml')`.
        if let sign, let name = statement[..<sign].lazy.compactMap({ $0.parts.last }).last {
            names.insert(name)
        }
    }
}

extension [GradleToken] {
    /// Whether it names directories such as `src/screenshots` of its module, and of no other one.
    fileprivate var isOfOwnSets: Bool {
        allSatisfy { token in
            if case .text(let text?) = token {
                return text.utf8.first != UInt8(ascii: ":")
                    && (token.sourceSet == nil || text.utf8.starts(with: "src/".utf8))
            }
            return token.sourceSet == nil
                && !token.parts.contains { GradleNames.outside.contains([UInt8]($0.utf8)) }
        }
    }

    /// Whether it writes the file that it names.
    fileprivate var writes: Bool {
        if mentions(writingWords.contains) { return true }
        let appends = GradleToken.symbol(UInt8(ascii: "<"))
        return indices.contains { index in
            let isText = ["text", "bytes"].contains(self[index].parts.last)
            return isText && assigns(at: index)
                || self[index] == appends && index + 1 < count && self[index + 1] == appends
        }
    }
}

extension GradleToken {
    /// The bytes of a text; none of a URL of the web, also within quotation marks, which is no file here.
    private var bytes: [UInt8] {
        let bytes: [UInt8] =
            switch self {
            case .text(let text?): Array(text.utf8)
            case .filled(let text): text
            default: []
            }
        let start = bytes.drop { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\"") }
        return ["http://", "https://"].contains { start.starts(with: $0.utf8) } ? [] : bytes
    }

    fileprivate var isManifest: Bool {
        guard !bytes.isEmpty else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        // What is filled in can be the file's name.
        return holds("AndroidManifest.xml", in: text) || holds("src/main/$", in: text)
    }

    /// Whether it is in a directory of resources of releases, such as `src/main/res`.
    fileprivate var isOfResources: Bool {
        let parts = bytes.split(separator: UInt8(ascii: "/"))
        return parts.indices.dropFirst(2).contains { index in
            parts[index].elementsEqual("res".utf8) && parts[index - 2].elementsEqual("src".utf8)
                && !otherSets.contains(String(decoding: parts[index - 1], as: UTF8.self))
        }
    }

    /// The name of the source set whose directory it is, such as that of `src/main`, unless that is of debug builds or tests;
    /// `main` for the directory of all of them.
    fileprivate var sourceSet: String? {
        let parts = bytes.split(separator: UInt8(ascii: "/")).suffix(2)
        guard parts.first?.elementsEqual("src".utf8) == true, let last = parts.last else {
            return nil
        }
        let name = parts.count == 2 ? String(decoding: last, as: UTF8.self) : "main"
        return otherSets.contains(name) ? nil : name
    }
}

/// The methods and settings of what is read.
private let readingWords: Set = [
    "XmlParser", "XmlSlurper", "bufferedReader", "eachLine", "exclude", "exists", "from", "getText",
    "input", "inputStream", "inputs", "isDirectory", "isFile", "lastModified", "localDirectory",
    "newReader", "parse",
    "print", "println", "readLines", "readText", "root", "setRoot", "setSrcDirs", "setSrcFile",
    "source", "sourceDirectories", "srcDir", "srcDirs", "srcFile", "target", "text",
    "withInputStream", "withReader",
]
/// The methods that copy files into a directory.
private let copyingWords: Set = ["into", "todir", "destinationDir", "setDestinationDir"]
/// The methods and types that write a file, and those that hand it to another program.
private let writingWords: Set = [
    "FileOutputStream", "FileWriter", "PrintWriter", "ant", "append", "appendText", "args",
    "bufferedWriter", "commandLine", "copy", "copyTo", "execute", "leftShift", "newOutputStream",
    "newPrintWriter", "newWriter", "outputStream", "printWriter", "renameTo", "setBytes",
    "setText", "withOutputStream", "withPrintWriter", "withWriter", "withWriterAppend", "write",
    "writeBytes", "writeText", "writer",
]
