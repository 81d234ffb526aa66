import Diagnostics
private import YAML

/// Makes a tree of values from the text of a configuration, or reports why it cannot.
///
/// Every scalar is a text. YAML has more than mappings, lists and texts: anchors, aliases, tags,
/// keys that are not text, and several documents. These are refused at their position, and the rest
/// is read.
struct YAMLDocument: ~Copyable {
    private let file: String
    private var reader: YAMLReader
    private let pairs: SurrogatePairs
    /// Whether a space that is none for YAML was found, which changes the meaning of what follows.
    private var holdsStrangeSpace = false

    static func read(_ bytes: [UInt8], file: String, into findings: inout Findings) -> Value? {
        guard let text = ConfigurationText.read(bytes, file: file, into: &findings) else {
            return nil
        }
        let pairs = SurrogatePairs(text)
        guard let reader = YAMLReader(pairs.text, levelsMax: ConfigurationLimits.nestingMax) else {
            let start = SourcePosition(file: file, line: 1, column: 1)
            findings.error(.yamlSyntax, at: start, "there is no memory to read it")
            return nil
        }
        var document = YAMLDocument(file: file, reader: reader, pairs)
        do {
            let root = try document.root(&findings)
            return document.holdsStrangeSpace ? nil : root
        } catch {
            if !document.holdsStrangeSpace { document.report(error, in: pairs.text, &findings) }
            return nil
        }
    }

    private init(file: String, reader: consuming YAMLReader, _ pairs: SurrogatePairs) {
        self.file = file
        self.reader = reader
        self.pairs = pairs
    }

    private mutating func root(_ findings: inout Findings) throws(YAMLError) -> Value? {
        guard try reader.next() != nil, let event = try reader.next() else {
            let start = YAMLMark(line: 1, column: 1)
            findings.error(
                .emptyFile, at: position(start), "file is empty",
                advice: "waymark init writes a configuration to begin with")
            return nil
        }
        let root = try value(event, &findings)
        _ = try reader.next()
        if let second = try reader.next() {
            findings.error(
                .severalDocuments, at: position(second.mark),
                "a second document begins here; a configuration is one document",
                advice: "remove the line of hyphens, or make a file of its own of what follows")
            return nil
        }
        return root
    }

    private func position(_ mark: YAMLMark) -> SourcePosition {
        SourcePosition(
            file: file, line: mark.line, column: pairs.column(mark.column, ofLine: mark.line))
    }
}

// MARK: - Nodes

extension YAMLDocument {
    /// The node that `event` begins. The reader bounds the depth of this recursion.
    private mutating func value(
        _ event: YAMLEvent, _ findings: inout Findings
    ) throws(YAMLError) -> Value {
        let position = position(event.mark)
        guard try isRead(event, &findings) else {
            return Value(content: .refused, position: position)
        }
        switch event.kind {
        case .scalar(let text, let isPlain, _):
            if isPlain { checkSpaces(text.unicodeScalars.prefix(1), position, &findings) }
            let content = isPlain && isUnset(text) ? Value.Content.unset : .text(text)
            return Value(content: content, position: position, isPlain: isPlain)
        case .sequenceStart:
            var items = [Value]()
            while let item = try reader.next(), item.kind != .sequenceEnd {
                items.append(try value(item, &findings))
            }
            return Value(content: .list(items), position: position)
        default:
            return Value(content: try entries(&findings), position: position)
        }
    }

    /// Reports a fault of a node, and then skips the node.
    private mutating func isRead(
        _ event: YAMLEvent, _ findings: inout Findings
    ) throws(YAMLError) -> Bool {
        guard let properties = event.kind.properties, !properties.hasAnchor else {
            findings.error(
                .yamlAlias, at: position(event.mark), "anchors and aliases are not supported",
                advice: "write the value again; put a text that begins with & or * in quotes")
            try passOver(event)
            return false
        }
        guard properties.tag.map(plainTags.contains) ?? true else {
            findings.error(
                .yamlTag, at: position(event.mark),
                "tag \(quoted(properties.tag ?? "")) is not supported",
                advice: "remove it; every scalar is read as text")
            try passOver(event)
            return false
        }
        return true
    }

    private mutating func entries(_ findings: inout Findings) throws(YAMLError) -> Value.Content {
        var known = [String: SourcePosition]()
        var entries = [Value.Entry]()
        var isEmpty = true
        while let key = try reader.next(), key.kind != .mappingEnd {
            isEmpty = false
            let keyPosition = position(key.mark)
            guard case .scalar(let name, let isPlain, let properties) = key.kind,
                !properties.hasAnchor
            else {
                findings.error(
                    .wrongKind, at: keyPosition, "a key must be a text",
                    advice: "put a text that begins with { or [ in quotes")
                try passOver(key)
                if let value = try reader.next() { try passOver(value) }
                continue
            }
            if isPlain { checkSpaces(name.unicodeScalars[...], keyPosition, &findings) }
            guard let event = try reader.next() else { break }
            // With few keys, a comparison of all is faster than a table.
            let isShort = entries.count < comparedKeysMax
            let earlier = isShort ? entries.first { $0.key == name }?.position : known[name]
            if let earlier {
                findings.error(
                    .duplicateKey, at: keyPosition,
                    "key \(quoted(name)) is already in line \(earlier.line)",
                    advice: "remove one of them, or write the content of both below one key")
                try passOver(event)
                continue
            }
            let value = try value(event, &findings)
            entries.append(Value.Entry(key: name, position: keyPosition, value: value))
            if entries.count == comparedKeysMax {
                for entry in entries { known[entry.key] = entry.position }
            } else if !isShort {
                known[name] = keyPosition
            }
        }
        return entries.isEmpty && !isEmpty ? .refused : .mapping(entries)
    }

    /// Reports a space in a key, or at the beginning of a value, that looks like a plain one.
    private mutating func checkSpaces(
        _ text: Substring.UnicodeScalarView, _ position: SourcePosition, _ findings: inout Findings
    ) {
        guard let index = text.firstIndex(where: isStrangeSpace) else { return }
        holdsStrangeSpace = true
        let column = position.column + text.distance(from: text.startIndex, to: index)
        findings.error(
            .yamlSyntax,
            at: SourcePosition(file: position.file, line: position.line, column: column),
            strangeSpaceFact(text[index]), advice: strangeSpaceAdvice)
    }

    /// Reads to the end of the node that `event` begins.
    private mutating func passOver(_ event: YAMLEvent) throws(YAMLError) {
        var level = 0
        var next: YAMLEvent? = event
        while let event = next {
            switch event.kind {
            case .sequenceStart, .mappingStart: level += 1
            case .sequenceEnd, .mappingEnd: level -= 1
            case .scalar, .alias, .documentStart, .documentEnd: break
            }
            next = level == 0 ? nil : try reader.next()
        }
    }
}

extension YAMLEvent.Kind {
    /// The properties of a node; an alias has none of its own.
    fileprivate var properties: YAMLEvent.Properties? {
        switch self {
        case .scalar(_, _, let properties), .sequenceStart(let properties),
            .mappingStart(let properties):
            properties
        default: nil
        }
    }
}

private let comparedKeysMax = 16

private func isUnset(_ text: String) -> Bool { ["", "~", "null", "Null", "NULL"].contains(text) }

/// The tags that YAML gives to nodes without one, and the tag that means this.
private let plainTags: Set = [
    "!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map",
]

// MARK: - Errors

extension YAMLDocument {
    private func report(_ error: YAMLError, in text: [UInt8], _ findings: inout Findings) {
        let position = position(error.mark)
        switch error.reason {
        case .syntax(let problem, let context):
            if let slip = SyntaxSlip(problem, context, at: error.mark, in: text) {
                let position = self.position(slip.mark)
                return findings.error(.yamlSyntax, at: position, slip.fact, advice: slip.advice)
            }
            let origin = context.map { " \($0.text), line \($0.mark.line)" } ?? ""
            findings.error(
                .yamlSyntax, at: position, problem + origin,
                advice: syntaxAdvice(on: problem, context, at: error.mark, in: text))
        case .nesting:
            findings.error(
                .nesting, at: position,
                "mappings and lists are \(ConfigurationLimits.nestingMax + 1) deep here, "
                    + "may be \(ConfigurationLimits.nestingMax)",
                advice: "no key needs so many; look for a bracket that is not closed")
        case .outOfMemory:
            findings.error(.yamlSyntax, at: position, "there is no memory to read it")
        }
    }
}
