import Diagnostics
private import URISyntax

/// Checks values against the table of keys, reports every difference at its position, and stores
/// the parsed values of texts in the tree.
struct ShapeCheck {
    var findings: Findings
    /// Whether the values are those of a stored link, in JSON. Null is a value within a `json` value there; in a configuration it
    /// is a key that was left without a value.
    var isOfStoredLink = false
    /// Whether a scalar must have the type that its format has in JSON; in YAML it has none.
    var requiresTypes = false

    /// - Parameter subject: the owner of the value in messages: a quoted key. It is only computed
    ///   for a message.
    mutating func check(_ value: inout Value, _ kind: Kind, _ subject: @autoclosure () -> String) {
        switch value.content {
        case .refused: return
        case .unset: reportUnset(value, subject())
        case .text, .list, .mapping: checkContent(of: &value, kind, subject())
        }
    }

    private mutating func checkContent(
        of value: inout Value, _ kind: Kind, _ subject: @autoclosure () -> String
    ) {
        guard kind.takes(value.content) else { return reportKind(of: value, kind, subject()) }
        switch kind {
        case .either(let kinds):
            guard let taken = kinds.firstIndex(where: { $0.takes(value.content) }) else { return }
            guard case .text(let format) = kinds[taken] else {
                return checkContent(of: &value, kinds[taken], subject())
            }
            parse(
                &value, format, subject(),
                or: kinds.indices.filter { $0 != taken }.flatMap { kinds[$0].forms })
        case .text(let format): parse(&value, format, subject())
        case .list(let kind, let canBeEmpty):
            var items = value.takeItems()
            if items.isEmpty, !canBeEmpty { reportEmpty(at: value.position, subject()) }
            for index in items.indices { check(&items[index], kind, subject()) }
            value.content = .list(items)
        case .names(let format, let kind):
            var entries = value.takeEntries()
            if entries.isEmpty { reportEmpty(at: value.position, subject()) }
            for index in entries.indices {
                let key = entries[index].key
                if format.name == Format.fieldName.name, index > 0,
                    reportUnquotedComma(entries[(index - 1)...])
                {
                    entries.removeSubrange(index...)
                    break
                }
                _ = read(key, entries[index].position, format, subject())
                check(&entries[index].value, kind, quoted(key))
            }
            value.content = .mapping(entries)
        case .object(let shape):
            var entries = value.takeEntries()
            var meant = Set<String>()
            for index in entries.indices {
                if let key = checkKey(&entries[index], shape, subject()) { meant.insert(key) }
            }
            checkNeeds(entries, meant, at: value.position, shape, subject())
            value.content = .mapping(entries)
        case .json: checkJSON(value, subject())
        }
    }

    private mutating func parse(
        _ value: inout Value, _ format: Format, _ subject: @autoclosure () -> String,
        or others: @autoclosure () -> [String] = []
    ) {
        guard let text = value.text else { return }
        if requiresTypes, let fault = value.typeFault(format) {
            findings.error(
                .wrongKind, at: value.position, "\(subject()) must be \(fault.wanted)",
                advice: fault.advice)
            return
        }
        guard let parsed = read(text, value.position, format, subject(), or: others()) else {
            return
        }
        if !requiresTypes, value.isForeignBoolean(format) {
            findings.error(
                .wrongKind, at: value.position, "\(subject()) must be a text, not \(text)",
                advice: "write it in quotes if it is one")
            return
        }
        remark(on: text, parsed, isPlain: value.isPlain, value.position)
        value.content = .text(text, parsed)
    }

    /// Warns of a text that is read, and is probably not what was meant.
    private mutating func remark(
        on text: String, _ parsed: Parsed, isPlain: Bool, _ position: SourcePosition
    ) {
        switch parsed {
        case .url, .template, .redirect:
            guard hasMalformedEscape(text.utf8) else { return }
            findings.warning(
                .url, at: position, "\(quoted(text)) holds a % that begins no escape",
                advice: "write %25 for a percent sign")
        default:
            guard isPlain, let inner = withoutTypographicQuotes(text),
                let last = text.unicodeScalars.last, last == "\"" || isTypographicQuote(last),
                !inner.unicodeScalars.dropLast().contains(where: isTypographicQuote)
            else { return }
            findings.warning(
                .curlyQuotes, at: position,
                "\(quoted(text)) has curly quotes, which are part of the text",
                advice: "write straight quotes: \(quoted(inner)); or put both around it")
        }
    }

    /// Every key must have a value, and no text may have invisible characters.
    private mutating func checkJSON(_ value: Value, _ subject: @autoclosure () -> String) {
        switch value.content {
        case .refused: return
        case .unset where isOfStoredLink: return
        case .unset: reportUnset(value, subject())
        case .text(let text, _): checkCharacters(text, value.position, isProse: true, subject())
        case .list(let items): for item in items { checkJSON(item, subject()) }
        case .mapping(let entries):
            // What an app keeps in a stored link is its own.
            if entries.isEmpty, !isOfStoredLink { reportEmpty(at: value.position, subject()) }
            for entry in entries {
                checkCharacters(entry.key, entry.position, isProse: false, subject())
                checkJSON(entry.value, quoted(entry.key))
            }
        }
    }

    /// - Parameter others: the kinds that are also allowed instead of a text.
    /// - Returns: the parsed text; nil after a finding.
    private mutating func read(
        _ text: String, _ position: SourcePosition, _ format: Format,
        _ subject: @autoclosure () -> String,
        or others: @autoclosure () -> [String] = []
    ) -> Parsed? {
        guard !text.isEmpty else {
            if !format.canBeEmpty {
                findings.error(
                    .unsetValue, at: position, "\(subject()) is an empty text",
                    advice: "add a value, or remove the key")
            }
            return nil
        }
        guard checkCharacters(text, position, isProse: format.isProse, subject()) else {
            return nil
        }
        if !format.isProse, let variable = environmentVariable(in: text) {
            findings.error(
                .wrongValue, at: position,
                "\(subject()) contains \(quoted(variable)), but environment variables are not read",
                advice: isOfStoredLink
                    ? "write the value"
                    : "write the value, or fill in the file before: envsubst < FILE > waymark.yaml")
            return nil
        }
        guard format.choices.isEmpty || format.choices.contains(text) else {
            let nearest =
                format.choices.count > 1 && !findings.isFull
                ? nearestName(to: text, among: format.choices) : nil
            // Of several choices, the message has the names.
            let only = format.choices.count == 1 ? format.choices.first : nil
            let wanted = format.name + others().map { ", or \($0)" }.joined()
            let comment = commentAdvice(text)
            findings.error(
                .wrongValue, at: position, "\(subject()) must be \(wanted), not \(quoted(text))",
                advice: comment ?? nearest.map(didYouMean)
                    ?? (others().isEmpty ? nil : exampleAdvice(on: subject()))
                    ?? only.map { "write \($0)" })
            return nil
        }
        do throws(Fault) {
            return try format.read(text)
        } catch {
            let inner = withoutTypographicQuotes(text)
            let comment = commentAdvice(text)
            findings.error(
                error.rule, at: position, error.message,
                advice: inner.map { "write straight quotes: \(quoted($0))" } ?? comment
                    ?? error.advice)
            return nil
        }
    }

    /// Advice on a value that ends with a comment of another language. JSON has none.
    private func commentAdvice(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        let holdsComment = bytes.indices.contains {
            bytes[$0...].starts(with: " //".utf8) || bytes[$0...].starts(with: " /*".utf8)
        }
        return holdsComment && !isOfStoredLink ? "a comment begins with #" : nil
    }

    /// - Returns: whether all keys are allowed.
    @discardableResult
    private mutating func checkCharacters(
        _ text: String, _ position: SourcePosition, isProse: Bool,
        _ subject: @autoclosure () -> String
    ) -> Bool {
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 })
            || text.unicodeScalars.allSatisfy({ !isControl($0, isProse: isProse) })
        {
            return true
        }
        findings.error(
            .controlCharacter, at: position,
            "\(subject()) contains a control character: \(quoted(text))",
            advice: isOfStoredLink
                ? "remove it" : "remove it; write prose of several lines as a block, behind |")
        return false
    }

    /// - Returns: for an unknown key, the one that it probably means.
    private mutating func checkKey(
        _ entry: inout Value.Entry, _ shape: Shape, _ subject: @autoclosure () -> String
    ) -> String? {
        let name = entry.key
        if let key = shape.keys.firstIndex(where: { $0.name == name }) {
            check(&entry.value, shape.keys[key].kind, quoted(name))
            return nil
        }
        // What is only counted needs no advice, and to look for it takes longest.
        guard !findings.isFull else {
            findings.error(
                .unknownKey, at: entry.position, "\(subject()) has no key \(quoted(name))")
            return nil
        }
        let advice = shape.advice(onKey: name)
        findings.error(
            .unknownKey, at: entry.position, "\(subject()) has no key \(quoted(name))",
            advice: advice.text)
        return advice.key
    }

    /// `{Cache-Control: public, max-age=60}`: YAML reads what follows the comma as another key.
    private mutating func reportUnquotedComma(_ entries: ArraySlice<Value.Entry>) -> Bool {
        guard let first = entries.first, let text = first.value.text,
            let second = entries.dropFirst().first, case .unset = second.value.content
        else { return false }
        let rest = entries.dropFirst().prefix {
            if case .unset = $0.value.content { true } else { false }
        }
        let whole = ([text] + rest.map(\.key)).joined(separator: ", ")
        findings.error(
            .headerField, at: second.position,
            "\(quoted(second.key)) stands behind a comma, so it is a field of its own, without a "
                + "value", advice: "write the value in quotes: \(first.key): \(quoted(whole))")
        return true
    }

    private mutating func checkNeeds(
        _ entries: [Value.Entry], _ meant: Set<String>, at position: SourcePosition,
        _ shape: Shape, _ subject: @autoclosure () -> String
    ) {
        for key in shape.keys where key.isRequired {
            if meant.contains(key.name) || entries.contains(where: { $0.key == key.name }) {
                continue
            }
            findings.error(
                .missingKey, at: position, "\(subject()) lacks the key \(quoted(key.name))",
                advice: key.adviceOnLack)
        }
        if shape.needs.isEmpty {
            if entries.isEmpty, shape.required.isEmpty, !shape.canBeEmpty {
                reportEmpty(at: position, subject())
            }
            return
        }
        let written = meant.union(entries.map(\.key))
        for need in shape.needs where !need.isMet(by: written) {
            let lacking = need.lacking(written).map { "lacks the key \(quoted($0))" }
            findings.error(
                .missingKey, at: position,
                "\(subject()) \(lacking ?? "needs \(need.inWords)")",
                advice: lacking == nil ? "add one of them" : "it needs \(need.inWords)")
        }
    }

    private mutating func reportUnset(_ value: Value, _ subject: @autoclosure () -> String) {
        findings.error(
            .unsetValue, at: value.position, "\(subject()) has no value",
            advice: "add a value, or remove the key")
    }

    private mutating func reportEmpty(
        at position: SourcePosition, _ subject: @autoclosure () -> String
    ) {
        findings.error(
            .unsetValue, at: position, "\(subject()) is empty",
            advice: "add a value, or remove the key")
    }

    private mutating func reportKind(
        of value: Value, _ kind: Kind, _ subject: @autoclosure () -> String
    ) {
        let written =
            switch value.content {
            case .text, .unset, .refused: "a text"
            case .list: "a list"
            case .mapping: "a mapping"
            }
        findings.error(
            .wrongKind, at: value.position,
            "\(subject()) must be \(inWords(kind.forms)), not \(written)",
            advice: kind.advice(on: value, subject()))
    }
}

extension Need {
    fileprivate var inWords: String {
        let words = groups.map { $0.map(quoted).joined(separator: " and ") }
        guard groups.contains(where: { $0.count > 1 }) else { return Diagnostics.inWords(words) }
        return words.joined(separator: ", or ")
    }
}

extension Kind {
    /// Whether a value of this form belongs to the kind, whatever its content.
    fileprivate func takes(_ content: Value.Content) -> Bool {
        switch (self, content) {
        case (.text, .text), (.list, .list), (.names, .mapping), (.object, .mapping),
            (.json, .mapping):
            true
        case (.either(let kinds), _): kinds.contains { $0.takes(content) }
        default: false
        }
    }

    var forms: [String] {
        switch self {
        case .text: ["a text"]
        case .list: ["a list"]
        case .names, .object, .json: ["a mapping"]
        case .either(let kinds): kinds.flatMap(\.forms)
        }
    }
}

private func isControl(_ scalar: Unicode.Scalar, isProse: Bool) -> Bool {
    if isProse, scalar == "\n" || scalar == "\t" { return false }
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F: return true
    default: return isLineBreak(scalar)
    }
}

/// `${NAME}`, as shells and Compose write a variable.
private func environmentVariable(in text: String) -> String? {
    let bytes = Array(text.utf8)
    for start in bytes.indices where bytes[start...].starts(with: "${".utf8) {
        let name = bytes[(start + 2)...].prefix {
            $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_")
        }
        guard let first = name.first, !first.isDigit, name.endIndex < bytes.count,
            "}:-?+".utf8.contains(bytes[name.endIndex])
        else { continue }
        return String(decoding: bytes[start..<name.endIndex] + "}".utf8, as: UTF8.self)
    }
    return nil
}
