private import Diagnostics
import JSONSyntax
private import URISyntax

/// One statement list, read as strictly as Google's verifier does: after its first fault a
/// statement is skipped, and the others count.
struct StatementParser {
    /// A pointer to another list.
    struct Include {
        let url: String
        let isSecure: Bool
        let position: TextPosition
        let pointer: String
    }

    private(set) var accepted = [PublishedAssetLinks.AcceptedStatement]()
    private(set) var includes = [Include]()
    private(set) var faults = [PublishedAssetLinks.Fault]()
    private let file: String
    private let depth: Int
    private let number: Int

    /// The reason why a statement is refused, and its position.
    private struct Refusal: Error {
        let message: String
        let position: TextPosition

        init(_ message: String, _ position: TextPosition) {
            self.message = message
            self.position = position
        }
    }

    /// - Parameter number: the file's number in `PublishedAssetLinks.files`.
    init(_ file: PublishedAssetLinks.File, depth: Int, number: Int) {
        self.file = file.name
        self.depth = depth
        self.number = number
        let syntax = file.json.diagnostics.first { $0.severity == .error }
        guard syntax == nil, let root = file.json.root else {
            let what = syntax.map { ": \($0.message)" } ?? ""
            let start = TextPosition(
                offset: 0, line: syntax?.position?.line ?? 1, column: syntax?.position?.column ?? 1)
            faults = [fault(.malformedContent, "the file is not JSON\(what)", start, "")]
            return
        }
        guard let elements = root.elements else {
            let words = "the file is \(root.kind), must be one array of statements"
            faults = [fault(.malformedContent, words, root.start, "")]
            return
        }
        for (index, element) in elements.enumerated() {
            do throws(Refusal) {
                try read(element, "/\(index)")
            } catch {
                faults.append(fault(.malformedContent, error.message, error.position, "/\(index)"))
            }
        }
    }

    func fault(
        _ code: PublishedAssetLinks.Fault.Code, _ message: String, _ position: TextPosition,
        _ pointer: String
    ) -> PublishedAssetLinks.Fault {
        PublishedAssetLinks.Fault(
            code: code, message: message, file: file, line: position.line, column: position.column,
            pointer: pointer)
    }

    private mutating func read(_ value: JSONValue, _ pointer: String) throws(Refusal) {
        guard value.members != nil else {
            throw Refusal("a statement is \(value.kind), must be an object", value.start)
        }
        if let include = value.member("include") {
            if let other = value.member("target") ?? value.member("relation") {
                throw Refusal("\(quoted(other.key)) is not allowed beside include", other.keyStart)
            }
            return includes.append(try self.include(include.value, pointer))
        }
        let relations = try relations(value)
        guard let target = value["target"] else {
            throw Refusal("the statement has no target", value.start)
        }
        accepted.append(
            PublishedAssetLinks.AcceptedStatement(
                relations: relations, targets: try targets(target), includeDepth: depth,
                pointer: pointer, file: number))
    }

    private func include(_ value: JSONValue, _ pointer: String) throws(Refusal) -> Include {
        guard let text = value.text else {
            throw Refusal("include is \(value.kind), must be a string", value.start)
        }
        let url: WebURL
        do throws(WebURLError) { url = try WebURL(text) } catch {
            throw Refusal("include \(quoted(text)): \(error)", value.start)
        }
        return Include(url: text, isSecure: url.isSecure, position: value.start, pointer: pointer)
    }

    // MARK: Relations

    private func relations(_ statement: JSONValue) throws(Refusal) -> [String] {
        guard let value = statement["relation"] else {
            throw Refusal("the statement has no array `relation`", statement.start)
        }
        guard let elements = value.elements, !elements.isEmpty else {
            let words = value.elements == nil ? value.kind : "empty"
            throw Refusal("relation is \(words), must be an array with at least one", value.start)
        }
        var relations = [String]()
        for element in elements {
            guard let text = element.text else {
                throw Refusal("a relation is \(element.kind), must be a string", element.start)
            }
            guard AssetRelation.isWellFormed(text) else {
                throw Refusal(
                    "relation \(quoted(text)) is not of the form kind/detail", element.start)
            }
            relations.append(text)
        }
        return relations
    }

    // MARK: Targets

    private func targets(_ value: JSONValue) throws(Refusal) -> [PublishedAssetLinks.Target] {
        guard value.members != nil else {
            throw Refusal("the target is \(value.kind), must be an object", value.start)
        }
        let namespace = value["namespace"]
        switch namespace?.text {
        case "web": return [try website(value)]
        case "android_app": return try apps(value)
        default:
            throw Refusal(
                "the target's namespace must be \"android_app\" or \"web\"",
                namespace?.start ?? value.start)
        }
    }

    private func website(_ target: JSONValue) throws(Refusal) -> PublishedAssetLinks.Target {
        guard let site = target["site"], let text = site.text else {
            throw Refusal(
                "the target has no site that is a string", target["site"]?.start ?? target.start)
        }
        do throws(WebOriginError) {
            return .website(origin: try WebOrigin(text).description)
        } catch {
            throw Refusal("site \(quoted(text)) is not an origin: \(error)", site.start)
        }
    }

    private func apps(_ target: JSONValue) throws(Refusal) -> [PublishedAssetLinks.Target] {
        guard let name = target["package_name"], let package = name.text else {
            throw Refusal(
                "the target has no package_name that is a string",
                target["package_name"]?.start ?? target.start)
        }
        do throws(AndroidIdentifierError) { _ = try AndroidPackage(package) } catch {
            throw Refusal("\(error)", name.start)
        }
        let list = target["sha256_cert_fingerprints"]
        guard let elements = list?.elements, !elements.isEmpty else {
            throw Refusal(
                "sha256_cert_fingerprints must be an array with at least one",
                list?.start ?? target.start)
        }
        var targets = [PublishedAssetLinks.Target]()
        for element in elements {
            guard let text = element.text else {
                throw Refusal("a fingerprint is \(element.kind), must be a string", element.start)
            }
            do throws(AndroidIdentifierError) { _ = try CertificateFingerprint(text) } catch {
                throw Refusal("\(error)", element.start)
            }
            targets.append(.app(package: package, fingerprint: text))
        }
        return targets
    }
}
