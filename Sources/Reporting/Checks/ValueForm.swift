import Associations
import URISyntax

/// A form that a property's values must have.
enum ValueForm {
    case telephone, country, date, time, duration, price, currency, address, priceRange
    case latitude, longitude, rating, count

    /// Paths, and the required forms of their values.
    static let all: [(path: String, form: ValueForm)] = [
        ("telephone", .telephone), ("address.addressCountry", .country),
        ("uploadDate", .time), ("datePublished", .date), ("dateModified", .date),
        ("startDate", .date), ("endDate", .date), ("duration", .duration),
        ("offers.price", .price), ("offers.priceCurrency", .currency),
        ("url", .address), ("contentUrl", .address), ("embedUrl", .address),
        ("thumbnailUrl", .address), ("priceRange", .priceRange),
        ("geo.latitude", .latitude), ("geo.longitude", .longitude),
        ("aggregateRating.ratingValue", .rating), ("aggregateRating.ratingCount", .count),
        ("aggregateRating.reviewCount", .count),
    ]

    /// The fault of the value, or nil.
    func fault(_ text: String) -> String? {
        switch self {
        case .telephone:
            isInternationalNumber(text) ? nil : "should begin with + and the country's code"
        case .country:
            text.utf8.count == 2 && text.utf8.allSatisfy(\.isUpperCaseLetter)
                ? nil : "should be two capital letters, such as AT"
        case .date: DateForm(text) == nil ? "is no date such as 2026-11-21" : nil
        case .time:
            switch DateForm(text) {
            case nil: "is no date such as 2026-11-21T10:00:00+01:00"
            case let form? where form.hasTime && !form.hasZone: "has a time without a zone"
            default: nil
            }
        case .duration: isDuration(text) ? nil : "is no duration such as PT1M33S"
        case .price: DecimalForm(text) == nil ? "is no number such as 0 or 9.90" : nil
        case .currency:
            text.utf8.count == 3 && text.utf8.allSatisfy(\.isUpperCaseLetter)
                ? nil : "should be three capital letters, such as EUR"
        case .address: (try? LinkURL(text)) == nil ? "is no absolute web address" : nil
        case .priceRange: text.utf8.count < 100 ? nil : "has 100 bytes or more, and is not shown"
        case .latitude: coordinateFault(text, 90)
        case .longitude: coordinateFault(text, 180)
        case .rating: DecimalForm(text) == nil ? "is no number such as 4.5" : nil
        case .count: text.utf8.allSatisfy(\.isDigit) ? nil : "is no whole number"
        }
    }

    private func coordinateFault(_ text: String, _ limit: Double) -> String? {
        guard let form = DecimalForm(text), abs(form.value) <= limit else {
            return "is no degree such as 48.20849"
        }
        return form.decimals >= 5 ? nil : "should have five decimals, about a metre"
    }
}
