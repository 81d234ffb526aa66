/// The names of countries, as people of a language say them in short.
package struct CountryNames: Sendable {
    package let english, german: String

    /// The names of a country.
    /// - Parameter code: two letters; everything else, and letters that ISO 3166-1 has given to no country, has no names.
    package init?(code: String) {
        let letters = Array(code.utf8.prefix(3))
        guard letters.count == 2, let names = Self.all[CountryCode(letters[0], letters[1])] else {
            return nil
        }
        self = names
    }

    private init(english: String, german: String) {
        (self.english, self.german) = (english, german)
    }

    private static let all: [CountryCode: CountryNames] = {
        var all = [CountryCode: CountryNames](minimumCapacity: 256)
        for line in lines {
            all[line.code] = CountryNames(english: line.english, german: line.german)
        }
        return all
    }()

    /// The lines of the table, in their order.
    static var lines: [(code: CountryCode, english: String, german: String)] {
        countryTable.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let letters = Array(line.prefix(2))
            let names = line.dropFirst(3).split(separator: UInt8(ascii: "|"))
            guard letters.count == 2, names.count == 2 else { return nil }
            return (
                CountryCode(letters[0], letters[1]), String(decoding: names[0], as: UTF8.self),
                String(decoding: names[1], as: UTF8.self)
            )
        }
    }
}
