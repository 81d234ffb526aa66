import Associations
import ClientAddress
import Diagnostics
import URISyntax

/// What a key of the configuration may contain. The table in `Keys.swift` is built from these; the
/// reader checks values with them, and the JSON Schema is generated from them.
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

    init(_ name: String, _ kind: Kind, required: Bool = false, _ documentation: String) {
        self.name = name
        self.kind = kind
        self.isRequired = required
        self.documentation = documentation
    }
}

/// The form of a text: what the schema can express, and how the reader parses it.
struct Format: Sendable {
    /// With its article, for messages.
    let name: String
    /// A regular expression that every acceptable text matches (ECMA 262, as JSON Schema has it).
    let pattern: String?
    /// The type of the value in the JSON of a request.
    let json: ScalarType
    /// The other types, in the schema's words, that YAML makes from such a text.
    let alsoKnownAs: [String]
    /// The accepted integers, if the text may be an integer.
    let integers: ClosedRange<Int>?
    /// The only accepted texts; if empty, `parse` decides.
    let choices: [String]
    let canBeEmpty: Bool
    /// Whether it may contain line ends, because it is text for people.
    let isProse: Bool
    let parse: @Sendable (String) throws(Fault) -> Parsed

    init(
        _ name: String, pattern: String? = nil, json: ScalarType = .string,
        alsoKnownAs: [String] = [], integers: ClosedRange<Int>? = nil, choices: [String] = [],
        canBeEmpty: Bool = false, isProse: Bool = false,
        parse: @escaping @Sendable (String) throws(Fault) -> Parsed = { _ in .text }
    ) {
        self.name = name
        self.pattern = pattern
        self.json = json
        self.alsoKnownAs = alsoKnownAs
        self.integers = integers
        self.choices = choices
        self.canBeEmpty = canBeEmpty
        self.isProse = isProse
        self.parse = parse
    }

    /// A form whose texts are values as they are.
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

/// The value of a text, parsed once, if it is not the text itself.
enum Parsed: Sendable {
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

extension Format {
    /// - Throws: why a text does not have this form, and the corrected text if only zeros are
    ///   wrong.
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

/// A short text with its decimal numbers without leading zeros; nil if there are none.
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

/// A host of the configuration.
enum HostPattern: Hashable, Sendable, CustomStringConvertible {
    case exact(HostName)
    /// The domain behind `*.`.
    case wildcard(HostName)
    /// A host with `{site}`, before the name of the site is in it.
    case template(String)

    init(_ text: String) throws(Fault) {
        guard !text.contains("{site}") else {
            // The name is checked when it is known; the rest now.
            do throws(Fault) {
                _ = try HostPattern(text.replacing("{site}", with: "site"))
            } catch {
                throw Format.hostFault(text)
            }
            self = .template(text)
            return
        }
        guard text.hasPrefix("*.") else {
            self = .exact(try Self.host(text, in: text))
            return
        }
        let domain = try Self.host(String(text.dropFirst(2)), in: text)
        let isWhole = !domain.description.utf8.contains(UInt8(ascii: "."))
        guard !isWhole || domain.description == "localhost" else {
            throw Fault(
                rule: .hostName, message: "\(quoted(text)) is a wildcard for a whole top level",
                advice: "write a domain of your own behind `*.`")
        }
        guard !domain.isAddress else {
            throw Fault(
                rule: .hostName,
                message: "\(quoted(text)): no host is below an IP address",
                advice: "write a domain of your own behind `*.`")
        }
        self = .wildcard(domain)
    }

    /// - Parameter written: the whole text, for messages.
    private static func host(_ text: String, in written: String) throws(Fault) -> HostName {
        do {
            return try HostName(text)
        } catch {
            throw Format.fault(error, of: written)
        }
    }

    var description: String {
        switch self {
        case .exact(let host): host.description
        case .wildcard(let domain): "*.\(domain)"
        case .template(let text): text
        }
    }
}
