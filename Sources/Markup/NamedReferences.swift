/// The names of characters that HTML knows.
enum NamedReferences {
    struct Meaning {
        let text: String
        let needsNoSemicolon: Bool
    }

    static let all: [String: Meaning] = {
        var all = [String: Meaning](minimumCapacity: 2200)
        for table in [capitalReferences, referencesAToM, referencesNToZ] {
            for entry in table.description.utf8.split(separator: UInt8(ascii: " ")) {
                read(entry, into: &all)
            }
        }
        return all
    }()

    /// The longest name.
    static let nameBytesMax = 31
    /// The longest name that needs no semicolon.
    static let bareNameBytesMax = 6

    private static func read(_ entry: Substring.UTF8View, into all: inout [String: Meaning]) {
        let sign = UInt8(ascii: "*")
        guard let mark = entry.firstIndex(where: { $0 == sign || $0 == UInt8(ascii: "=") }) else {
            return
        }
        let scalars = entry[entry.index(after: mark)...].split(separator: UInt8(ascii: "+"))
            .compactMap { UInt32(Substring($0), radix: 16).flatMap(Unicode.Scalar.init) }
        all[String(Substring(entry[..<mark]))] = Meaning(
            text: String(String.UnicodeScalarView(scalars)), needsNoSemicolon: entry[mark] == sign)
    }
}
