import Associations
import ClientAddress
import Diagnostics
import URISyntax

/// The content that a key of the configuration may have. The table in `Keys.swift` is built from
/// these; the reader checks values with them, and the JSON Schema is generated from them.
indirect enum Kind: Sendable {
    case text(Format)
    case list(of: Kind, canBeEmpty: Bool = false)
    /// A mapping whose keys are names that the configuration defines.
    case names(Format, of: Kind)
    case object(Shape)
    /// A mapping with any content, which becomes JSON.
    case json
    /// Several kinds. The form of the value decides which applies, so at most one of them accepts a
    /// text, a list or a mapping.
    case either([Kind])

    /// One value, or a list of values.
    static func oneOrMore(_ kind: Kind) -> Kind { .either([kind, .list(of: kind)]) }
}

/// The keys of one kind of mapping.
struct Shape: Sendable {
    /// The name of such a mapping in the schema.
    let name: String
    let keys: [Key]
    /// The names of required keys.
    let required: [String]
    let needs: [Need]
    /// Whether none of the keys has to be there.
    let canBeEmpty: Bool

    init(_ name: String, needs: [Need] = [], canBeEmpty: Bool = false, _ keys: [Key]) {
        self.name = name
        self.canBeEmpty = canBeEmpty
        self.keys = keys
        required = keys.filter(\.isRequired).map(\.name)
        self.needs = needs
    }
}

/// Groups of keys of which at least one must be complete.
struct Need: Sendable {
    let groups: [[String]]

    static func anyOf(_ groups: [String]...) -> Need { Need(groups: groups) }

    func isMet(by keys: Set<String>) -> Bool { groups.contains(where: keys.isSuperset(of:)) }

    /// The only missing key of a group that has others; nil if that is not clear.
    func lacking(_ keys: Set<String>) -> String? {
        let lacking = groups.map { group in group.filter { !keys.contains($0) } }
        return zip(groups, lacking).first { $0.count > 1 && $1.count == 1 }?.1.first
    }
}

/// One key: its name, its values, and its purpose in words for an editor's tooltip.
struct Key: Sendable {
    let name: String
    let kind: Kind
    let isRequired: Bool
    let documentation: String
    /// The most values of a list; nil if that is not limited.
    let countMax: Int?
    /// Whether the values of a list are different.
    let areUnique: Bool

    init(
        _ name: String, _ kind: Kind, required: Bool = false, countMax: Int? = nil,
        areUnique: Bool = false, _ documentation: String
    ) {
        self.name = name
        self.countMax = countMax
        self.areUnique = areUnique
        self.kind = kind
        self.isRequired = required
        self.documentation = documentation
    }
}

/// The value of a text, parsed once, if it is not the text itself. It is kept elsewhere, because most values have none, and each
/// value of a configuration or a request has room for one.
indirect enum Parsed: Sendable {
    case text
    case flag(Bool)
    case number(Int)
    case appIdentifier(AppIdentifier)
    case androidPackage(AndroidPackage)
    case fingerprint(CertificateFingerprint)
    case host(HostName)
    case hostPattern(HostPattern)
    case url(WebURL)
    case template(URLTemplate)
    case redirect(URLTemplate, RedirectStatus)
    case addressBlocks([AddressBlock])
    /// A language tag in its usual letter case.
    case language(String)
    case outcome(Expectation.Outcome)
    case time(Timestamp)
    case destination(DestinationRule)
}

/// The reason why a text does not have its form.
struct Fault: Error, Hashable, Sendable {
    let rule: RuleName
    let message: String
    var advice: String?
}
