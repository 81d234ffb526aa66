private import ClientAddress
private import Diagnostics
private import URISyntax

extension Format {
    /// A whole number within the limit's range.
    static func limit(_ limit: Limit) -> Format {
        Format(
            "a whole number", pattern: "^\(SchemaPattern.numbers(limit.range))$",
            alsoKnownAs: ["integer"],
            integers: limit.range
        ) { text throws(Fault) in
            let digits = text.utf8
            guard digits.allSatisfy(\.isDigit), digits.count == 1 || digits.first != 0x30 else {
                throw Fault(
                    rule: .wrongValue,
                    message: "\(quoted(limit.rawValue)) must be a whole number from "
                        + "\(inDigits(limit.range.lowerBound)) to "
                        + "\(inDigits(limit.range.upperBound)), not \(quoted(text))",
                    advice: "write only the digits; the name has the unit")
            }
            guard let value = wholeNumber(text, limit.range) else {
                throw Fault(
                    rule: .wrongValue,
                    message: "\(quoted(limit.rawValue)) is \(text.prefix(20))"
                        + "\(digits.count > 20 ? "…" : ""), must be "
                        + "\(inDigits(limit.range.lowerBound)) to "
                        + inDigits(limit.range.upperBound))
            }
            return .number(value)
        }
    }

    /// A line that a licence asks for.
    static let attribution = Format(
        "a line of text",
        pattern: "^\(SchemaPattern.noVariable)\(SchemaPattern.character())"
            + "{1,\(ConfigurationLimits.attributionCharactersMax)}$",
        alsoKnownAs: ["number", "boolean"]
    ) { text in
        let (count, limit) = (
            text.unicodeScalars.count, ConfigurationLimits.attributionCharactersMax
        )
        guard count > limit else { return nil }
        return Fault(
            rule: .wrongValue,
            message: "an attribution has at most \(limit) characters, this one \(count)",
            advice: "write the line that the licence asks for, with a URL of its text")
    }

    /// An address or a block of addresses; `private` is the private networks.
    static let addressBlock = Format(
        "an address, a block of addresses or `private`",

        pattern: "^(private|\(SchemaPattern.addressV4)(/\(SchemaPattern.numbers(0...32)))?"
            + "|(?=.*:)[0-9A-Fa-f:.]+(/\(SchemaPattern.numbers(0...128)))?)$"
    ) { text throws(Fault) in
        if text == "private" { return .addressBlocks(AddressBlock.privateBlocks) }
        do throws(AddressBlockError) {
            return .addressBlocks([try AddressBlock(text)])
        } catch {
            throw fault(text, error)
        }
    }

    private static func fault(_ text: String, _ error: AddressBlockError) -> Fault {
        switch error {
        case .noAddress:
            Fault(
                rule: .addressBlock, message: "\(quoted(text)) is not an IPv4 or IPv6 address",
                advice: "write an address, a block such as 10.0.0.0/8, or private")
        case .noPrefixLength(let most):
            Fault(
                rule: .addressBlock,
                message: "\(quoted(text)) has no prefix length of 0 to \(most) after the slash",
                advice: "write the number of bits that all its addresses share, such as /24")
        case .bitsBehindPrefix(let block):
            Fault(
                rule: .addressBlock, message: "\(quoted(text)) has bits beyond its prefix",
                advice: "the block that contains it is \(block)")
        }
    }
}

/// A number as messages write it: with a comma before each three digits.
package func inDigits(_ number: Int) -> String {
    number < 1000
        ? "\(number)"
        : inDigits(number / 1000) + "," + "\(1000 + number % 1000)".dropFirst()
}
