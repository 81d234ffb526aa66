import Answering
package import Countries
import Diagnostics
import Files
import SiteConfiguration

/// The source of the countries of visits, as it was read.
package struct LoadedCountries: Sendable {
    package let source: CountrySource
    /// Of the file when it was read, with its path.
    private let path: String?
    private let stamp: FileStamp?

    /// Without any.
    init() { self.init(.nothing) }

    private init(_ source: CountrySource, path: String? = nil, stamp: FileStamp? = nil) {
        (self.source, self.path, self.stamp) = (source, path, stamp)
    }

    /// Reads what the settings name.
    /// - Parameter previous: what is used until now; a file that has not changed is not read again.
    /// - Throws: why a file gives no countries.
    static func load(
        _ settings: CountrySettings?, after previous: LoadedCountries?
    ) throws(BuildFault) -> LoadedCountries {
        switch settings {
        case nil: return LoadedCountries()
        case .header(let name, _): return LoadedCountries(.field(Array(name.utf8)))
        case .file(let reference):
            if let previous, previous.path == reference.path, let stamp = previous.stamp,
                FileStamp(of: reference.path) == stamp
            {
                return previous
            }
            let content = try readInput(
                reference, "country file", bytesMax: CountryTable.fileBytesMax,
                whenMissing: "download one, such as GeoLite2-Country.mmdb, or remove `countries`")
            let table = try table(content.bytes, of: reference)
            return LoadedCountries(.table(table), path: reference.path, stamp: content.stamp)
        }
    }

    private static func table(
        _ bytes: [UInt8], of reference: FileReference
    ) throws(BuildFault) -> CountryTable {
        do throws(CountryFileError) {
            return try CountryTable(file: bytes)
        } catch {
            throw BuildFault(
                diagnostic: Diagnostic(
                    .error, .wrongValue, at: reference.position,
                    "country file \(quoted(reference.path)) \(error.fact)", advice: error.advice),
                kind: .invalid)
        }
    }
}
