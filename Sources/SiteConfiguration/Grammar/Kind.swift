import Associations
import ClientAddress
import Diagnostics
import URISyntax

/// What a key of the configuration may hold. The table in `Keys.swift` is built from these; the
/// reader checks values against them, and the JSON Schema is printed from them.
indirect enum Kind: Sendable {
    case text(Format)
    case list(of: Kind, canBeEmpty: Bool = false)
    /// A mapping from names that the configuration chooses itself.
    case names(Format, of: Kind)
    case object(Shape)
    /// A mapping of any content, which becomes JSON.
    case json
    /// Told apart by what is written: one of them at most takes a text, a list or a mapping.
    case either([Kind])

    /// One value, or a list of several.
    static func oneOrMore(_ kind: Kind) -> Kind { .either([kind, .list(of: kind)]) }
}

/// The keys of one kind of mapping.
struct Shape: Sendable {
    /// What such a mapping is called in the schema.
    let name: String
    let keys: [Key]
    /// The names of those that must be there.
    let required: [String]
    let needs: [Need]

    init(_ name: String, needs: [Need] = [], _ keys: [Key]) {
        self.name = name
        self.keys = keys
        required = keys.filter(\.isRequired).map(\.name)
        self.needs = needs
    }
}

/// Groups of keys of which at least one must be there whole.
struct Need: Sendable {
    let groups: [[String]]

    static func anyOf(_ groups: [String]...) -> Need { Need(groups: groups) }

    func isMet(by keys: Set<String>) -> Bool { groups.contains(where: keys.isSuperset(of:)) }

    /// The only key that is missing of a group that was begun; nil where that is not clear.
    func lacking(_ keys: Set<String>) -> String? {
        let lacking = groups.map { group in group.filter { !keys.contains($0) } }
        return zip(groups, lacking).first { $0.count > 1 && $1.count == 1 }?.1.first
    }
}

/// One key: its name, what it holds, and what it is for, in words for an editor's tooltip.
struct Key: Sendable {
    let name: String
    let kind: Kind
    let isRequired: Bool
    let documentation: String

    init(_ name: String, _ kind: Kind, required: Bool = false, _ documentation: String) {
        self.name = name
        self.kind = kind
        self.isRequired = required
        self.documentation = documentation
    }
}

/// The form of a text: what the schema can say about it, and how the reader takes it.
struct Format: Sendable {
    /// With its article, for messages.
    let name: String
    /// A regular expression that every acceptable text matches (ECMA 262, as JSON Schema has it).
    let pattern: String?
    /// What else YAML takes such a text for, in the schema's words.
    let alsoKnownAs: [String]
    /// Those that are acceptable, where it may be taken for an integer.
    let integers: ClosedRange<Int>?
    /// The only texts that are accepted; empty accepts what `parse` does.
    let choices: [String]
    let canBeEmpty: Bool
    /// Whether it may hold line ends: words for people.
    let isProse: Bool
    let parse: @Sendable (String) throws(Fault) -> Parsed

    init(
        _ name: String, pattern: String? = nil, alsoKnownAs: [String] = [],
        integers: ClosedRange<Int>? = nil, choices: [String] = [], canBeEmpty: Bool = false,
        isProse: Bool = false,
        parse: @escaping @Sendable (String) throws(Fault) -> Parsed = { _ in .text }
    ) {
        self.name = name
        self.pattern = pattern
        self.alsoKnownAs = alsoKnownAs
        self.integers = integers
        self.choices = choices
        self.canBeEmpty = canBeEmpty
        self.isProse = isProse
        self.parse = parse
    }

    /// One whose texts are values as they stand.
    init(
        _ name: String, pattern: String? = nil, alsoKnownAs: [String] = [],
        integers: ClosedRange<Int>? = nil, canBeEmpty: Bool = false,
        fault: @escaping @Sendable (String) -> Fault?
    ) {
        self.init(
            name, pattern: pattern, alsoKnownAs: alsoKnownAs, integers: integers,
            canBeEmpty: canBeEmpty
        ) { text throws(Fault) in
            if let fault = fault(text) { throw fault }
            return .text
        }
    }
}

/// The value of a text, parsed once, where that is not the text itself.
enum Parsed: Sendable {
    case text
    case flag(Bool)
    case number(Int)
    case appIdentifier(AppIdentifier)
    case androidPackage(AndroidPackage)
    case fingerprint(CertificateFingerprint)
    case host(HostName)
    case url(WebURL)
    case template(URLTemplate)
    case addressBlocks([AddressBlock])
    /// A language tag in its usual letter case.
    case language(String)
    case outcome(Expectation.Outcome)
}

extension Format {
    /// - Throws: why a text does not have this form, and what would have it where only zeros are
    ///   in the way.
    func read(_ text: String) throws(Fault) -> Parsed {
        do throws(Fault) {
            return try parse(text)
        } catch {
            guard let plain = withoutLeadingZeros(text), (try? parse(plain)) != nil else {
                throw error
            }
            var fault = error
            fault.advice =
                "write \(plain); with a leading zero, some programs read a number as octal"
            throw fault
        }
    }
}

/// A short text with its decimal numbers as they are usually written; nil where they are.
private func withoutLeadingZeros(_ text: String) -> String? {
    guard text.utf8.count <= numberTextBytesMax else { return nil }
    var plain = [UInt8]()
    for byte in text.utf8 {
        if byte.isDigit, plain.last == UInt8(ascii: "0"),
            plain.dropLast().last?.isDigit != true
        {
            plain.removeLast()
        }
        plain.append(byte)
    }
    return plain.elementsEqual(text.utf8) ? nil : String(decoding: plain, as: UTF8.self)
}

/// Numbers, addresses and blocks of these are shorter.
private let numberTextBytesMax = 64

/// Why a text does not have its form.
struct Fault: Error, Hashable, Sendable {
    let rule: RuleName
    let message: String
    var advice: String?
}
