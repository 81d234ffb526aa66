/// Parts of the regular expressions of formats (ECMA 262, as JSON Schema has it). They say all that a
/// regular expression can say; parsing decides the rest, and gives reasons.
enum SchemaPattern {
    private static let control = #"\u0000-\u001f\u007f-\u009f\u2028\u2029"#

    /// Any character, except these and control characters.
    static func character(except others: String = "") -> String { "[^\(others)\(control)]" }

    /// No variable of a shell is filled in: `${NAME}`.
    static let noVariable = #"(?!.*\$\{[A-Za-z_][A-Za-z0-9_]*[}:?+-])"#

    /// One line of text.
    static let line = "^\(noVariable)\(character())+$"

    /// Text that can have several lines.
    static let prose = #"^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]+$"#

    /// The variables of Apple's patterns are those that it defines.
    static func variables(_ names: [String]) -> String {
        #"(?!.*\$\((?!("# + names.joined(separator: "|") + #")\)))"#
    }

    private static let label = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"

    /// A host, which something else may follow.
    static let host = #"(?=[A-Za-z0-9.-]{1,253}([^A-Za-z0-9.-]|$))"# + #"\#(label)(\.\#(label))*"#

    static let addressV4 = {
        let octet = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
        return #"\#(octet)(\.\#(octet)){3}"#
    }()

    /// A host of the configuration; where its last part is a number, it is an address.
    static let ownHost = #"^(\#(addressV4)$|(?!(.*\.)?([0-9]+|0[Xx][0-9A-Fa-f]*)$)\#(host)$)"#

    static let port = numbers(1...65_535)

    private static let urlCharacter = #"[!#-;=?-\[\]_a-z~]"#
    private static let authority = #"\#(host)(:0*\#(port))?"#

    /// A URL, whole or behind something else.
    static func url(scheme: String = "[Hh][Tt][Tt][Pp][Ss]?") -> String {
        #"\#(scheme)://\#(authority)([/?#]\#(urlCharacter)*)?"#
    }

    /// An https URL without a path.
    static let origin = #"[Hh][Tt][Tt][Pp][Ss]://\#(authority)"#

    /// An https URL without query and fragment, or an http one of this machine.
    static let issuer =
        #"(https://\#(authority)|http://(localhost|127\.0\.0\.1)(:0*\#(port))?)(/[!$-;=@-\[\]_a-z~]*)?"#

    /// The URL of a service, which has no path.
    static func service(scheme: String = "[Hh][Tt][Tt][Pp][Ss]?") -> String {
        #"\#(scheme)://\#(authority)/?([?#]\#(urlCharacter)*)?"#
    }

    /// A URL with placeholders, also for what stars took.
    static func template(hasStars: Bool = true) -> String {
        let names = #"path|query|query\.[A-Za-z0-9._~-]{1,64}"#
        let rest = #"(\#(urlCharacter)|\{(\#(hasStars ? "[1-9]|" : "")\#(names))\})*"#
        // A path that is filled in has no segments of full stops.
        let dots = #"(?!(?=[^?#]*\{)[^?#]*/(\.|%2[Ee]){1,2}([/?#]|$))"#
        return #"\#(dots)[Hh][Tt][Tt][Pp][Ss]?://\#(authority)([/?#]\#(rest)|\{path\}\#(rest))?"#
    }

    /// A file of the public directory, by its URL path.
    static let page =
        #"(?!//)(?!.*/\.{1,2}(/|$))/"# + character(except: #"?#\\"#) + "*"

    /// Decimal numbers without leading zeros.
    static func numbers(_ range: ClosedRange<Int>) -> String {
        // Ranges in which each digit takes any value between two others.
        var ends = Set([range.upperBound])
        var power = 10
        while power <= range.upperBound * 10 {
            let nines = range.lowerBound / power * power + power - 1
            if range.contains(nines) { ends.insert(nines) }
            let zeros = (range.upperBound + 1) / power * power - 1
            if range.contains(zeros) { ends.insert(zeros) }
            power *= 10
        }
        var start = range.lowerBound
        let parts = ends.sorted().map { end in
            defer { start = end + 1 }
            return digits(from: "\(start)", to: "\(end)")
        }
        return "(\(parts.joined(separator: "|")))"
    }

    private static func digits(from low: String, to high: String) -> String {
        var (text, any) = ("", 0)
        for (first, last) in zip(low.unicodeScalars, high.unicodeScalars) {
            if first == last {
                text += "\(first)"
            } else if first == "0", last == "9" {
                any += 1
            } else {
                text += "[\(first)-\(last)]"
            }
        }
        return text + (any == 0 ? "" : any == 1 ? "[0-9]" : "[0-9]{\(any)}")
    }

    /// One of these names, in any letter case.
    static func anyCase(_ names: [String]) -> String {
        names.map { name in
            name.unicodeScalars.map { scalar in
                scalar.properties.isLowercase
                    ? "[\(scalar.properties.uppercaseMapping)\(scalar)]" : "\(scalar)"
            }.joined()
        }.joined(separator: "|")
    }
}
