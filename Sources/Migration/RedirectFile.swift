private import Diagnostics

/// The redirects of one file, in the order in which its server tries them.
struct RedirectFile {
    private(set) var rules = [RedirectRule]()
    private(set) var untranslated = [Untranslated]()
    /// Parts that need no equal, such as a redirect to https.
    private(set) var notNeeded = [Untranslated]()
    private(set) var unmatched = [UnmatchedPage]()
    /// The number of the page of each set of hosts.
    private var pages = [[String]: Int]()
    /// The hosts that it names, in their order.
    private(set) var hosts = [String]()
    /// Whether its rules without a host are also for hosts that it does not name.
    var isForOtherHosts = false
    /// Whether it has anything of mod_rewrite, which takes the place of what directories above have.
    var setsRewriting = false
    private(set) var includes = [IncludedPath]()
    /// The directories of documents that it names, whose own rules are in files there.
    var documents = [(path: String, source: SourceLine)]()
    /// The faults for which its server would refuse it, too. Then there are no rules.
    var faults = [RedirectFault]()
    /// The hosts of the rules that follow.
    var currentHosts = [String]()

    init() {}

    /// Of a file that begins with a byte-order mark.
    init(marked file: String) {
        faults = [
            RedirectFault(
                position: SourcePosition(file: file, line: 1, column: 1),
                fact: "the file begins with a byte-order mark, which its server refuses",
                advice: "save it as UTF-8 without one")
        ]
    }

    mutating func append(_ rule: RedirectRule) {
        var rule = rule
        if rule.hosts.isEmpty { rule.hosts = currentHosts }
        rules.append(rule)
    }

    /// Lists rules, and pages for paths without a rule, in place of translating them.
    mutating func leaveOut(where isLeftOut: (RedirectRule) -> Bool, _ reason: String) {
        for rule in rules where isLeftOut(rule) { skip(rule.source, reason) }
        rules.removeAll(where: isLeftOut)
        for page in unmatched { skip(page.source, reason) }
        unmatched = []
    }

    /// Adds a difference to each rule.
    mutating func differ(_ difference: String) {
        for number in rules.indices { rules[number].differences.append(difference) }
    }

    mutating func name(_ hosts: [String]) { self.hosts += hosts }

    mutating func skip(_ source: SourceLine, _ reason: String) {
        untranslated.append(Untranslated(source: source, reason: reason))
    }

    mutating func pass(_ source: SourceLine, _ reason: String) {
        notNeeded.append(Untranslated(source: source, reason: reason))
    }

    /// - Parameter isOuter: whether a file that is read by itself means the same.
    mutating func include(_ path: String, _ source: SourceLine, isOuter: Bool) {
        guard !Self.isWithoutRedirects(path) else { return }
        includes.append(IncludedPath(path: path, source: source, isOuter: isOuter))
    }

    /// Whether a file that distributions deliver with a server is known to redirect nothing.
    private static func isWithoutRedirects(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map {
            String(decoding: $0, as: UTF8.self)
        }
        let name = parts.last ?? ""
        return ["mods-enabled", "modules-enabled"].contains { parts.dropLast().contains($0) }
            || ["mime.types", "ports.conf"].contains(name)
            || ["fastcgi", "options-ssl-", "ssl-params"].contains { name.hasPrefix($0) }
            || name.hasSuffix("_params")
    }

    /// Gives the host of a directory, and the hosts of its conditions, to the rules that name none.
    mutating func belong(to host: String) {
        guard hosts.isEmpty else { return }
        var all = [host]
        var seen = Set(all)
        all += rules.flatMap(\.hosts).filter { seen.insert($0).inserted }
        name(all)
        for number in rules.indices where rules[number].hosts.isEmpty { rules[number].hosts = all }
        for number in unmatched.indices where unmatched[number].hosts.isEmpty {
            unmatched[number].hosts = all
        }
        isForOtherHosts = false
    }

    mutating func answerRest(with page: String, status: Int, _ source: SourceLine) {
        answerRest(with: .page(page), status: status, source)
    }

    mutating func answerRest(
        with answer: RedirectRule.Answer, status: Int, _ source: SourceLine,
        keepsHost: Bool = false
    ) {
        guard pages[currentHosts] == nil else {
            return skip(source, "there is an answer for all other paths already")
        }
        pages[currentHosts] = unmatched.count
        unmatched.append(
            UnmatchedPage(
                hosts: currentHosts, answer: answer, status: status, source: source,
                keepsHost: keepsHost))
    }

    /// Servers that redirect what they do not find redirect a path for which a rule says 404, too.
    /// - Parameter start: the number of the first rule.
    mutating func redirectMissing(from start: Int) {
        guard let page = pages[currentHosts].map({ unmatched[$0] }),
            (300...399).contains(page.status)
        else { return }
        for number in start..<rules.count
        where rules[number].answer == .notFound && rules[number].status == 404 {
            rules[number].answer = page.answer
            rules[number].status = page.status
            rules[number].keepsHost = page.keepsHost
        }
    }

    mutating func refuse(_ patterns: [String], _ status: Int, _ source: SourceLine) {
        var rule = RedirectRule(source: source, match: patterns, answer: .notFound)
        rule.status = status
        append(rule)
    }

    /// Takes note of an expression that has no equal, or needs none.
    mutating func refuse(_ refusal: RegexPattern.Refusal, _ source: SourceLine) {
        if refusal.isNever { pass(source, refusal.reason) } else { skip(source, refusal.reason) }
    }

    /// Removes the rules from this number on, and returns them.
    mutating func takeRules(from start: Int) -> [RedirectRule] {
        defer { rules.removeSubrange(start...) }
        return Array(rules[start...])
    }

    /// Removes a rule, whose number stays.
    mutating func drop(_ number: Int) { rules[number].match = [] }

    /// Excludes paths of later rules, by the number of the rule.
    mutating func exclude(_ paths: [ExcludedPaths], fromRule number: Int) {
        rules[number].exclude += paths
    }

    /// Adds the rules of a regular expression.
    /// - Parameters:
    ///   - base: the directory whose path the expression does not see.
    ///   - directory: the directory to whose paths it is limited.
    ///   - isDecoded: whether it is compared with paths without escapes.
    ///   - answer: for the values of groups; nil if it needs one that has none.
    mutating func add(
        _ expression: String, status: Int, _ source: SourceLine, isCaseSensitive: Bool = true,
        below base: String? = nil, within directory: String? = nil, isDecoded: Bool = true,
        answer: ([String: String]) -> RedirectRule.Answer?
    ) {
        do throws(RegexPattern.Refusal) {
            var pattern = try RegexPattern(expression, below: base, isDecoded: isDecoded)
            if let directory, directory != "/" {
                pattern = try pattern.confined(to: directory, isPrefix: true, "directory").pattern
                guard !pattern.variants.isEmpty else {
                    return pass(source, "\(directory) has none of its paths")
                }
            }
            let found = pattern.rules(source, isCaseSensitive: isCaseSensitive, answer: answer)
            guard let found else {
                return skip(
                    source, pattern.lacksGroup(answer) ? groupWithoutStar : unusableDestination)
            }
            for var rule in found {
                rule.status = status
                append(rule)
            }
        } catch {
            refuse(error, source)
        }
    }
}
