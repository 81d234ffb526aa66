import Answering
import Countries
import Diagnostics
import Glibc
import Services
import SiteConfiguration
import Snapshots
import Sockets
import TestSupport
import Testing

@testable import Origin

/// Reloads are told apart by the table that they have, and not by the time that they take.
@Suite("Files of countries")
struct CountryFileTests {
    private static let built = 1_700_000_000
    private static let name = "countries.mmdb"

    /// The file of `CountryVisitTests`, made at another time.
    private static func file(built seconds: Int) -> [UInt8] {
        var bytes = CountryVisitTests.file
        let key = Array("build_epoch".utf8)
        let first = bytes.indices.first { bytes[$0...].starts(with: key) } ?? 0
        for place in 0..<4 {
            bytes[first + key.count + 2 + place] =
                UInt8(truncatingIfNeeded: seconds >> (24 - 8 * place))
        }
        return bytes
    }

    /// A directory with a file, and an environment that names it.
    private struct Place {
        let directory: TemporaryDirectory
        var environment: Environment

        init(_ bytes: [UInt8] = CountryVisitTests.file) throws {
            directory = try TemporaryDirectory()
            var site = TestSite()
            (site.hasStore, site.countryFile) = (true, CountryFileTests.name)
            try directory.write(CountryFileTests.name, bytes)
            environment = try TestOrigin.environment(site, directory)
        }

        var path: String { "\(directory.path)/\(CountryFileTests.name)" }

        func build(after previous: Snapshot? = nil) throws -> Snapshot {
            try Snapshot.build(
                environment, limits: .patient, ticketKeys: try TestOrigin.ticketKeys.get(),
                after: previous, now: Clock.unixSeconds)
        }

        /// Gives the file the time that another one has.
        func setTime(of other: String) {
            var status = stat()
            stat(other, &status)
            let times = [status.st_mtim, status.st_mtim]
            utimensat(AT_FDCWD, path, times, 0)
        }
    }

    // MARK: Reloads

    @Test func `a file that has not changed is shared, wherever the configuration names it`() throws
    {
        var place = try Place()
        let first = try place.build()
        #expect(first.countries.rebuildBytes == 0)
        let moved = SourcePosition(file: "test.yaml", line: 9, column: 3)
        place.environment.countries = .file(FileReference(path: place.path, position: moved))
        let second = try place.build(after: first)
        #expect(try second.table === first.table)
        let finding = try #require(second.warnings.first { $0.rule == .oldCountryFile })
        #expect(finding.position == moved)
        let replaced = try #require(try second.replacing([:], now: Clock.unixSeconds))
        #expect(try replaced.table === first.table)
        let renewed = try #require(second.rereadingCertificates(now: Clock.unixSeconds))
        #expect(try renewed.table === first.table)
    }

    @Test func `a file of the same size and time in its place is read`() throws {
        let place = try Place()
        let first = try place.build()
        try place.directory.write("other.mmdb", Self.file(built: 1_800_000_000))
        rename(place.path, "\(place.directory.path)/before.mmdb")
        rename("\(place.directory.path)/other.mmdb", place.path)
        place.setTime(of: "\(place.directory.path)/before.mmdb")
        #expect(first.countries.rebuildBytes == 4 * CountryVisitTests.file.count)
        let second = try place.build(after: first)
        #expect(try second.table !== first.table)
        #expect(try second.table.builtSeconds == 1_800_000_000)
        // The former one comes back.
        rename("\(place.directory.path)/before.mmdb", place.path)
        #expect(try place.build(after: second).table.builtSeconds == Self.built)
    }

    @Test func `a file that is cut in place is refused, and what was read of it stays`() throws {
        let place = try Place()
        let first = try place.build()
        // A file that is mapped into memory would end the process here.
        #expect(truncate(place.path, 0) == 0)
        let error = #expect(throws: BuildError.self) { try place.build(after: first) }
        #expect(error?.diagnostics.first?.message.contains("is no MaxMind DB") == true)
        let country = try first.table.country(high: 0, low: 0xFFFF_C000_0201)
        #expect(country.name == "AT")
        try place.directory.write(Self.name, Self.file(built: 1_800_000_000))
        let second = try place.build(after: first)
        #expect(try second.table.builtSeconds == 1_800_000_000)
    }

    @Test func `a table is released when each loop has another one, whatever is connected`() throws
    {
        let store = try StoreOrigin(loops: 2) {
            $0.countryFile = Self.name
        } prepare: { store in
            try #require(write(CountryVisitTests.file, beside: store))
        }
        /// What is in force from now on.
        func publish(built seconds: Int) throws -> Released {
            let path = store.origin.directory.path
            try #require(write(Self.file(built: seconds), beside: "\(path)/links.db"))
            let next = try Snapshot.build(
                store.origin.snapshot.environment, limits: .patient,
                ticketKeys: try TestOrigin.ticketKeys.get(), after: store.origin.server.snapshot,
                now: Clock.unixSeconds)
            store.origin.server.publish(next)
            return Released(table: try next.table)
        }
        let first = try publish(built: 1_800_000_000)
        let visitor = try TestClient(port: store.origin.httpPort)
        _ = try visitor.get("/")
        #expect(first.table != nil)
        let second = try publish(built: 1_900_000_000)
        try TestSupport.wait { first.table == nil }
        #expect(second.table?.builtSeconds == 1_900_000_000)
        _ = try visitor.get("/")
    }

    private struct Released {
        weak var table: CountryTable?
    }

    /// Replaces the file beside a store.
    private func write(_ bytes: [UInt8], beside store: String) -> Bool {
        let path = "\(store.dropLast("links.db".utf8.count))\(Self.name)"
        unlink(path)
        guard let file = fopen(path, "w") else { return false }
        defer { fclose(file) }
        return fwrite(bytes, 1, bytes.count, file) == bytes.count
    }

    // MARK: Age

    @Test func `a file is old when more than 90 days have passed`() throws {
        let snapshot = try Place().build()
        func old(_ now: Int) -> [Diagnostic] {
            snapshot.expiryFindings(now: now).filter { $0.rule == .oldCountryFile }
        }
        let end = Self.built + 90 * 86_400
        for now in [0, Self.built - 1, Self.built, end] { #expect(old(now) == []) }
        let finding = try #require(old(end + 1).first)
        #expect(finding.severity == .warning && finding.position?.file == "test.yaml")
        #expect(finding.message.hasSuffix("was built on 2023-11-14, more than 90 days ago"))
        // It is said once, and not each day.
        #expect(old(end + 400 * 86_400) == [finding])
    }

    @Test(
        arguments: [
            (daysAgo: 91, isOld: true), (daysAgo: 89, isOld: false), (daysAgo: -400, isOld: false),
        ])
    func `a start says whether the file is old`(daysAgo: Int, isOld: Bool) throws {
        let file = Self.file(built: Clock.unixSeconds - daysAgo * 86_400)
        let warnings = try Place(file).build().warnings
        #expect(warnings.contains { $0.rule == .oldCountryFile } == isOld, "\(warnings)")
    }

    @Test func `a file that does not say when it was built is not old`() throws {
        let silent = try Place(Self.file(built: 0)).build()
        #expect(!silent.warnings.contains { $0.rule == .oldCountryFile })
        var bytes = CountryVisitTests.file
        let key = Array("build_epoch".utf8)
        let first = try #require(bytes.indices.first { bytes[$0...].starts(with: key) })
        bytes[first] = UInt8(ascii: "x")
        let snapshot = try Place(bytes).build()
        #expect(try snapshot.table.builtSeconds == nil)
        #expect(!snapshot.warnings.contains { $0.rule == .oldCountryFile })
    }
}

extension Snapshot {
    /// The table of its country file.
    fileprivate var table: CountryTable {
        get throws {
            guard case .table(let table) = countries.source else {
                throw CountryFileError.isNoDatabase
            }
            return table
        }
    }
}
