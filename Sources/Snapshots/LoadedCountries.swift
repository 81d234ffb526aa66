import Answering
package import Countries
import Diagnostics
import Files
import SiteConfiguration
import URISyntax

/// The source of the countries of visits, as it was read.
package struct LoadedCountries: Sendable {
    package let source: CountrySource
    private let file: FileReference?
    /// Of the file when it was read.
    private let stamp: FileStamp?

    /// Without any.
    init() { self.init(.nothing) }

    private init(_ source: CountrySource, _ file: FileReference? = nil, _ stamp: FileStamp? = nil) {
        (self.source, self.file, self.stamp) = (source, file, stamp)
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
            // Its position may be another one.
            if let previous, previous.file?.path == reference.path, let stamp = previous.stamp,
                FileStamp(of: reference.path) == stamp
            {
                return LoadedCountries(previous.source, reference, stamp)
            }
            let content = try readInput(
                reference, "country file", bytesMax: CountryTable.fileBytesMax,
                whenMissing: "download one, such as GeoLite2-Country.mmdb, or remove `countries`")
            let table = try table(content.bytes, of: reference)
            return LoadedCountries(.table(table), reference, content.stamp)
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

    // MARK: Facts

    /// A warning about a file that was built too long ago; nil for everything else, and for a file that does not say when.
    /// - Parameter now: seconds since 1970.
    func ageFinding(now: Int) -> Diagnostic? {
        guard let file, case .table(let table) = source, let built = table.builtSeconds, built > 0,
            now > built, now - built > Self.daysMax * 86_400
        else { return nil }
        let day = String(
            decoding: Timestamp(seconds: built).description.utf8.prefix(10), as: UTF8.self)
        return Diagnostic(
            .warning, .oldCountryFile, at: file.position,
            "country file \(quoted(file.path)) was built on \(day), more than \(Self.daysMax) days ago",
            advice:
                "get the current one from its publisher, write it under another name, and rename "
                + "it: waymark then loads it by itself")
    }

    /// The days after which a file is old.
    private static let daysMax = 90

    /// The memory that it takes to read the file again, beside what was read of it until now; 0 if it has not changed.
    package var rebuildBytes: Int {
        guard let file, let now = FileStamp(of: file.path), now != stamp else { return 0 }
        // The file itself, a tree that is a third larger, and the records that were read of it.
        return 4 * min(now.bytes, CountryTable.fileBytesMax)
    }
}
