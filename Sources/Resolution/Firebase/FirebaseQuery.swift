private import Diagnostics
private import URISyntax

/// The query of a long link of Firebase Dynamic Links, whose parameters are the whole link.
package struct FirebaseQuery: Sendable {
    /// By their names, without those that are empty.
    package private(set) var values = [String: String]()
    package private(set) var notes = [FirebaseNote]()
    package private(set) var faults = [FirebaseFault]()
    /// The parameters that a note is about. Mailing programs can repeat one, and an answer has a bound.
    private var noted = Set<String>()

    /// All parameters of which a link is made.
    package static let names =
        linkNames + [
            "apn", "al", "amv", "ibi", "ius", "ipbi", "isi", "imv", "efr", "st", "sd", "si", "at",
            "ct", "mt", "pt", "gclid",
        ] + campaignNames

    /// Those that lead somewhere.
    package static let linkNames = ["link", "afl", "ifl", "ipfl", "ofl"]
    /// Mailing programs append these, also to a link that has them.
    private static let campaignNames = [
        "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content",
    ]
    /// Without one of these, a query is no long link.
    private static let telling = ["link", "apn", "ibi"]

    /// Firebase's limit; longer links work, and some programs cut them.
    private static let fineBytesMax = 7_168

    /// Reads the query of a link that has this many bytes.
    package init(_ query: String, linkBytes: Int) {
        for (name, value) in queryItems(query) { add(name, value) }
        if noted.count > Self.notesMax {
            notes.append(
                FirebaseNote(
                    "", .unrecognizedParameter,
                    "\(noted.count - Self.notesMax) more parameters are not known"))
        }
        if values["link"] == nil {
            faults.append(FirebaseFault("link", "it is missing; the link leads nowhere"))
        }
        if linkBytes > Self.fineBytesMax {
            note(
                "link", .linkLengthTooLong,
                "the link has \(linkBytes) bytes; some programs cut links of more than "
                    + "\(Self.fineBytesMax)")
        }
    }

    /// Whether a query is one of a long link, rightly made or not.
    static func isLongLink(_ query: String) -> Bool {
        queryItems(query).contains { telling.contains($0.name) }
    }

    private static let notesMax = 100

    private mutating func note(_ name: String, _ code: FirebaseWarning, _ detail: String) {
        guard noted.insert(name).inserted, noted.count <= Self.notesMax else { return }
        notes.append(FirebaseNote(name, code, detail))
    }

    private mutating func add(_ name: String, _ value: String) {
        // The replacement character stands for bytes that are not UTF-8.
        let isText = value.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && $0.value != 0x7F && $0 != "\u{FFFD}"
        }
        guard isText || name == "sd" && value.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x0A }) else {
            return faults.append(
                FirebaseFault(
                    Self.names.contains(name) ? name : "",
                    "a value has a control character, or bytes that are not UTF-8"))
        }
        switch name {
        case "d":
            if !["0", "1"].contains(value) {
                note("d", .badDebugParameter, "d is 1 or 0, not \(quoted(value))")
            }
        case "ad":
            if !["0", "1"].contains(value) {
                note("ad", .badAdParameter, "ad is 1 or 0, not \(quoted(value))")
            }
        case _ where Self.names.contains(name):
            guard values[name] == nil else {
                guard !Self.campaignNames.contains(name) else { return }
                return faults.append(
                    FirebaseFault(name, "it is there twice; the link has to be clear"))
            }
            if !value.isEmpty { values[name] = value }
        // Firebase's SDK had its own, which begin so.
        case _ where name.utf8.first == UInt8(ascii: "_") || name.isEmpty: break
        default:
            note(name, .unrecognizedParameter, "there is no parameter \(quoted(name))")
        }
    }

    /// Parameters in an order of their own, escaped: the same for every way to write a link.
    /// - Parameter values: by their names.
    package static func canonical(_ values: [String: String]) -> String {
        names.sorted().compactMap { name in
            values[name].map { "\(name)=\($0.queryEscaped)" }
        }.joined(separator: "&")
    }
}
