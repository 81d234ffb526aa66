import Diagnostics
import Foundation
import JSONSyntax
import Linting
import SiteConfiguration

/// JSON: findings and values stand in the text, and what is found to be valid Foundation reads too.
@Sendable func readJSON(_ bytes: [UInt8]) {
    let document = measure { JSONDocument(bytes, file: "f") }
    requirePositions(document.diagnostics, in: bytes)
    if let root = document.root { requireNested(root, in: 0..<bytes.count) }
    if document.isValid, document.diagnostics.isEmpty {
        let other = try? JSONSerialization.jsonObject(
            with: Data(bytes), options: .fragmentsAllowed)
        require(other != nil, "Foundation refuses it")
        if case .string(let text)? = document.root?.content {
            require((other as? String).map { Array($0.utf8) == Array(text.utf8) } == true, text)
        }
    }
}

private func requireNested(_ value: JSONValue, in range: Range<Int>) {
    let own = value.start.offset..<value.end
    require(range.contains(own.lowerBound) && own.upperBound <= range.upperBound, "\(own)")
    for element in value.elements ?? [] { requireNested(element, in: own) }
    for member in value.members ?? [] {
        require(own.contains(member.keyStart.offset), "a key out of its object")
        requireNested(member.value, in: own)
    }
}

private func requirePositions(_ findings: [Diagnostic], in bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for finding in findings {
        guard let position = finding.position else { continue }
        let isThere =
            lines.indices.contains(position.line - 1) && position.column >= 1
            && position.column <= lines[position.line - 1].count + 1
        require(isThere, "points nowhere: \(finding)")
    }
}

/// A configuration that is accepted generates association files that are valid, and that the
/// linter can be asked about.
@Sendable func readConfiguration(_ bytes: [UInt8]) {
    let (configuration, findings) = measure {
        Configuration.read(bytes, file: "f", directory: "/nowhere")
    }
    require((configuration == nil) == findings.contains { $0.severity == .error }, "\(findings)")
    guard let configuration else { return }
    _ = Linter.lint(configuration, at: 1_800_000_000)
    for site in configuration.environments.flatMap(\.sites) {
        for file in [site.associations.aasa, site.associations.assetlinks] {
            guard let file else { continue }
            let document = JSONDocument(file, file: "generated")
            require(document.isValid, "\(document.diagnostics)")
        }
    }
}
