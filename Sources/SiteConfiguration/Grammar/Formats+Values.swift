private import Diagnostics
private import URISyntax

// The forms of styles, times and identifiers.

extension Format {
    /// The value of a CSS variable; it cannot end a declaration, or contain a URL.
    static let styleValue = Format(
        "a colour, a length or names of fonts",
        pattern:
            "^(#([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})|-?[0-9]+(\\.[0-9]+)?(px|r?em|ch|v[wh]|%)?"
            + "|-?[A-Za-z][A-Za-z0-9 -]*(, ?-?[A-Za-z][A-Za-z0-9 -]*)*)$",
        alsoKnownAs: ["number"]
    ) { text in
        let bytes = Array(text.utf8)
        if isColour(bytes) || isLength(bytes) || areFontNames(bytes) { return nil }
        return Fault(
            rule: .wrongValue,
            message: "\(quoted(text)) is not a colour, a length or a list of fonts",
            advice: "write a colour as #0a7cff, a length with its unit, fonts without quotes")
    }

    private static func isColour(_ text: [UInt8]) -> Bool {
        text.first == UInt8(ascii: "#") && [4, 5, 7, 9].contains(text.count)
            && text.dropFirst().allSatisfy { $0.hexDigitValue != nil }
    }

    private static func isLength(_ text: [UInt8]) -> Bool {
        let unsigned = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        let number = unsigned.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
        let parts = number.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }) else { return false }
        let units = ["", "px", "em", "rem", "ch", "vw", "vh", "%"]
        return units.contains { unsigned.dropFirst(number.count).elementsEqual($0.utf8) }
    }

    private static func areFontNames(_ text: [UInt8]) -> Bool {
        text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).allSatisfy {
            let name = $0.first == 0x20 ? $0.dropFirst() : $0
            let plain = name.first == UInt8(ascii: "-") ? name.dropFirst() : name
            return plain.first?.isLetter == true
                && plain.allSatisfy {
                    $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == 0x20
                }
        } && text.first != 0x20
    }

    /// The name of a time zone (IANA), as the path of its file in the system's data.
    static let timeZone = matching(
        "the name of a time zone", "^(?!.{65})[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$",
        advice: "write a name of the IANA database, such as Europe/Berlin, or UTC"
    ) { text in
        let words = text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return text.count <= 64 && text.first.map { 0x41...0x5A ~= $0 & 0xDF } == true
            && words.allSatisfy { word in
                !word.isEmpty && word.allSatisfy { $0.isWord || "_+-".utf8.contains($0) }
            }
    }

    /// A moment, with its zone.
    static let time = Format(
        "a time with its zone",
        pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3])"
            + "(:[0-5][0-9]){2}(\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"
    ) { text throws(Fault) in
        do throws(TimestampError) {
            return .time(try Timestamp(text))
        } catch {
            throw Fault(
                rule: .wrongValue, message: "\(quoted(text)) \(error)",
                advice: error.advice(on: text))
        }
    }

    /// A period in days, hours, minutes and seconds (ISO 8601-1 §5.5.2).
    static let duration = matching(
        "a duration", "^P(?=.)([0-9]{1,6}D)?(T(?=.)([0-9]{1,6}H)?([0-9]{1,6}M)?([0-9]{1,6}S)?)?$",
        advice: "write one such as PT1M30S, a minute and a half"
    ) { text in
        var rest = text[...]
        guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return false }
        takeNumbers(&rest, before: "D")
        if rest.isEmpty { return true }
        guard rest.popFirst() == UInt8(ascii: "T"), !rest.isEmpty else { return false }
        takeNumbers(&rest, before: "HMS")
        return rest.isEmpty
    }

    /// Reads a number before each of these letters, if it is there.
    private static func takeNumbers(_ text: inout ArraySlice<UInt8>, before letters: String) {
        for letter in letters.utf8 {
            let digits = text.prefix(while: \.isDigit)
            guard (1...6).contains(digits.count), text.dropFirst(digits.count).first == letter
            else { continue }
            text = text.dropFirst(digits.count + 1)
        }
    }

    /// A day, or a day and a time with its offset (ISO 8601-1 §5.2, §5.4).
    static let date = matching(
        "a date",
        "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
            + "(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-9]{2})?(Z|[+-][0-9]{2}:[0-9]{2}))?$",
        advice: "write a day as 2026-11-21, with a time as 2026-11-21T08:30:00Z"
    ) { text in
        var rest = text[...]
        guard take(&rest, "0000-00-00"), isInRange(text[5..<7], 1...12),
            isInRange(text[8..<10], 1...31)
        else { return false }
        if rest.isEmpty { return true }
        guard take(&rest, "T00:00"), isInRange(text[11..<13], 0...23),
            isInRange(text[14..<16], 0...59)
        else { return false }
        _ = take(&rest, ":00")
        return rest.elementsEqual("Z".utf8)
            || ((take(&rest, "+00:00") || take(&rest, "-00:00")) && rest.isEmpty)
    }

    private static func isInRange(_ digits: ArraySlice<UInt8>, _ range: ClosedRange<Int>) -> Bool {
        Int(String(decoding: digits, as: UTF8.self)).map(range.contains) ?? false
    }

    /// Reads a prefix of this form, in which a 0 is any digit.
    private static func take(_ text: inout ArraySlice<UInt8>, _ form: String) -> Bool {
        let start = text.prefix(form.utf8.count)
        let isSame = start.elementsEqual(form.utf8) {
            $1 == UInt8(ascii: "0") ? $0.isDigit : $0 == $1
        }
        if isSame { text = text.dropFirst(start.count) }
        return isSame
    }

    static let uuid = matching(
        "an identifier of a product page",
        "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$",
        advice: "copy it from App Store Connect: the text after ppid= in the page's URL"
    ) { text in
        let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.allSatisfy { $0.hexDigitValue != nil } }
    }

    static let providerToken = Format(
        "a provider token", pattern: "^[0-9]{1,18}$", alsoKnownAs: ["integer"],
        integers: 0...999_999_999_999_999_999
    ) { text in
        text.utf8.allSatisfy(\.isDigit) && text.utf8.count <= 18
            ? nil
            : Fault(
                rule: .wrongValue, message: "\(quoted(text)) is not a provider token",
                advice: "it is the number after pt= in a campaign link of App Store Connect")
    }

    /// The token by which the App Store counts a campaign.
    static let campaignToken = Format(
        "a campaign token",
        pattern:
            "^\(SchemaPattern.noVariable)\(SchemaPattern.character()){1,\(Campaign.appleTokenBytesMax)}$",
        alsoKnownAs: ["number", "boolean"]
    ) { text in
        let limit = Campaign.appleTokenBytesMax
        guard text.utf8.count > limit else { return nil }
        return Fault(
            rule: .wrongValue,
            message: "\(quoted(text)) has \(text.utf8.count) bytes, a campaign may have \(limit)",
            advice: "the App Store accepts no longer ones")
    }
}
