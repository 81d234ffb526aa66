import Associations
import Diagnostics
private import JSONSyntax

// Apple's and Google's files as apps, links and what environments publish.

extension Migration {
    mutating func addApple(_ reading: AssociationReading, to environment: Int) {
        for finding in reading.diagnostics { skip(finding) }
        let variables = Dictionary(
            reading.substitutionVariables.map { ($0.name, $0.values) }
        ) { $1 }
        for app in reading.appRules {
            let source = SourceLine(file: reading.file, line: app.line, text: app.appID)
            guard let key = appleApp(app.appID, source) else { continue }
            let rules = app.rules ?? [RuleText(path: "*", line: app.line)]
            publish(key, links(for: rules, reading.file, variables), environment)
        }
        // App Clips come last, because each is of an app that others name.
        for (name, ids) in reading.services.sorted(by: {
            ($0.key == "appclips" ? 1 : 0, $0.key) < ($1.key == "appclips" ? 1 : 0, $1.key)
        }) {
            for id in ids {
                let source = SourceLine(file: reading.file, line: id.start.line, text: id.value)
                addService(name, id.value, source, environment)
            }
        }
    }

    /// A finding of a reader: what it reports may be lost. Identifiers are checked again, and an
    /// entry without rules becomes a rule for every link.
    private mutating func skip(_ finding: Diagnostic) {
        let handled: [RuleName] = [
            .noRules,
            .appIDForm, .appIDPrefix, .appIDPlaceholder, .appIDWildcard, .appIDWithoutPrefix,
            .appIDStoreNumber, .appIDLowerCase, .packageName,
            .fingerprints, .fingerprintForm, .fingerprintCase, .fingerprintPlaceholder,
        ]
        guard finding.severity == .error, !handled.contains(finding.rule),
            let position = finding.position
        else { return }
        let source = SourceLine(file: position.file, line: position.line, text: "")
        untranslated.append(Untranslated(source: source, reason: finding.message))
    }

    private mutating func appleApp(_ text: String, _ source: SourceLine) -> String? {
        do throws(AppIdentifierError) {
            let id = try AppIdentifier(text)
            if let known = apps.first(where: { $0.ios?.id == id }) { return known.key }
            let key = names.name(for: lastPart(of: id.bundleIdentifier), otherwise: "app")
            apps.append(PlannedApp(key: key, ios: .init(id: id, source: source)))
            return key
        } catch {
            untranslated.append(Untranslated(source: source, reason: error.description))
            return nil
        }
    }

    private mutating func addService(
        _ name: String, _ id: String, _ source: SourceLine, _ environment: Int
    ) {
        if name == "appclips" { return addClip(id, source, environment) }
        guard let key = appleApp(id, source), let index = apps.firstIndex(where: { $0.key == key })
        else { return }
        if apps[index].ios?.services.contains(name) == false {
            apps[index].ios?.services.append(name)
        }
        publish(key, [], environment)
    }

    /// A clip belongs to the app whose identifier begins its own, or else to the first app.
    private mutating func addClip(_ text: String, _ source: SourceLine, _ environment: Int) {
        guard let clip = try? AppIdentifier(text) else {
            untranslated.append(
                Untranslated(source: source, reason: "\(quoted(text)) is not an identifier"))
            return
        }
        let free = apps.indices.filter { index in
            guard let ios = apps[index].ios else { return false }
            let isPublished = environments[environment].publish.contains {
                $0.app == apps[index].key
            }
            return isPublished && (ios.clip == nil || ios.clip == clip)
        }
        let owner = free.first { index in
            let parent = (apps[index].ios?.id.description ?? "") + "."
            return text.utf8.starts(with: parent.utf8)
        }
        if let index = owner ?? free.first {
            apps[index].ios?.clip = clip
            return
        }
        // Its identifier is that of its app, with one more part.
        let parent = text.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { String(text.utf8[..<$0]) }
        guard let parent, let key = appleApp(parent, source),
            let index = apps.firstIndex(where: { $0.key == key })
        else { return }
        guard apps[index].ios?.clip == nil else {
            untranslated.append(
                Untranslated(source: source, reason: "no app is left that the App Clip can be of"))
            return
        }
        apps[index].ios?.clip = clip
        publish(key, [], environment)
    }

    private func lastPart(of identifier: String) -> String {
        let parts = identifier.utf8.split(separator: UInt8(ascii: "."))
        return parts.last.map { String(decoding: $0, as: UTF8.self) } ?? identifier
    }

    mutating func publish(_ app: String, _ links: [String], _ environment: Int) {
        let known = environments[environment].publish.firstIndex { $0.app == app }
        guard let known else { return environments[environment].publish.append((app, links)) }
        if environments[environment].publish[known].links.isEmpty {
            environments[environment].publish[known].links = links
        }
    }

    // MARK: Links

    /// The keys of the links that have these rules in this order. Apps with the same rules share
    /// them. A link begins where an exclusion follows a rule that opens.
    private mutating func links(
        for rules: [RuleText], _ file: String, _ variables: [String: [String]]
    ) -> [String] {
        let planned = rules.flatMap { expanded($0, file, variables) }
        var parts = [[PlannedRule]()]
        for rule in planned {
            let opens = parts[parts.count - 1].last.map { !$0.rule.exclude } ?? false
            if rule.rule.exclude, opens { parts.append([]) }
            parts[parts.count - 1].append(rule)
        }
        // Exclusions at the end decide nothing.
        parts = parts.filter { part in part.contains { !$0.rule.exclude } }
        return parts.map { part in
            let identity = part.map(\.rule.identity)
            if let known = linksByRules[identity] { return known }
            let first = part.first { !$0.rule.exclude }?.rule
            let key = names.name(for: first?.path ?? "", otherwise: "all")
            links.append(PlannedLink(key: key, rules: part))
            linksByRules[identity] = key
            return key
        }
    }

    /// A rule for each combination of the values of the file's variables.
    private mutating func expanded(
        _ rule: RuleText, _ file: String, _ variables: [String: [String]]
    ) -> [PlannedRule] {
        let source = SourceLine(file: file, line: rule.line, text: rule.path ?? "")
        var rules = [rule]
        for (name, values) in variables.sorted(by: { $0.key < $1.key }) {
            guard rules.contains(where: { $0.names(name) }) else { continue }
            guard rules.count * values.count <= Self.combinationsMax else {
                untranslated.append(
                    Untranslated(source: source, reason: "its variables have too many values"))
                return []
            }
            rules = rules.flatMap { rule in values.map { rule.replacing(name, with: $0) } }
        }
        return rules.map { PlannedRule(rule: $0, source: source) }
    }

    private static let combinationsMax = 1_000

    // MARK: Android

    mutating func addAndroid(_ reading: AssetLinksReading, to environment: Int) {
        for finding in reading.diagnostics { skip(finding) }
        skipOtherStatements(reading)
        for statement in reading.statements { addStatement(statement, reading.file, environment) }
    }

    /// Includes, and statements about websites.
    private mutating func skipOtherStatements(_ reading: AssetLinksReading) {
        let known = Set(reading.statements.map(\.pointer))
        for (index, value) in (reading.json.root?.elements ?? []).enumerated()
        where !known.contains("/\(index)") {
            let source = SourceLine(file: reading.file, line: value.start.line, text: "")
            untranslated.append(
                Untranslated(
                    source: source,
                    reason: value["include"] == nil
                        ? "the statement is not about an Android app"
                        : "includes are not followed; give the file, too"))
        }
    }

    private mutating func addStatement(
        _ statement: StatementReading, _ file: String, _ environment: Int
    ) {
        let source = SourceLine(
            file: file, line: statement.start.line, text: statement.package?.value ?? "")
        var fingerprints = [CertificateFingerprint]()
        for text in statement.fingerprints {
            do throws(AndroidIdentifierError) {
                fingerprints.append(try CertificateFingerprint(text.value.uppercased()))
            } catch {
                let position = SourceLine(file: file, line: text.start.line, text: "")
                untranslated.append(Untranslated(source: position, reason: error.description))
            }
        }
        guard let name = statement.package?.value, let package = try? AndroidPackage(name),
            !fingerprints.isEmpty
        else {
            untranslated.append(
                Untranslated(source: source, reason: "it has no valid package and fingerprint"))
            return
        }
        let relations = statement.relations.map(\.value)
        let opens = relations.contains(AssetRelation.handleAllURLs.rawValue)
        let shares = relations.contains(AssetRelation.getLoginCreds.rawValue)
        for relation in relations where AssetRelation(rawValue: relation) == nil {
            untranslated.append(
                Untranslated(source: source, reason: "there is no relation \(quoted(relation))"))
        }
        guard opens || shares else { return }
        let android = PlannedApp.Android(
            package: package, source: source, fingerprints: fingerprints,
            sharesCredentials: shares,
            isDynamic: statement.dynamicComponents != nil && opens)
        var rules = (statement.dynamicComponents ?? []).map(RuleText.init)
        // The file that is written ends with this rule, too.
        if rules.last?.exclude == true, rules.last?.path == "*", rules.last?.query == nil {
            rules.removeLast()
        }
        if !android.isDynamic {
            let paths = androidPaths.isEmpty ? ["*"] : androidPaths
            rules = paths.map { RuleText(path: $0, line: source.line) }
        }
        add(android, opens ? links(for: rules, file, [:]) : [], environment, isShared: opens)
    }

    /// Adds it to the iOS app of the same name, if that opens the same links.
    private mutating func add(
        _ android: PlannedApp.Android, _ links: [String], _ environment: Int, isShared: Bool
    ) {
        let package = android.package.description
        if let index = apps.firstIndex(where: { $0.android?.package == android.package }) {
            for fingerprint in android.fingerprints
            where apps[index].android?.fingerprints.contains(fingerprint) == false {
                apps[index].android?.fingerprints.append(fingerprint)
            }
            if android.sharesCredentials { apps[index].android?.sharesCredentials = true }
            return publish(apps[index].key, links, environment)
        }
        let twin = apps.firstIndex { app in
            let published = environments[environment].publish.first { $0.app == app.key }?.links
            return app.android == nil
                && app.ios?.id.bundleIdentifier.lowercased() == package.lowercased()
                && isShared && published?.isEmpty == false
                && (published == links || !android.isDynamic)
        }
        if let twin {
            apps[twin].android = android
            return
        }
        let key = names.name(for: "\(lastPart(of: package))-android", otherwise: "android")
        apps.append(PlannedApp(key: key, android: android))
        publish(key, links, environment)
    }
}

extension RuleText {
    private var patterns: [String] {
        let items: [String] =
            switch query {
            case .whole(let pattern): [pattern]
            case .items(let items): items.map(\.pattern)
            case nil: []
            }
        return [path, fragment].compactMap(\.self) + items
    }

    fileprivate func names(_ variable: String) -> Bool {
        patterns.contains { $0.contains("$(\(variable))") }
    }

    fileprivate func replacing(_ variable: String, with value: String) -> RuleText {
        func filled(_ pattern: String) -> String {
            pattern.split(separator: "$(\(variable))", omittingEmptySubsequences: false)
                .joined(separator: value)
        }
        var rule = self
        rule.path = path.map(filled)
        rule.fragment = fragment.map(filled)
        switch query {
        case .whole(let pattern): rule.query = .whole(filled(pattern))
        case .items(let items):
            rule.query = .items(
                items.map { QueryItemPattern(name: $0.name, pattern: filled($0.pattern)) })
        case nil: break
        }
        return rule
    }
}
