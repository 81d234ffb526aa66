/// The source of the country in which somebody is who visits a link.
package enum CountrySource: Sendable {
    /// Nothing is known, and nothing is counted.
    case nothing
    /// A field with this name, in lower case, that a trusted proxy sends.
    case field([UInt8])
    /// A table of addresses.
    case table(CountryTable)
}
