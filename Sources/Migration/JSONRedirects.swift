private import Diagnostics
import JSONSyntax

// Redirects in the JSON files of hosting services.

extension RedirectFile {
    /// Reads `redirects` of a `vercel.json` (Vercel, "Project configuration"), and rewrites of all
    /// paths to a page.
    static func vercel(_ text: [UInt8], file: String) -> RedirectFile {
        var result = RedirectFile()
        result.isForOtherHosts = true
        guard let root = result.readJSON(text, file) else { return result }
        for rule in result.elements(root, "redirects", file) { result.readVercel(rule, file) }
        for rule in result.elements(root, "rewrites", file) {
            result.readRewrite(rule, file, all: ["/(.*)", "/:path*", "/(.*)*", "/:match*"])
        }
        let others: [(String, String)] = [
            ("routes", "routes are an older form; write them as redirects"),
            ("cleanUrls", "paths of public files are served as they are"),
            ("trailingSlash", "a slash at the end makes no difference to links"),
            ("bulkRedirectsPath", "give that file's lines as a table"),
        ]
        for (name, reason) in others {
            guard let value = root[name], value.boolean != false, value.elements?.isEmpty != true
            else { continue }
            result.skip(SourceLine(file: file, line: value.start.line, text: name), reason)
        }
        return result
    }

    /// Reads the redirects of `hosting` of a `firebase.json` (Firebase, "Configure Hosting
    /// behavior"), and rewrites of all paths to a page. Several sites have the hosts that Firebase
    /// gives them.
    static func firebase(_ text: [UInt8], file: String) -> RedirectFile {
        var result = RedirectFile()
        guard let root = result.readJSON(text, file), let hosting = root["hosting"] else {
            return result
        }
        let sites = hosting.elements ?? [hosting]
        for site in sites {
            let key = site["site"]?.text
            guard key != nil || sites.count == 1 else {
                result.skipTarget(site, file)
                continue
            }
            result.currentHosts = sites.count > 1 ? (key.map { ["\($0).web.app"] } ?? []) : []
            result.name(result.currentHosts)
            for rule in result.elements(site, "redirects", file) { result.readFirebase(rule, file) }
            for rule in result.elements(site, "rewrites", file) {
                result.readRewrite(rule, file, all: ["**", "/**"])
            }
            for name in ["cleanUrls", "trailingSlash"] {
                guard let value = site[name], value.boolean == true else { continue }
                result.skip(
                    SourceLine(file: file, line: value.start.line, text: name),
                    "paths of public files are served as they are")
            }
        }
        return result
    }

    /// The name of a target is no site's: `.firebaserc` has that.
    private mutating func skipTarget(_ site: JSONValue, _ file: String) {
        let reason =
            "of several sites, this one names no host; write \"site\" in place of \"target\""
        for list in ["redirects", "rewrites"] {
            for rule in elements(site, list, file) {
                let text = rule["source"]?.text ?? rule["glob"]?.text ?? rule["regex"]?.text
                skip(SourceLine(file: file, line: rule.start.line, text: text ?? list), reason)
            }
        }
    }

    /// The value of a file without errors.
    private mutating func readJSON(_ text: [UInt8], _ file: String) -> JSONValue? {
        let document = JSONDocument(text, file: file)
        for finding in document.diagnostics where finding.severity == .error {
            faults.append(
                RedirectFault(
                    position: finding.position ?? SourcePosition(file: file, line: 1, column: 1),
                    fact: finding.message, advice: finding.advice ?? "mend the JSON"))
        }
        return faults.isEmpty ? document.root : nil
    }

    private mutating func elements(
        _ value: JSONValue, _ name: String, _ file: String
    ) -> [JSONValue] {
        guard let list = value[name] else { return [] }
        if let elements = list.elements { return elements }
        skip(
            SourceLine(file: file, line: list.start.line, text: name),
            "it is \(list.kind), and must be an array")
        return []
    }

    // MARK: Rules

    private mutating func readVercel(_ rule: JSONValue, _ file: String) {
        let path = rule["source"]?.text ?? ""
        let source = SourceLine(file: file, line: rule.start.line, text: path)
        guard path.utf8.first == UInt8(ascii: "/"), let target = rule["destination"]?.text else {
            return skip(source, "it has no source that begins with / and no destination")
        }
        if let missing = rule["missing"] {
            return skip(
                SourceLine(file: file, line: missing.start.line, text: path),
                "there is no condition for what is missing")
        }
        if let member = Self.refusedMember(of: rule) {
            return skip(source, "Vercel refuses its \(member)")
        }
        var conditions = VercelConditions()
        for condition in rule["has"]?.elements ?? [] {
            if let reason = conditions.add(condition) { return skip(source, reason) }
        }
        let hosts = conditions.host.map { [$0] } ?? []
        let template: PathTemplate
        let location: String
        do throws(PathTemplate.Fault) {
            template = try PathTemplate(path.utf8, isSource: true)
        } catch {
            return skip(source, "Vercel refuses its source: \(error.reason)")
        }
        do throws(PathTemplate.Fault) {
            location = try VercelDestination(of: template, names: conditions.values.keys)
                .location(target)
        } catch {
            return skip(source, error.reason)
        }
        name(hosts)
        currentHosts = hosts
        addNamed(template.expression, Self.vercelStatus(of: rule), source, conditions.query) {
            groups in
            FilledDestination.vercel(location, groups.merging(conditions.values) { $1 })
        }
        currentHosts = []
    }

    /// The member for which Vercel refuses a whole file.
    private static func refusedMember(of rule: JSONValue) -> String? {
        if let conditions = rule["has"], conditions.elements == nil { return "has" }
        if let permanent = rule["permanent"] {
            guard permanent.boolean != nil, rule["statusCode"] == nil else { return "permanent" }
        }
        if let status = rule["statusCode"], number(status) == nil { return "statusCode" }
        return nil
    }

    /// The status that Vercel redirects with: a rule without `permanent` and `statusCode` is permanent.
    private static func vercelStatus(of rule: JSONValue) -> Int {
        if let status = rule["statusCode"].flatMap(number) { return status }
        return rule["permanent"]?.boolean == false ? 307 : 308
    }

    private mutating func readFirebase(_ rule: JSONValue, _ file: String) {
        let text = rule["source"]?.text ?? rule["glob"]?.text ?? rule["regex"]?.text ?? ""
        let source = SourceLine(file: file, line: rule.start.line, text: text)
        guard let target = rule["destination"]?.text, !text.isEmpty else {
            return skip(source, "it has no source and no destination")
        }
        // A regular expression is compared with the whole path.
        let expression =
            rule["regex"]?.text.map { $0.utf8.first == UInt8(ascii: "^") ? $0 : "^\($0)$" }
            ?? firebaseExpression(text)
        guard let expression else {
            let reasons = [
                ("[", "patterns have no classes of characters"),
                ("!", "patterns cannot exclude text"),
                ("", "nothing is the same as its braces, parentheses or signs behind a name"),
            ]
            return skip(source, reasons.first { text.contains($0.0) || $0.0.isEmpty }?.1 ?? "")
        }
        addNamed(expression, rule["type"].flatMap(Self.number) ?? 301, source, []) { groups in
            FilledDestination.named(target, groups, hasModifiers: true)
        }
    }

    /// A page for all paths; a rewrite of one path is not a redirect.
    private mutating func readRewrite(_ rule: JSONValue, _ file: String, all: [String]) {
        let path = rule["source"]?.text ?? rule["glob"]?.text ?? rule["regex"]?.text ?? ""
        let target = rule["destination"]?.text ?? ""
        let source = SourceLine(file: file, line: rule.start.line, text: path)
        guard all.contains(path), case .page(let page) = answer(to: target, status: 200),
            rule["has"] == nil, rule["missing"] == nil, isPlainPage(page)
        else { return skip(source, "it rewrites a path within the service") }
        answerRest(with: page == "/" ? "/index.html" : page, status: 200, source)
    }

    private mutating func addNamed(
        _ expression: String, _ status: Int, _ source: SourceLine,
        _ query: [(name: String, pattern: String)],
        destination: ([String: String]) -> String?
    ) {
        guard (300...399).contains(status) else {
            return skip(source, "\(status) is not the status of a redirect")
        }
        let start = rules.count
        add(expression, status: status, source, isDecoded: false) { groups in
            destination(groups).flatMap { answer(to: passingQuery($0), status: status) }
        }
        for var rule in takeRules(from: start) {
            rule.query = query
            append(rule)
        }
    }

    private static func number(_ value: JSONValue) -> Int? {
        if case .number(let text) = value.content { Int(text) } else { nil }
    }
}
