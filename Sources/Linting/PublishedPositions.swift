import Associations
import Diagnostics
import SiteConfiguration

// The positions in the configuration from which generated files were made.

/// The position in the configuration of a value in the generated association file.
struct PublishedPositions {
    private let apps: [SourcePosition?]
    private let components: [[ComponentPosition]]
    /// The link of each of these, and whether it is excluded there.
    private let rules: [[PublishedRule]]

    init(_ publications: [Publication]) {
        apps = publications.map(\.app.ios?.position)
        components = publications.map { $0.links.flatMap(\.positions) }
        rules = publications.map { publication in
            publication.links.flatMap { link in
                link.components.map { PublishedRule(link: link.key, isExclude: $0.exclude) }
            }
        }
    }

    /// The rule that a pointer is of.
    func rule(of pointer: String) -> PublishedRule? {
        let tokens = pointer.pointerTokens
        guard tokens.count >= 5, let entry = Int(tokens[2]), rules.indices.contains(entry),
            let rule = Int(tokens[4]), rules[entry].indices.contains(rule)
        else { return nil }
        return rules[entry][rule]
    }

    /// - Parameter pointer: into a file in the modern form.
    func position(of pointer: String) -> SourcePosition? {
        let tokens = pointer.pointerTokens
        guard tokens.count >= 3, tokens[0] == "applinks", tokens[1] == "details",
            let entry = Int(tokens[2]), apps.indices.contains(entry)
        else { return nil }
        guard tokens.count >= 5, tokens[3] == "components", let rule = Int(tokens[4]),
            components[entry].indices.contains(rule)
        else { return apps[entry] }
        let key = tokens[5...].joined(separator: "/").unescapedPointer
        return components[entry][rule].parts[key] ?? components[entry][rule].whole
    }
}

/// A rule in the generated association file, and the link that it is made of.
struct PublishedRule {
    let link: String
    let isExclude: Bool
}

/// The position in the configuration of a value in the generated `assetlinks.json`.
struct PublishedStatements {
    private let publications: [Publication]

    init(_ publications: [Publication]) {
        self.publications = publications.filter(\.isToldAndroid)
    }

    /// Nil for the rule that ends the dynamic rules, because it has no position.
    func position(of pointer: String) -> SourcePosition? {
        guard let (publication, rest) = statement(pointer) else { return nil }
        guard rest.first == "relation_extensions" else {
            return publication.app.android?.fingerprintPositions.first
        }
        let positions = publication.links.flatMap(\.positions)
        guard rest.count >= 4, let rule = Int(rest[3]), positions.indices.contains(rule) else {
            return nil
        }
        let key = rest[4...].joined(separator: "/").unescapedPointer
        return positions[rule].parts[key] ?? positions[rule].whole
    }

    func isOnApple(_ pointer: String) -> Bool { statement(pointer)?.publication.app.ios != nil }

    private func statement(_ pointer: String) -> (publication: Publication, rest: [String])? {
        let tokens = pointer.pointerTokens
        guard let number = tokens.first.flatMap({ Int($0) }), publications.indices.contains(number)
        else { return nil }
        return (publications[number], Array(tokens.dropFirst()))
    }
}

extension String {
    /// The texts between the slashes of a JSON pointer, with their escapes.
    fileprivate var pointerTokens: [String] {
        utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A token of a JSON pointer as the key that it means (RFC 6901 §4).
    fileprivate var unescapedPointer: String {
        var key = [UInt8]()
        var rest = Substring(self).utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "~"), let digit = rest.popFirst() else {
                key.append(byte)
                continue
            }
            key.append(digit == UInt8(ascii: "1") ? UInt8(ascii: "/") : byte)
        }
        return String(decoding: key, as: UTF8.self)
    }
}
