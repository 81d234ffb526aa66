/// The reason for which a file gives no countries.
package enum CountryFileError: Error, Equatable, Sendable {
    /// It does not end as a MaxMind DB does.
    case isNoDatabase
    /// A number of its metadata is not there, or not one of those that can be read.
    case metadata(key: String, value: Int?, wanted: String)
    /// It ends before its tree does.
    case isCut(bytes: Int, needed: Int)
    /// A record of the tree leads out of the file.
    case record(node: Int, value: Int, max: Int)
    /// A value of its data cannot be read, at this byte of the file.
    case value(offset: Int, Slip)
    /// Its values refer to each other so often that they would take too long.
    case isTangled(valuesMax: Int)
    /// Nothing in it has a country.
    case hasNoCountries(type: String?)

    /// The faults of a value.
    package enum Slip: String, Equatable, Sendable {
        case isCut = "it goes on behind the end of its section"
        case isUnknown = "its type is none that data have"
        case hasWrongSize = "its size is not one that its type has"
        case leadsOutside = "it leads out of its section"
        case leadsToPointer = "it is a pointer to a pointer"
    }

    /// The fault in words, as the rest of a sentence about the file.
    package var fact: String {
        switch self {
        case .isNoDatabase:
            return "is no MaxMind DB: nothing in its last 128 KiB begins its metadata"
        case .metadata(let key, let value, let wanted):
            let found = value.map { "is \($0)" } ?? "is missing"
            return "cannot be read: in its metadata, \(key) \(found), must be \(wanted)"
        case .isCut(let bytes, let needed):
            return "is cut: it has \(bytes) bytes before its metadata, and its tree takes \(needed)"
        case .record(let node, let value, let max):
            return
                "is damaged: node \(node) of its tree leads to \(value), and the last value is \(max)"
        case .value(let offset, let slip):
            return "is damaged at byte \(offset): \(slip.rawValue)"
        case .isTangled(let valuesMax):
            return "would take too long: its records have more than \(valuesMax) values"
        case .hasNoCountries(let type):
            let name = type.map { " (its type is \($0))" } ?? ""
            return "has no countries: no record has country.iso_code or country_code\(name)"
        }
    }

    /// What there is to do.
    package var advice: String {
        switch self {
        case .isNoDatabase, .metadata:
            "name a file in the format MaxMind DB 2.0, such as GeoLite2-Country.mmdb, unpacked"
        case .isCut, .record, .value, .isTangled:
            "get the file again, and compare its checksum; write it under another name first, and rename it"
        case .hasNoCountries:
            "name a file of countries, such as GeoLite2-Country.mmdb; files of networks alone have none"
        }
    }
}
