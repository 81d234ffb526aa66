import Diagnostics
import LinkIndex
import LinkStore
import URISyntax
import Visits

/// The time zone of a question about visits.
struct VisitZone {
    let name: String
    private let rules: ZoneRules

    /// The name that stands for the time zone of the site of the links.
    private static let ofSite = "site"

    /// - Parameter collection: of the links; nil for all that the actor may use.
    /// - Returns: nil for UTC.
    init?(_ call: APICall, of collection: String?) throws(Problem) {
        guard let asked = call.request.item("zone") else { return nil }
        let own = asked == Self.ofSite ? Self.zone(of: collection, call) : asked
        guard let name = own, name != "UTC" else { return nil }
        self.name = name
        rules = try Self.rules(name, call.api)
    }

    /// The offsets of the zone that a query names.
    static func rules(_ name: String, _ api: LinkAPI) throws(Problem) -> ZoneRules {
        do throws(ZoneData.Failure) {
            return try api.zones.rules(name)
        } catch {
            let place = quoted(ZoneData.directory)
            throw Problem(
                .query,
                "zone is \(quoted(name)), "
                    + (error == .noData
                        ? "and this machine has no zones in \(place): install its package tzdata, or give "
                            + "a container that folder; or ask for UTC"
                        : "which is no zone in \(place): write one as Europe/Berlin, or UTC"))
        }
    }

    /// The zone of the sites of collections; nil if they have none, or several.
    private static func zone(of collection: String?, _ call: APICall) -> String? {
        let sites = call.api.collections.filter { own in
            let name = own.name.description
            return call.actor.mayUse(name) && collection.map { name == $0 } ?? true
        }.map(\.site.site)
        let zones = Set(sites.map { call.api.usedZone($0, at: call.now) })
        return zones.count == 1 ? zones.first ?? nil : nil
    }

    /// The day that its clocks show at a moment, in days since 1970.
    func day(at seconds: Int) -> Int {
        (seconds + rules.offset(at: seconds)).dividedFloor(by: 86_400).quotient
    }

    /// The hour of UTC in which a day begins.
    func firstHour(ofDay day: Int) -> Int {
        let around = 24 * day - 26...24 * day + 26
        return around.first { self.day(at: $0 * 3_600) >= day } ?? 24 * day
    }

    /// The clocks of a period.
    /// - Throws: why its days cannot be summed up.
    func local(_ hours: Range<Int>, at now: Int) throws(Problem) -> LocalHours {
        let firstKept = 24 * (now / 86_400 - VisitStore.hoursKeptDays)
        guard hours.lowerBound >= firstKept else {
            let day = String(decoding: time(ofHour: firstKept).utf8.prefix(10), as: UTF8.self)
            throw Problem(
                .query,
                "zone is \(quoted(name)), and visits before \(day) are kept by the day of UTC: begin later, or "
                    + "ask for UTC")
        }
        // Nothing is counted in the future.
        let end = max(hours.lowerBound + 1, min(hours.upperBound, now / 3_600 + 24))
        guard let local = LocalHours(hours.lowerBound..<end, offset: rules.offset) else {
            throw Problem(
                .query,
                "zone is \(quoted(name)), which is not a whole number of hours from UTC, and visits are "
                    + "counted by the hour of UTC: ask for a zone with whole hours, or UTC")
        }
        return local
    }
}
