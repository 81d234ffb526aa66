internal import Diagnostics
private import URISyntax

/// The statements of an `assetlinks.json` file as Google's verifier takes them, those of the files
/// that it includes among them (Google, "Digital Asset Links" and its compatibility suite).
///
/// This is Google's verdict alone. What people should change in a file that Google accepts, `lint`
/// says: an empty list, or a fingerprint of zeros.
public struct PublishedAssetLinks: Sendable {
    /// A relation to one website, or to one app as one key signs it.
    public struct Statement: Hashable, Sendable {
        /// `delegate_permission/common.handle_all_urls`, for example.
        public let relation: String
        public let target: Target
        /// How many includes lead to its file: 0 in the file itself. Android devices read no
        /// further than 1 (AOSP, StatementRetriever).
        public let includeDepth: Int
        /// The JSON pointer of the statement in its file, and the number of that in `files`.
        package let pointer: String
        package let file: Int
    }

    /// What a statement is about.
    public enum Target: Hashable, Sendable {
        /// A website by its origin: small letters, without the scheme's own port.
        case website(origin: String)
        case app(package: String, fingerprint: String)
    }

    /// Something that Google's verifier reports as an error.
    public struct Fault: Hashable, Sendable, CustomStringConvertible {
        /// The kinds of errors, by the names of Google's API.
        public enum Code: String, Sendable {
            /// A text that is not JSON, or a statement that is not of the form; the statement is
            /// skipped, and of a text that is not JSON all of it.
            case malformedContent = "ERROR_CODE_MALFORMED_CONTENT"
            /// An https file that includes an http one, which is not read.
            case secureAssetIncludesInsecure = "ERROR_CODE_SECURE_ASSET_INCLUDES_INSECURE"
            /// More includes than are followed, mostly because files include one another.
            case fetchBudgetExhausted = "ERROR_CODE_FETCH_BUDGET_EXHAUSTED"
        }

        public let code: Code
        public let message: String
        /// What the file is called, and where in it the fault is, counted from 1.
        public let file: String
        public let line: Int
        public let column: Int
        /// The JSON pointer of the statement; empty for the whole file.
        package let pointer: String

        /// The place and the message on one line.
        public var description: String { "\(file):\(line):\(column): \(message)" }
    }

    /// Whether Google's verifier takes the file without an error.
    public enum Verdict: Hashable, Sendable {
        case valid
        case invalid
        /// It would, if the files that it includes and that were not given are valid too.
        case dependsOnIncludes
    }

    /// A file that was read: its JSON and what it is called.
    package struct File: Sendable {
        package let json: JSONDocument
        package let name: String

        /// Reads any bytes as JSON.
        package init(_ bytes: [UInt8], name: String) {
            self.init(JSONDocument(bytes, file: name), name: name)
        }

        init(_ json: JSONDocument, name: String) {
            self.json = json
            self.name = name
        }
    }

    /// Those that Google takes, one for each relation and key, in the order in which they are read.
    public package(set) var statements = [Statement]()
    public package(set) var faults = [Fault]()
    /// The URLs of includes that were not given, so that nobody knows here what they hold.
    public package(set) var missingIncludes = [String]()
    /// The file itself and the files that it includes, each once.
    package internal(set) var files = [File]()
    /// The URLs of includes that were read.
    package internal(set) var readIncludes = Set<String>()

    /// Reads a file and what it includes.
    /// - Parameters:
    ///   - bytes: the file's content.
    ///   - name: what faults call the file.
    ///   - isSecure: whether the file is served over https, as links need it. An http one may
    ///     include http files.
    ///   - includes: the contents of included files, by the URLs that include them.
    public init(
        _ bytes: some Sequence<UInt8>, name: String = "assetlinks.json", isSecure: Bool = true,
        includes: [String: [UInt8]] = [:]
    ) {
        var files = [String: File]()
        for (url, bytes) in includes { files[url] = File(bytes, name: url) }
        self.init(File(Array(bytes), name: name), isSecure: isSecure, includes: files)
    }

    /// The same of files that were read before.
    package init(_ file: File, isSecure: Bool = true, includes: [String: File]) {
        var walk = IncludeWalk(includes: includes)
        walk.read(file, depth: 0, isSecure: isSecure)
        self = walk.result
    }

    /// The same of a file alone that was read before.
    package init(json: JSONDocument) {
        self.init(File(json, name: "assetlinks.json"), includes: [:])
    }

    /// What Google says of the file.
    public var verdict: Verdict {
        if !faults.isEmpty { return .invalid }
        return missingIncludes.isEmpty ? .valid : .dependsOnIncludes
    }

    /// Whether a statement lets the app do this, as the key signs it; an include that was not
    /// given may do so besides.
    public func grants(_ relation: String, package: String, fingerprint: String) -> Bool {
        grants(relation, .app(package: package, fingerprint: fingerprint))
    }

    /// The same for a website, by its origin in any spelling.
    public func grants(_ relation: String, site: String) -> Bool {
        guard let origin = try? WebOrigin(site) else { return false }
        return grants(relation, .website(origin: origin.description))
    }

    private func grants(_ relation: String, _ target: Target) -> Bool {
        statements.contains { $0.relation.isScalarwise(relation) && $0.target == target }
    }

    /// How many includes are followed in all. Google names no number; it reports files that
    /// include one another (compatibility suite, 5005).
    public static let includesMax = 10
}
