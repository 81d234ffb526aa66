import Diagnostics
private import Yams

/// Turns the text of a configuration into a tree of values, or says why it is none.
///
/// Yams gives the tree; three things it leaves to its caller. It stops at the first mapping whose
/// keys repeat; it puts aliased nodes in place without a trace but their anchor; and it guesses
/// types, which `Resolver.basic` forbids.
struct YAMLDocument {
    private let file: String
    private var scalars: [Unicode.Scalar]
    /// Keys that were renamed to tell them apart from a duplicate, by their places.
    private var renamed = [SourcePlace: String]()

    static func read(_ bytes: [UInt8], file: String, into findings: inout Findings) -> Value? {
        guard let text = ConfigurationText.read(bytes, file: file, into: &findings) else {
            return nil
        }
        var document = YAMLDocument(file: file, scalars: Array(text.unicodeScalars))
        return document.compose(&findings)
    }

    private init(file: String, scalars: [Unicode.Scalar]) {
        self.file = file
        self.scalars = scalars
    }

    private mutating func compose(_ findings: inout Findings) -> Value? {
        while true {
            do {
                // The encoding is named, or Yams asks the environment and prints the answer.
                let parser = try Parser(
                    yaml: String(String.UnicodeScalarView(scalars)), resolver: .basic,
                    encoding: .utf8)
                guard let root = try parser.singleRoot() else {
                    findings.error(.emptyFile, at: place(nil), "file is empty")
                    return nil
                }
                // The parser owns the anchors; nodes know theirs only while it lives.
                return withExtendedLifetime(parser) { value(of: root, level: 1, &findings) }
            } catch YamlError.duplicatedKeysInMapping(let keys, let context)
                where tellApart(keys, at: context.mark)
            {
                continue
            } catch {
                report(error, &findings)
                return nil
            }
        }
    }

    private func place(_ mark: Mark?) -> SourcePlace {
        SourcePlace(file: file, line: mark?.line ?? 1, column: mark?.column ?? 1)
    }
}

// MARK: - Nodes

extension YAMLDocument {
    private func value(of node: Node, level: Int, _ findings: inout Findings) -> Value {
        let place = place(node.mark)
        let content = content(of: node, at: place, level: level, &findings)
        return Value(content: content, place: place, isPlain: node.scalar?.style == .plain)
    }

    private func content(
        of node: Node, at place: SourcePlace, level: Int, _ findings: inout Findings
    ) -> Value.Content {
        guard node.anchor == nil else {
            findings.aliasRefused(at: place)
            return .refused
        }
        guard level <= ConfigurationLimits.nestingMax else {
            findings.error(
                .nesting, at: place,
                "values are nested \(level - 1 + depth(of: node)) levels deep, "
                    + "may be \(ConfigurationLimits.nestingMax)")
            return .refused
        }
        guard plainTags.contains(node.tag.rawValue) else {
            findings.error(
                .yamlTag, at: place, "tag \(quoted(node.tag.rawValue)) is not read",
                advice: "delete it; every scalar is read as text")
            return .refused
        }
        switch node {
        case .scalar(let scalar): return isUnset(scalar) ? .unset : .text(scalar.string)
        case .sequence(let sequence):
            return .list(sequence.map { value(of: $0, level: level + 1, &findings) })
        case .mapping(let mapping):
            let entries = entries(of: mapping, level: level, &findings)
            return entries.isEmpty && !mapping.isEmpty ? .refused : .mapping(entries)
        case .alias:
            findings.aliasRefused(at: place)
            return .refused
        }
    }

    private func entries(
        of mapping: Node.Mapping, level: Int, _ findings: inout Findings
    ) -> [Value.Entry] {
        var first = [String: SourcePlace]()
        var entries = [Value.Entry]()
        for (key, node) in mapping {
            let keyPlace = place(key.mark)
            guard case .scalar(let scalar) = key, key.anchor == nil else {
                findings.error(.wrongKind, at: keyPlace, "a key must be a text")
                continue
            }
            let name = renamed[keyPlace] ?? scalar.string
            if let earlier = first[name] {
                findings.error(
                    .duplicateKey, at: keyPlace,
                    "key \(quoted(name)) stands in line \(earlier.line) already")
                continue
            }
            first[name] = keyPlace
            let value = value(of: node, level: level + 1, &findings)
            entries.append(Value.Entry(key: name, place: keyPlace, value: value))
        }
        return entries
    }

    private func isUnset(_ scalar: Node.Scalar) -> Bool {
        scalar.style == .plain && ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }

    /// libYAML refuses what a recursion could not survive, so this need not.
    private func depth(of node: Node) -> Int {
        switch node {
        case .scalar, .alias: 1
        case .sequence(let items): 1 + (items.map(depth).max() ?? 0)
        case .mapping(let pairs): 1 + (pairs.map { depth(of: $0.value) }.max() ?? 0)
        }
    }
}

/// The tags that YAML gives to what has none.
private let plainTags: Set = [
    "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map",
]

// MARK: - Duplicate keys

extension YAMLDocument {
    /// Changes the first letter of the key at `mark`, the first of several equal ones, so that
    /// Yams goes on; `entries(of:)` gives it its name back. False where the key is spelled in a
    /// way that this cannot do, and after too many.
    private mutating func tellApart(_ keys: [String], at mark: Mark) -> Bool {
        guard renamed.count < ConfigurationLimits.duplicateRoundsMax, let key = keys.first,
            var index = index(of: mark),
            let stranger = Unicode.Scalar(privateUse + UInt32(renamed.count))
        else { return false }
        if scalars[index] == "\"" || scalars[index] == "'" { index += 1 }
        guard index < scalars.count, scalars[index] == key.unicodeScalars.first else {
            return false
        }
        scalars[index] = stranger
        renamed[place(mark)] = key
        return true
    }

    /// The index of the scalar at a line and column, counted as libYAML counts.
    private func index(of mark: Mark) -> Int? {
        var (line, index) = (1, 0)
        while line < mark.line, index < scalars.count {
            let isPair = scalars[index...].starts(with: ["\r", "\n"])
            if isLineBreak(scalars[index]) { line += 1 }
            index += isPair ? 2 : 1
        }
        index += mark.column - 1
        return index < scalars.count ? index : nil
    }
}

/// Where the scalars begin that have no meaning; a key that uses one is only told apart later.
private let privateUse: UInt32 = 0xE000

// MARK: - Errors

extension YAMLDocument {
    private func report(_ error: any Error, _ findings: inout Findings) {
        switch error {
        case YamlError.scanner(let context, let problem, let mark, _),
            YamlError.parser(let context, let problem, let mark, _),
            YamlError.composer(let context, let problem, let mark, _):
            report(problem, context, mark, &findings)
        case YamlError.duplicatedKeysInMapping(let keys, let context):
            findings.error(
                .duplicateKey, at: place(context.mark),
                "key \(quoted(keys.first ?? "")) stands more than once in its mapping")
        case YamlError.reader(let problem, _, _, _):
            findings.error(.yamlSyntax, at: place(nil), problem)
        default:
            findings.error(.yamlSyntax, at: place(nil), "the text could not be parsed")
        }
    }

    private func report(
        _ problem: String, _ context: YamlError.Context?, _ mark: Mark, _ findings: inout Findings
    ) {
        switch problem {
        case "found undefined alias":
            findings.aliasRefused(at: place(mark))
        case "but found another document":
            findings.error(
                .severalDocuments, at: place(mark),
                "a second document begins here; a configuration is one")
        case _ where problem.utf8.starts(with: "Maximum nesting level".utf8):
            findings.error(
                .nesting, at: place(mark),
                "values are nested more than 1000 levels deep, "
                    + "may be \(ConfigurationLimits.nestingMax)")
        default:
            let origin = context.map { " \($0.text), line \($0.mark.line)" } ?? ""
            findings.error(
                .yamlSyntax, at: place(mark), problem + origin,
                advice: advice(at: mark) ?? advice(at: context?.mark))
        }
    }

    /// What most probably was meant, judged by the letter that the parser stumbled over.
    private func advice(at mark: Mark?) -> String? {
        guard let index = mark.flatMap(index) else { return nil }
        return switch scalars[index] {
        case "\t": "indent with spaces; YAML has no tabs there"
        case "*", "&", "!", "@", "`", "%", "|", ">":
            "put a text that begins with \(quoted(String(scalars[index]))) in quotes"
        default: nil
        }
    }
}
