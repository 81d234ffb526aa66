import Countries

/// A file of countries: whatever is taken gives each address a country, or none.
@Sendable func readCountries(_ bytes: [UInt8]) {
    guard let table = try? CountryTable(file: bytes) else { return }
    let words: [UInt64] = [0, 1, 1 << 32, 0xFFFF << 32, 0xFFFF << 32 | 0x0102_0304, 1 << 61, .max]
    for high in words {
        for low in words {
            let country = table.country(high: high, low: low)
            let isName = country == .unknown || country.name.utf8.count == 2
            require(isName, "\(country.name) is no country")
            require(CountryCode(of: Int(country.number)) == country, "it is not read back")
        }
    }
}
