import Associations
import Diagnostics

// Substitution variables: their definitions, and their names in patterns.

extension AssociationReading {
    /// Faults in the definitions of variables.
    var variableFindings: [Finding] {
        let used = Set(details.flatMap(\.allRules).flatMap(\.variableNames).map { Array($0.utf8) })
        return variables.flatMap { variable in
            [
                formFinding(variable), shadowFinding(variable),
                used.contains(Array(variable.name.value.utf8))
                    ? nil
                    : Finding(
                        .note, .unusedVariable, Finding.Spot(variable.name),
                        "no pattern uses the variable \(quoted(variable.name.value))",
                        advice: "remove it"),
            ].compactMap(\.self)
        }
    }

    /// Names in patterns that are not defined.
    var undefinedVariableFindings: [Finding] {
        let own = variables.map(\.name.value)
        let known = Set((own + predefinedVariables).map { Array($0.utf8) })
        return details.flatMap(\.allRules).flatMap { rule in
            rule.placedTexts.flatMap { text, _, spot in
                variableNames(in: text).compactMap { name in
                    name.map { known.contains(Array($0.utf8)) } == true
                        ? nil : undefinedFinding(name, spot, own)
                }
            }
        }
    }

    private func undefinedFinding(
        _ name: String?, _ spot: Finding.Spot, _ own: [String]
    ) -> Finding? {
        guard let name else {
            return Finding(
                .error, .undefinedVariable, spot,
                "a $( has no ) after it, so the rule matches nothing (reported for current "
                    + "systems)",
                advice: "close it")
        }
        // Suggestions are only searched among a limited number of names.
        let known = own.prefix(suggestionsMax) + predefinedVariables
        return Finding(
            .error, .undefinedVariable, spot,
            "there is no variable \(quoted(name)): the rule matches nothing (reported for current "
                + "systems)",
            advice: nearestName(to: name, among: known).map(didYouMean)
                ?? "define it in substitutionVariables of applinks")
    }

    private func formFinding(_ variable: VariableReading) -> Finding? {
        let spot = Finding.Spot(variable.name)
        let name = quoted(variable.name.value)
        if variable.name.value.utf8.contains(where: { "$()".utf8.contains($0) }) {
            return Finding(
                .error, .variableForm, spot,
                "the name \(name) contains $, ( or ), which a name cannot",
                advice: "rename it")
        }
        if let value = variable.values.first(where: { $0.utf8.contains("$(") }) {
            return Finding(
                .error, .variableForm, spot,
                "the value \(quoted(value)) of \(name) contains a variable, which values cannot",
                advice: "write the values out")
        }
        guard variable.values.isEmpty else { return nil }
        return Finding(
            .warning, .emptyVariable, spot,
            "the variable \(name) has no values: rules that use it match nothing",
            advice: "add its values")
    }

    private func shadowFinding(_ variable: VariableReading) -> Finding? {
        guard predefinedVariables.contains(where: variable.name.value.isScalarwise) else {
            return nil
        }
        return Finding(
            .warning, .shadowedVariable, Finding.Spot(variable.name),
            "\(quoted(variable.name.value)) is one of Apple's variables, and has another meaning "
                + "in this file (reported for current systems)", advice: "rename it")
    }
}

/// The number of names among which a suggestion is searched.
private let suggestionsMax = 50

// MARK: - Regions

extension [RuleReading] {
    /// `$(region)` stands for capital ISO codes: `GB` and never `UK`.
    var regionFindings: [Finding] {
        let siblings = flatMap { literalBytes($0.path?.value ?? "").split(separator: 0x2F) }
        let hasUnitedKingdom = siblings.contains { $0.elementsEqual("uk".utf8) }
        let hasSmallCodes = siblings.contains { segment in
            ["gb", "us", "au", "nz"].contains { segment.elementsEqual($0.utf8) }
        }
        return filter { $0.variableNames.contains("region") }.compactMap { rule in
            let words = (rule.comment ?? "").utf8.split { !isAlphanumeric($0) }
            let speaksOfUK = words.contains { $0.elementsEqual("UK".utf8) }
            guard speaksOfUK || hasUnitedKingdom || (hasSmallCodes && rule.caseSensitive) else {
                return nil
            }
            return Finding(
                .warning, .regionVariable, rule.pathSpot,
                "$(region) has ISO codes in upper case, such as GB, not UK",
                advice: "add another rule for other codes, or add \"caseSensitive\": false")
        }
    }
}

// MARK: - Names

extension DetailReading {
    var allRules: [RuleReading] { (components ?? []) + (paths ?? []) }
}

extension RuleReading {
    /// The patterns of the three parts.
    var texts: [String] { placedTexts.map(\.text) }

    /// The same, each with its part and position; inherited patterns have the position of the rule.
    var placedTexts: [(text: String, part: LinkURL.Part, spot: Finding.Spot)] {
        var placed = [(text: String, part: LinkURL.Part, spot: Finding.Spot)]()
        if let path { placed.append((path.value, .path, Finding.Spot(path))) }
        if let fragment { placed.append((fragment.value, .fragment, Finding.Spot(fragment))) }
        switch query {
        case .whole(let text): placed.append((text, .query, Finding.Spot(self)))
        case .items(let items):
            for (index, item) in items.enumerated() {
                placed.append((item.pattern, .query, itemSpot(index)))
            }
        case nil: break
        }
        return placed
    }

    /// The names of the query's items, each with the position of its pattern.
    var itemNames: [(text: String, spot: Finding.Spot)] {
        guard case .items(let items) = query else { return [] }
        return items.enumerated().map { index, item in (item.name, itemSpot(index)) }
    }

    /// The position of a query item's pattern, or that of the rule if it is inherited.
    func itemSpot(_ index: Int) -> Finding.Spot {
        queryPositions.indices.contains(index)
            ? Finding.Spot(queryPositions[index]) : Finding.Spot(self)
    }

    var variableNames: [String] {
        texts.flatMap { Associations.variableNames(in: $0) }.compactMap(\.self)
    }
}
