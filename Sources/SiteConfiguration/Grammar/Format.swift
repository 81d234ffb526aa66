private import URISyntax

/// The form of a text: what the schema can express, and how the reader parses it.
struct Format: Sendable {
    /// With its article, for messages.
    let name: String
    /// The maker of a regular expression that every acceptable text matches (ECMA 262, as JSON Schema has it). Only
    /// the schema needs it, so a start makes none.
    private let makePattern: @Sendable () -> String?
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
        _ name: String, pattern: @autoclosure @escaping @Sendable () -> String? = nil,
        json: ScalarType = .string,
        alsoKnownAs: [String] = [], integers: ClosedRange<Int>? = nil, choices: [String] = [],
        canBeEmpty: Bool = false, isProse: Bool = false,
        parse: @escaping @Sendable (String) throws(Fault) -> Parsed = { _ in .text }
    ) {
        self.name = name
        makePattern = pattern
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
        _ name: String, pattern: @autoclosure @escaping @Sendable () -> String? = nil,
        alsoKnownAs: [String] = [],
        integers: ClosedRange<Int>? = nil, canBeEmpty: Bool = false,
        fault: @escaping @Sendable (String) -> Fault?
    ) {
        self.init(
            name, pattern: pattern(), alsoKnownAs: alsoKnownAs, integers: integers,
            canBeEmpty: canBeEmpty
        ) { text throws(Fault) in
            if let fault = fault(text) { throw fault }
            return .text
        }
    }
}

extension Format {
    /// A regular expression that every acceptable text matches; nil if none says more than the type.
    var pattern: String? { makePattern() }

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
