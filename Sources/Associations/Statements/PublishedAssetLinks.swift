private import Diagnostics

package import JSONSyntax
private import URISyntax

/// The statements of an `assetlinks.json` file and of the files that it includes, as Google's
/// verifier reads them (Google, "Digital Asset Links" and its compatibility suite).
///
/// This is only Google's verdict. `lint` reports what people should change in a file that Google
/// accepts, such as an empty list, or a fingerprint of zeros.
public struct PublishedAssetLinks: Sendable {
    /// A relation to a website, or to an app with one of the keys that sign it.
    public struct Statement: Hashable, Sendable {
        /// For example `delegate_permission/common.handle_all_urls`.
        public let relation: String
        public let target: Target
        /// The number of includes that lead to its file: 0 in the file itself. Android devices read
        /// no further than 1 (AOSP, StatementRetriever).
        public let includeDepth: Int
        /// The JSON pointer of the statement in its file, and the number of this file in `files`.
        package let pointer: String
        package let file: Int
    }

    /// A statement as the file has it: each of its relations holds for each of its targets.
    package struct AcceptedStatement: Sendable {
        package let relations: [String]
        package let targets: [Target]
        package let includeDepth: Int
        package let pointer: String
        package let file: Int

        /// Whether it lets its targets open links.
        package var opensLinks: Bool {
            relations.contains { $0.isScalarwise(AssetRelation.handleAllURLs.rawValue) }
        }
    }

    /// The subject of a statement.
    public enum Target: Hashable, Sendable {
        /// A website by its origin, in lower case and without the scheme's default port.
        case website(origin: String)
        case app(package: String, fingerprint: String)

        /// The app's package; nil for a website.
        package var package: String? {
            if case .app(let package, _) = self { package } else { nil }
        }
    }

    /// An error that Google's verifier reports.
    public struct Fault: Hashable, Sendable, CustomStringConvertible {
        /// The kinds of errors, with the names of Google's API.
        public enum Code: String, Sendable {
            /// A text that is not JSON, or a statement of the wrong form. The statement is skipped;
            /// a text that is not JSON is skipped whole.
            case malformedContent = "ERROR_CODE_MALFORMED_CONTENT"
            /// An https file that includes an http file, which is not read.
            case secureAssetIncludesInsecure = "ERROR_CODE_SECURE_ASSET_INCLUDES_INSECURE"
            /// There are more includes than are followed, mostly because files include one another.
            case fetchBudgetExhausted = "ERROR_CODE_FETCH_BUDGET_EXHAUSTED"
        }

        public let code: Code
        public let message: String
        /// The name of the file, and the position of the fault in it, counted from 1.
        public let file: String
        public let line: Int
        public let column: Int
        /// The JSON pointer of the statement; empty for the whole file.
        package let pointer: String

        /// The position and the message on one line.
        public var description: String { "\(file):\(line):\(column): \(message)" }
    }

    /// Whether Google's verifier accepts the file without an error.
    public enum Verdict: Hashable, Sendable {
        case valid
        case invalid
        /// It accepts the file if the includes that were not given are valid too.
        case dependsOnIncludes
    }

    /// A file that was read: its JSON and its name.
    package struct File: Sendable {
        package let json: JSONDocument
        package let name: String

        /// Reads any bytes as JSON.
        package init(_ bytes: [UInt8], name: String) {
            self.init(JSONDocument(associations: bytes, file: name), name: name)
        }

        init(_ json: JSONDocument, name: String) {
            self.json = json
            self.name = name
        }
    }

    /// The statements that Google accepts, in the order in which they are read.
    package internal(set) var accepted = [AcceptedStatement]()
    /// The same, one for each relation and key.
    public var statements: [Statement] {
        accepted.flatMap { statement in
            statement.targets.flatMap { target in
                statement.relations.map {
                    Statement(
                        relation: $0, target: target, includeDepth: statement.includeDepth,
                        pointer: statement.pointer, file: statement.file)
                }
            }
        }
    }
    public package(set) var faults = [Fault]()
    /// The URLs of includes that were not given, so their statements are unknown.
    public package(set) var missingIncludes = [String]()
    /// The file itself and the files that it includes, each once.
    package internal(set) var files = [File]()
    /// The URLs of includes that were read.
    package internal(set) var readIncludes = Set<String>()

    /// Reads a file and its includes.
    /// - Parameters:
    ///   - bytes: the file's content.
    ///   - name: the file's name in faults.
    ///   - isSecure: whether the file is served over https, as links require. An http file may
    ///   include http files.
    ///   - includes: the contents of included files, by their URLs.
    public init(
        _ bytes: some Sequence<UInt8>, name: String = "assetlinks.json", isSecure: Bool = true,
        includes: [String: [UInt8]] = [:]
    ) {
        var files = [String: File]()
        for (url, bytes) in includes { files[url] = File(bytes, name: url) }
        self.init(File(Array(bytes), name: name), isSecure: isSecure, includes: files)
    }

    /// The same for files that were read before.
    package init(_ file: File, isSecure: Bool = true, includes: [String: File]) {
        var walk = IncludeWalk(includes: includes)
        walk.read(file, depth: 0, isSecure: isSecure)
        self = walk.result
    }

    /// The same for a single file that was read before.
    package init(json: JSONDocument) {
        self.init(File(json, name: "assetlinks.json"), includes: [:])
    }

    /// Google's verdict on the file.
    public var verdict: Verdict {
        if !faults.isEmpty { return .invalid }
        return missingIncludes.isEmpty ? .valid : .dependsOnIncludes
    }

    /// Whether a statement grants this relation to the app with this key. An include that was not
    /// given may also grant it.
    public func grants(_ relation: String, package: String, fingerprint: String) -> Bool {
        grants(relation, .app(package: package, fingerprint: fingerprint))
    }

    /// The same for a website, by its origin in any spelling.
    public func grants(_ relation: String, site: String) -> Bool {
        guard let origin = try? WebOrigin(site) else { return false }
        return grants(relation, .website(origin: origin.description))
    }

    private func grants(_ relation: String, _ target: Target) -> Bool {
        accepted.contains {
            $0.relations.contains(where: relation.isScalarwise) && $0.targets.contains(target)
        }
    }

    /// The number of includes that are followed. Google documents no number; it reports files that
    /// include one another (compatibility suite, 5005).
    public static let includesMax = 10
}
