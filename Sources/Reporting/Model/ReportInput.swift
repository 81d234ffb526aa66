package import Associations
private import Diagnostics

/// The input of a report card. A nil value was not given; items that need it are not applicable.
package struct ReportInput: Sendable {
    package let page: PageReading
    /// The URL at which the page is or will be served.
    package var url: LinkURL?
    /// The exchange in which the page was answered; nil for a file.
    package var exchange: PageExchange?
    package var aasa: FetchedFile?
    package var assetlinks: FetchedFile?
    package var robots: FetchedFile?
    /// The page that another kind of client gets; nil if it gets none.
    package var counterpart: Counterpart?
    /// The site as a configuration describes it.
    package var site: KnownSite?
    /// Files of the page's own host that it names, by their URLs; nil for one that is not there.
    package var resources: [String: FetchedFile?] = [:]

    package init(page: PageReading, url: LinkURL? = nil) {
        self.page = page
        self.url = url
    }
}

/// The header fields of a response.
package struct ResponseFields: Sendable {
    package let status: Int
    private let fields: [(name: String, value: String)]

    package init(status: Int, fields: [(name: String, value: String)]) {
        self.status = status
        self.fields = fields
    }

    /// The value of the first field of this name, whatever its letters' case; nil without one.
    package subscript(_ name: String) -> String? {
        let wanted = name.lowercased()
        return fields.first { $0.name.lowercased().isScalarwise(wanted) }?.value
    }
}

/// The exchange in which a page was answered.
package struct PageExchange: Sendable {
    /// The client of the request.
    package let client: String
    /// The URLs that were redirected, in their order; the last response is not among them.
    package let redirects: [Redirect]
    package let response: ResponseFields
    /// The coding of the response to a client that accepts only gzip and deflate; nil for none.
    package let encoding: String?

    /// A response that redirects.
    package struct Redirect: Sendable {
        package let status: Int
        package let location: String

        package init(status: Int, location: String) {
            self.status = status
            self.location = location
        }
    }

    package init(
        client: String, redirects: [Redirect], response: ResponseFields, encoding: String?
    ) {
        self.client = client
        self.redirects = redirects
        self.response = response
        self.encoding = encoding
    }
}

/// The same page for a client of the other kind: people or programs.
package struct Counterpart: Sendable {
    package let client: String
    package let page: PageReading

    package init(client: String, page: PageReading) {
        self.client = client
        self.page = page
    }
}

/// A file beside the page.
package struct FetchedFile: Sendable {
    /// The name of the file in positions.
    package let name: String
    package let bytes: [UInt8]
    /// The fields of its response; nil for one that was read from a disk.
    package let response: ResponseFields?

    package init(name: String, bytes: [UInt8], response: ResponseFields? = nil) {
        self.name = name
        self.bytes = bytes
        self.response = response
    }
}

/// The page's site as a configuration describes it.
package struct KnownSite: Sendable {
    package let environment: String
    package let isClosedToRobots: Bool
    /// Every host that is answered.
    package let hosts: [String]
    package let apps: [KnownApp]

    package init(environment: String, isClosedToRobots: Bool, hosts: [String], apps: [KnownApp]) {
        self.environment = environment
        self.isClosedToRobots = isClosedToRobots
        self.hosts = hosts
        self.apps = apps
    }
}

/// An app that a configuration publishes.
package struct KnownApp: Sendable {
    package let appID: String?
    package let storeIdentifier: String?
    package let package: String?

    package init(appID: String?, storeIdentifier: String?, package: String?) {
        self.appID = appID
        self.storeIdentifier = storeIdentifier
        self.package = package
    }
}
