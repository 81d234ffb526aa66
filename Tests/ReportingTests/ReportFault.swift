import Associations
import Diagnostics
import Reporting
import Testing

/// A page with one fault, and what the report says of it.
struct ReportFault: Sendable, CustomTestStringConvertible {
    let item: String
    let status: ItemStatus
    /// Other items that the fault cannot but touch.
    let also: Set<String>
    let edits: [(String, String)]
    let change: @Sendable (inout ReportInput) -> Void

    /// - Parameter edits: what is replaced in the page, once each.
    init(
        _ item: String, _ status: ItemStatus, also: Set<String> = [], _ edits: (String, String)...,
        change: @escaping @Sendable (inout ReportInput) -> Void = { _ in }
    ) {
        self.item = item
        self.status = status
        self.also = also
        self.edits = edits
        self.change = change
    }

    var testDescription: String { "\(item): \(quoted(edits.first?.1 ?? ""))" }
}

extension ReportInput {
    mutating func answer(_ status: Int = 200, _ changed: [String: String?] = [:]) {
        var fields = ReportFixture.pageFields
        for (name, value) in changed { fields[name] = value }
        exchange = PageExchange(
            client: "applebot", redirects: [],
            response: ReportFixture.response(fields, status: status), encoding: nil)
    }

    mutating func redirect(_ count: Int) {
        let redirect = PageExchange.Redirect(status: 302, location: "/y")
        exchange = PageExchange(
            client: "applebot", redirects: Array(repeating: redirect, count: count),
            response: ReportFixture.response(ReportFixture.pageFields), encoding: nil)
    }

    mutating func encode(_ encoding: String) {
        exchange = PageExchange(
            client: "applebot", redirects: [],
            response: ReportFixture.response(ReportFixture.pageFields), encoding: encoding)
    }

    mutating func serve(
        _ file: WritableKeyPath<ReportInput, FetchedFile?>, _ text: String, status: Int = 200,
        type: String = "application/json"
    ) {
        self[keyPath: file] = FetchedFile(
            name: "file", bytes: Array(text.utf8),
            response: ReportFixture.response(["Content-Type": type], status: status))
    }

    mutating func picture(
        _ bytes: [UInt8], cache: String? = "public, max-age=86400", type: String = "image/png"
    ) {
        var fields = ["ETag": "\"1\"", "Content-Type": type]
        fields["Cache-Control"] = cache
        resources["https://table.example/images/lamb.png"] = FetchedFile(
            name: "lamb.png", bytes: bytes, response: ReportFixture.response(fields))
    }

    mutating func know(_ apps: [KnownApp], isClosed: Bool = false) {
        site = KnownSite(
            environment: "prod", isClosedToRobots: isClosed, hosts: ["table.example"], apps: apps)
    }
}

/// The header of a PNG of this size, and as many bytes.
func png(_ width: Int, _ height: Int, bytes count: Int = 1_000) -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    bytes += Array("IHDR".utf8)
    for value in [width, height] {
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(value >> shift & 255)) }
    }
    return bytes + [UInt8](repeating: 0, count: max(0, count - bytes.count))
}
