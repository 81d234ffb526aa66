package import SiteConfiguration
import Sockets
import URISyntax

/// A host that is checked once, or again and again.
package struct CheckedHost: Sendable {
    package let name: String
    package let port: UInt16
    /// Nil if no configuration is known that generates its files.
    package var expected: ExpectedFiles?
    private var copies = ServiceCopies()
    /// The report of the last check, and its time in seconds since 1970.
    package internal(set) var last: (report: HostReport, time: Int)?
    /// In how many seconds Apple's CDN may have another copy; nil if it does not say.
    package private(set) var secondsToNextCopy: Int?

    package init(_ name: String, port: UInt16, expected: ExpectedFiles? = nil) {
        (self.name, self.port, self.expected) = (name, port, expected)
    }

    package init(_ host: WatchedHost) {
        self.init(
            host.name.description, port: host.port, expected: host.site.map(ExpectedFiles.init))
    }

    /// Checks it. Services that keep copies of its files are asked every quarter of an hour at most,
    /// unless `asksAlways`; what they have answered before is taken instead.
    @discardableResult
    package mutating func check(by surveyor: Surveyor, asksAlways: Bool = false) -> HostReport {
        if asksAlways { copies = ServiceCopies() }
        let survey = surveyor.survey(
            name, port: port, &copies, expecting: expected?.wellKnown, now: Clock.unixSeconds)
        let now = Clock.unixSeconds
        let report = HostReport(survey, expected: expected, now: now)
        last = (report, now)
        secondsToNextCopy = survey.secondsToNextCopy
        return report
    }

    /// Takes over what is known of the same host.
    /// - Parameter withCopies: whether the services are the same, so that their answers still count.
    package mutating func goOn(from other: CheckedHost, withCopies: Bool = true) {
        last = other.last
        if withCopies { copies = other.copies }
    }
}

extension ExpectedFiles {
    /// The files that are generated for a site. Of a signed file, the content is compared.
    package init(_ site: Site) {
        self.init(
            apple: site.associations.aasa, android: site.associations.assetlinks,
            wellKnown: site.wellKnown)
    }
}
