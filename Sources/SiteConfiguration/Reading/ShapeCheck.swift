import Diagnostics

/// Holds values against the table of keys, and reports every difference at its place.
struct ShapeCheck {
    var findings: Findings

    /// - Parameter subject: what the value belongs to, for messages: a quoted key. It is made only
    ///   where there is something to report.
    mutating func check(_ value: Value, _ kind: Kind, _ subject: @autoclosure () -> String) {
        switch value.content {
        case .refused: return
        case .unset: reportUnset(value, subject())
        case .text, .list, .mapping: checkContent(of: value, kind, subject())
        }
    }

    private mutating func checkContent(
        of value: Value, _ kind: Kind, _ subject: @autoclosure () -> String
    ) {
        switch kind {
        case .either(let kinds):
            guard let taken = kinds.first(where: { $0.takes(value.content) }) else {
                return reportKind(of: value, kind, subject())
            }
            if case .text(let format) = taken, let text = value.text {
                let others = kinds.filter { !$0.takes(value.content) }.flatMap(\.forms)
                check(text, value.position, format, subject(), or: others)
            } else {
                check(value, taken, subject())
            }
        case _ where !kind.takes(value.content): reportKind(of: value, kind, subject())
        case .text(let format): value.text.map { check($0, value.position, format, subject()) }
        case .list(let kind, let canBeEmpty):
            if value.items.isEmpty, !canBeEmpty { reportEmpty(value, subject()) }
            for item in value.items { check(item, kind, subject()) }
        case .names(let format, let kind):
            if value.entries.isEmpty { reportEmpty(value, subject()) }
            for entry in value.entries {
                check(entry.key, entry.position, format, subject())
                check(entry.value, kind, quoted(entry.key))
            }
        case .object(let shape): checkKeys(of: value, shape, subject())
        case .json: checkJSON(value, subject())
        }
    }

    /// Whatever is there has a value, and no character that is never shown.
    private mutating func checkJSON(_ value: Value, _ subject: @autoclosure () -> String) {
        switch value.content {
        case .refused: return
        case .unset: reportUnset(value, subject())
        case .text(let text): checkCharacters(text, value.position, isProse: true, subject())
        case .list(let items): for item in items { checkJSON(item, subject()) }
        case .mapping(let entries):
            if entries.isEmpty { reportEmpty(value, subject()) }
            for entry in entries {
                checkCharacters(entry.key, entry.position, isProse: false, subject())
                checkJSON(entry.value, quoted(entry.key))
            }
        }
    }

    /// - Parameter others: what may stand there besides a text.
    private mutating func check(
        _ text: String, _ position: SourcePosition, _ format: Format,
        _ subject: @autoclosure () -> String,
        or others: [String] = []
    ) {
        guard !text.isEmpty else {
            if !format.canBeEmpty {
                findings.error(.unsetValue, at: position, "\(subject()) holds an empty text")
            }
            return
        }
        guard checkCharacters(text, position, isProse: format.isProse, subject()) else { return }
        guard format.choices.isEmpty || format.choices.contains(text) else {
            let nearest =
                format.choices.count > 1 ? nearestName(to: text, among: format.choices) : nil
            let wanted = format.name + others.map { ", or \($0)" }.joined()
            findings.error(
                .wrongValue, at: position, "\(subject()) must be \(wanted), not \(quoted(text))",
                advice: nearest.map(didYouMean))
            return
        }
        if let fault = format.check(text) {
            findings.error(fault.rule, at: position, fault.message, advice: fault.advice)
        }
    }

    /// - Returns: whether all of them may stand there.
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
            "\(subject()) holds a control character: \(quoted(text))")
        return false
    }

    private mutating func checkKeys(
        of value: Value, _ shape: Shape, _ subject: @autoclosure () -> String
    ) {
        for entry in value.entries {
            if let key = shape.keys.first(where: { $0.name == entry.key }) {
                check(entry.value, key.kind, quoted(key.name))
            } else {
                let nearest = nearestName(to: entry.key, among: shape.keys.map(\.name))
                findings.error(
                    .unknownKey, at: entry.position, "\(subject()) has no key \(quoted(entry.key))",
                    advice: nearest.map(didYouMean)
                        ?? "its keys are \(shape.keys.map(\.name).joined(separator: ", "))")
            }
        }
        let written = Set(value.entries.map(\.key))
        for key in shape.keys where key.isRequired && !written.contains(key.name) {
            findings.error(
                .missingKey, at: value.position, "\(subject()) lacks the key \(quoted(key.name))")
        }
        for need in shape.needs where !need.isMet(by: written) {
            let lacking = need.lacking(written).map { "lacks the key \(quoted($0))" }
            findings.error(
                .missingKey, at: value.position,
                "\(subject()) \(lacking ?? "needs \(need.inWords)")",
                advice: lacking == nil ? nil : "it needs \(need.inWords)")
        }
        if written.isEmpty, shape.needs.isEmpty, !shape.keys.contains(where: \.isRequired) {
            reportEmpty(value, subject())
        }
    }

    private mutating func reportUnset(_ value: Value, _ subject: @autoclosure () -> String) {
        findings.error(
            .unsetValue, at: value.position, "\(subject()) has no value",
            advice: "give it one, or delete the key")
    }

    private mutating func reportEmpty(_ value: Value, _ subject: @autoclosure () -> String) {
        findings.error(
            .unsetValue, at: value.position, "\(subject()) is empty",
            advice: "fill it, or delete the key")
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
            "\(subject()) must be \(inWords(kind.forms)), not \(written)")
    }
}

extension Need {
    fileprivate var inWords: String {
        let words = groups.map { $0.map(quoted).joined(separator: " and ") }
        guard groups.contains(where: { $0.count > 1 }) else {
            return Diagnostics.inWords(words)
        }
        return words.joined(separator: ", or ")
    }
}

extension Kind {
    /// Whether a value of this form is of the kind, whatever is in it.
    fileprivate func takes(_ content: Value.Content) -> Bool {
        switch (self, content) {
        case (.text, .text), (.list, .list), (.names, .mapping), (.object, .mapping),
            (.json, .mapping):
            true
        case (.either(let kinds), _): kinds.contains { $0.takes(content) }
        default: false
        }
    }

    fileprivate var forms: [String] {
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
    return scalar.properties.generalCategory == .control || isLineBreak(scalar)
}
