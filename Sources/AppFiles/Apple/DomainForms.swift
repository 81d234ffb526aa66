/// The domains of a file of entitlements as the configurations of a project fill them in. Each text with a variable is
/// filled in once for a configuration, and configurations with the same values have one list.
final class DomainForms {
    typealias Domain = AppleDeclaration.Domain

    /// A list, and the number of its texts: lists with the same texts have the same number.
    struct Form {
        let domains: [Domain]
        let number: Int
    }

    private let domains: [Domain]
    /// The texts with a dollar sign, each once, and for each domain the number of its text.
    private let texts: [String]
    private let numbers: [Int?]
    private var forms = [[[String?]]: Form]()
    private var known = [[String]: Int]()
    private var hostsOfClips = [Int: Set<String>?]()
    /// The texts that were filled in, for all configurations.
    private(set) var count = 0
    /// The bytes of what was made of them.
    private var bytes = 0
    /// The lists that were made.
    var formCount: Int { forms.count }

    init(_ domains: [Domain]) {
        self.domains = domains
        var (texts, known) = ([String](), [[UInt8]: Int]())
        numbers = domains.map { domain in
            guard domain.text.utf8.contains(UInt8(ascii: "$")) else { return nil }
            let number = known[Array(domain.text.utf8)] ?? texts.count
            if number == texts.count {
                known[Array(domain.text.utf8)] = number
                texts.append(domain.text)
            }
            return number
        }
        self.texts = texts
    }

    /// Whether the configurations were too many, so that some lists keep their variables.
    var isOpen: Bool {
        count > AppFileLimits.filledDomainsMax || bytes > AppFileLimits.filledDomainBytesMax
    }

    /// The file whose lists keep their variables.
    static func tooMany(in path: String) -> UnreadSource {
        UnreadSource(
            path,
            "its domains with variables, times the configurations of the project, are more than "
                + "\(AppFileLimits.filledDomainsMax), or have more than "
                + "\(AppFileLimits.filledDomainBytesMax) bytes")
    }

    /// The list of a configuration.
    func form(_ settings: BuildSettings) -> Form {
        if !isOpen { count += texts.count }
        guard !isOpen else { return Form(domains: domains, number: -1) }
        let filled = settings.filled(texts)
        bytes += filled.reduce(0) { $0 + $1.utf8.count }
        let origins = texts.map(settings.origin)
        let key = [filled.map(Optional.init), origins]
        if let known = forms[key] { return known }
        let list = zip(domains, numbers).map { domain, number in
            guard let number else { return domain }
            return Domain(text: filled[number], place: domain.place, origin: origins[number])
        }
        let number = known[filled] ?? known.count
        known[filled] = number
        let form = Form(domains: list, number: number)
        forms[key] = form
        return form
    }

    /// The hosts of App Clips in a list; nil if only a build knows one of its domains.
    func hostsOfClips(_ form: Form) -> Set<String>? {
        if let known = hostsOfClips[form.number] { return known }
        let isKnown = !form.domains.contains { isBuildVariable($0.text) }
        let hosts = isKnown ? AppleDeclaration.hostsOfClips(form.domains.map(\.text)) : nil
        hostsOfClips[form.number] = .some(hosts)
        return hosts
    }
}

/// The lists of domains of the files of entitlements that a project names, each filled in once.
final class ProjectMemory {
    private var forms = [[UInt8]: DomainForms]()
    /// The apps around App Clips, by their target and configuration.
    var enclosing = [[String]: AppleDeclaration.Enclosing]()

    func forms(of domains: [AppleDeclaration.Domain], in path: String) -> DomainForms {
        let key = Array(path.utf8)
        if let known = forms[key] { return known }
        let found = DomainForms(domains)
        forms[key] = found
        return found
    }
}
