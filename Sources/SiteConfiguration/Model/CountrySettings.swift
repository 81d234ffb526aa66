package import Diagnostics

/// The source of the countries of visits, of which there is one.
package enum CountrySettings: Hashable, Sendable {
    /// The request field in which a trusted proxy names the country, in lower case.
    case header(String, SourcePosition)
    /// A file in the format MaxMind DB.
    case file(FileReference)
}

extension CountrySettings {
    /// - Parameter value: a mapping with one of the two keys; what is wrong with others was said.
    init?(_ value: Value, _ base: PathBase) {
        if let item = value["header"], let name = item.text?.lowercased() {
            self = .header(name, item.position)
        } else if let file = base.reference(value["file"]) {
            self = .file(file)
        } else {
            return nil
        }
    }
}
