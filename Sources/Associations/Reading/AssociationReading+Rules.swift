import Diagnostics
import JSONSyntax

// Components and paths: what each rule compares, with the defaults of its entry and its file.

/// The values that rules inherit, key by key: the entry's, or else the file's. Patterns are
/// inherited too, although this is not documented.
struct Defaults {
    var members = [JSONMember]()

    func merging(_ inner: Defaults) -> Defaults { Defaults(members: members + inner.members) }
}

extension AssociationReading {
    mutating func defaults(_ value: JSONValue?) -> Defaults {
        guard let value else { return Defaults() }
        guard let members = value.members else {
            report(
                .error, .componentType, value.start,
                "defaults is \(value.kind), must be an object",
                advice: "write an object such as {\"caseSensitive\": false}, or remove it")
            return Defaults()
        }
        _ = rule(value, "", nil)
        for member in members where ["/", "?", "#", "exclude"].contains(member.key) {
            report(
                .warning, .defaultsPart, member.keyStart,
                "\(quoted(member.key)) in defaults is inherited by every rule without this key",
                advice: "keep only caseSensitive and percentEncoded in defaults")
        }
        return Defaults(members: FileObject.component.keys.compactMap(value.member))
    }

    mutating func components(
        _ value: JSONValue, _ pointer: String, _ defaults: Defaults
    ) -> [RuleReading]? {
        value["components"]?.elements.map { elements in
            var rules = [RuleReading]()
            for (index, element) in admitted(elements).enumerated() {
                rules.append(rule(element, "\(pointer)/components/\(index)", defaults))
            }
            return rules
        }
    }

    /// The elements of a list that are read. A file of 8 MiB could have millions; a file that
    /// Apple's systems read has fewer than this limit.
    private mutating func admitted(_ elements: [JSONValue]) -> ArraySlice<JSONValue> {
        if elements.count > rulesLeft, let first = elements.dropFirst(rulesLeft).first {
            let position = SourcePosition(
                file: file, line: first.start.line, column: first.start.column)
            found.add(
                Diagnostic(
                    .error, .tooMany, at: position,
                    "file has more than \(Self.rulesMax) rules; the others are ignored",
                    advice: "Apple's systems read 131,072 bytes; merge rules"))
        }
        let admitted = elements.prefix(rulesLeft)
        rulesLeft -= admitted.count
        return admitted
    }

    /// - Parameter defaults: nil when the defaults themselves are read.
    private mutating func rule(
        _ value: JSONValue, _ pointer: String, _ defaults: Defaults?
    ) -> RuleReading {
        let before = found.count
        if value.members == nil {
            report(
                .error, .componentType, value.start,
                "a component is \(value.kind), must be an object: it matches every link (reported "
                    + "for current systems)",
                advice: "write {\"/\": \(quoted(value.text ?? "/path"))}")
        }
        let own = JSONValue(
            content: .object((defaults?.members ?? []) + (value.members ?? [])),
            start: value.start, end: value.end)
        let parts = ["/", "?", "#"]
        reportKeys(
            ofComponent: value,
            isUnlimited: defaults != nil && !parts.contains { own[$0] != nil })
        // Faults of inherited values were reported at their own position.
        let isOwn: (String) -> Bool = { value[$0] != nil }
        var rule = RuleReading(
            start: value.start, pointer: pointer, isLegacy: false,
            path: part("/", own, pointer, isOwn("/")), query: query(own, isOwn("?")),
            queryPositions: queryPositions(value["?"], "\(pointer)/?"),
            fragment: part("#", own, pointer, isOwn("#")),
            exclude: flag("exclude", own, false, isOwn("exclude")),
            caseSensitive: flag("caseSensitive", own, true, isOwn("caseSensitive")),
            percentEncoded: flag("percentEncoded", own, true, isOwn("percentEncoded")),
            comment: value["comment"]?.text)
        rule.isUnintended =
            found.count > before && rule.path == nil && rule.query == nil && rule.fragment == nil
        return rule
    }

    private mutating func part(
        _ key: String, _ rule: JSONValue, _ pointer: String, _ isReported: Bool
    ) -> Located<String>? {
        guard let value = rule[key] else { return nil }
        if let text = value.text {
            return Located(
                value: text, start: value.start, pointer: "\(pointer)/\(pointerToken(key))")
        }
        if isReported { reportPart(key, value, "a string") }
        return nil
    }

    private mutating func query(_ rule: JSONValue, _ isReported: Bool) -> QueryPattern? {
        guard let value = rule["?"] else { return nil }
        if let text = value.text { return .whole(text) }
        guard let members = value.members else {
            if isReported { reportPart("?", value, "a string or an object") }
            return nil
        }
        if let odd = members.first(where: { $0.value.text == nil }) {
            if isReported {
                report(
                    .error, .queryValueType, odd.value.start,
                    "query item \(quoted(odd.key)) is \(odd.value.kind), must be a string, so the "
                        + "whole \"?\" is ignored",
                    advice: "put the value in quotes")
            }
            return nil
        }
        return .items(
            value.lastMembers.map { QueryItemPattern(name: $0.key, pattern: $0.value.text ?? "") })
    }

    private func queryPositions(_ value: JSONValue?, _ pointer: String) -> [Located<String>] {
        (value?.lastMembers ?? []).compactMap { member in
            member.value.text.map { text in
                Located(
                    value: text, start: member.value.start,
                    pointer: "\(pointer)/\(pointerToken(member.key))")
            }
        }
    }

    private mutating func reportPart(_ key: String, _ value: JSONValue, _ wanted: String) {
        report(
            .error, .partType, value.start,
            "\(quoted(key)) is \(value.kind), must be \(wanted), so it is ignored (reported for "
                + "current systems)",
            advice: value.elements?.first?.text.map {
                "write {\(quoted(key)): \(quoted($0))}, and a component for each other"
            } ?? "write a pattern in quotes, as \"\(key == "/" ? "/buy/*" : "*")\"")
    }

    /// Apple's systems convert values that are not booleans like property lists do.
    private mutating func flag(
        _ key: String, _ rule: JSONValue, _ standard: Bool, _ isReported: Bool
    ) -> Bool {
        guard let value = rule[key] else { return standard }
        if let flag = value.boolean { return flag }
        let taken =
            switch value.content {
            case .string(let text): text.utf8.first.map { "tTyY123456789".utf8.contains($0) }
            case .number(let text): text.utf8.contains { (0x31...0x39).contains($0) }
            default: Optional(false)
            }
        if isReported {
            report(
                .warning, .flagType, value.start,
                "\(key) is \(value.kind), must be true or false; it is read as \(taken ?? false) "
                    + "(reported for current systems)",
                advice: "write true or false, without quotes")
        }
        return taken ?? false
    }

    // MARK: Legacy paths

    mutating func paths(
        _ value: JSONValue, _ pointer: String, _ defaults: Defaults
    ) -> [RuleReading]? {
        guard let elements = value["paths"]?.elements else { return nil }
        var rules = [RuleReading]()
        for (index, element) in admitted(elements).enumerated() {
            guard let text = element.text else {
                report(
                    .error, .partType, element.start,
                    "a path is \(element.kind), must be a string: it matches every link (observed "
                        + "on current systems)",
                    advice: "write the path in quotes")
                var rule = path(nil, element, "\(pointer)/paths/\(index)", defaults)
                rule.isUnintended = true
                rules.append(rule)
                continue
            }
            rules.append(path(text, element, "\(pointer)/paths/\(index)", defaults))
        }
        return rules
    }

    /// - Parameter text: nil for an element that is not a string.
    private mutating func path(
        _ text: String?, _ value: JSONValue, _ pointer: String, _ defaults: Defaults
    ) -> RuleReading {
        let bytes = Array((text ?? "").utf8)
        let isExcluded =
            bytes.count >= 4 && bytes[3] == 0x20
            && zip(bytes, "not".utf8).allSatisfy { $0 | 0x20 == $1 }
        let pattern = isExcluded ? String(decoding: bytes[4...], as: UTF8.self) : text
        let inherited = JSONValue(
            content: .object(defaults.members), start: value.start, end: value.end)
        let inheritsExclude = !isExcluded && flag("exclude", inherited, false, false)
        return RuleReading(
            start: value.start, pointer: pointer, isLegacy: true,
            path: pattern.map { Located(value: $0, start: value.start, pointer: pointer) },
            query: query(inherited, false), fragment: part("#", inherited, pointer, false),
            exclude: isExcluded || inheritsExclude, inheritsExclude: inheritsExclude,
            caseSensitive: isExcluded || flag("caseSensitive", inherited, true, false),
            percentEncoded: flag("percentEncoded", inherited, true, false), comment: nil)
    }
}
