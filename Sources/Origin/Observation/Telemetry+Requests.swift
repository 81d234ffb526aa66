import Answering
import Metrics
import Resolution
import Services
import SiteConfiguration
import Snapshots
import Visits

// Requests and their answers, association files and links.
extension Telemetry {
    func exposeRequests(_ page: inout Exposition) {
        page.begin(MetricCatalogue.requests)
        for route in Route.allCases {
            for method in 0..<CounterOffsets.methods {
                for code in 0..<StatusIndex.count {
                    addUnlessZero(
                        &page,
                        offsets.requests(Int(route.rawValue), method, code),
                        .init("route", route.name), .init("method", methodNames[method]),
                        .init("code", StatusIndex.name(code)))
                }
            }
        }
        page.begin(MetricCatalogue.durations)
        for route in Route.allCases {
            let index = Int(route.rawValue)
            let counts = (0...Buckets.durationCount).map { sum(offsets.durations(index, $0)) }
            let total = MetricValue.millionths(sum(offsets.durationSums + index))
            add(&page, counts, total, bounds: Buckets.durationTexts, route)
        }
        page.begin(MetricCatalogue.sizes)
        for route in Route.allCases {
            let index = Int(route.rawValue)
            let counts = (0...Buckets.sizeCount).map { sum(offsets.sizes(index, $0)) }
            let total = MetricValue.integer(sum(offsets.sizeSums + index))
            add(&page, counts, total, bounds: Buckets.sizeTexts, route)
        }
        page.begin(MetricCatalogue.inFlight)
        add(&page, offsets.inFlight)
        page.begin(MetricCatalogue.aborted)
        for reason in AbortReason.allCases {
            add(&page, offsets.aborted + Int(reason.rawValue), .init("reason", reason.name))
        }
    }

    func exposeDomain(_ page: inout Exposition) {
        // Also successes and failures that never happened: only what begins at 0 is seen to begin,
        // and a site's first answer to Apple may be its only one for weeks.
        page.begin(MetricCatalogue.associations)
        for (file, name) in associationFiles.enumerated() {
            for (group, fetcher) in VisitorGroup.allCases.enumerated() {
                for code in 0..<StatusIndex.count {
                    let value = sum(offsets.associations(file, group, code))
                    guard value > 0 || StatusIndex.successes.contains(code) else { continue }
                    page.add(
                        .integer(value), .init("file", name),
                        .init("fetcher", fetcher.rawValue), .init("code", StatusIndex.name(code)))
                }
            }
        }
        page.begin(MetricCatalogue.associationFailures)
        for (file, name) in associationFiles.enumerated() {
            for (group, fetcher) in VisitorGroup.allCases.enumerated() {
                let failures = StatusIndex.failures.reduce(0) {
                    $0 + sum(offsets.associations(file, group, $1))
                }
                page.add(
                    .integer(failures), .init("file", name),
                    .init("fetcher", fetcher.rawValue))
            }
        }
        page.begin(MetricCatalogue.links)
        for outcome in Outcome.allCases {
            for (index, platform) in WebPlatform.allCases.enumerated() {
                addUnlessZero(
                    &page, offsets.links(Int(outcome.rawValue), index),
                    .init("outcome", outcome.name), .init("platform", platform.rawValue))
            }
        }
    }
}

extension Telemetry {
    /// Requests for stored links.
    func exposeVisits(_ page: inout Exposition, _ service: VisitService?) {
        page.begin(MetricCatalogue.visits)
        if let service {
            let totals = service.totals
            for visitClass in VisitClass.allCases {
                page.add(
                    .integer(totals.counts[Int(visitClass.rawValue)]),
                    .init("class", visitClass.name))
            }
            page.add(.integer(totals.misses), .init("class", "miss"))
        }
        page.begin(MetricCatalogue.guesses)
        if service != nil { page.add(.integer(sum(offsets.guesses))) }
        page.begin(MetricCatalogue.withoutScheme)
        page.add(.integer(sum(offsets.withoutScheme)))
        page.begin(MetricCatalogue.droppedVisits)
        if let service { page.add(.integer(service.totals.dropped)) }
    }

    /// Requests of links and sites, by name.
    func exposeNames(_ page: inout Exposition, _ names: CountedNames) {
        page.begin(MetricCatalogue.linkRequests)
        for (number, name) in names.links.enumerated() {
            for outcome in LinkClass.allCases {
                for isProgram in [false, true] {
                    addUnlessZero(
                        &page, offsets.link(number, outcome, isProgram: isProgram),
                        .init("site", name.site), .init("link", name.link),
                        .init("outcome", outcome.name),
                        .init("client", isProgram ? "programs" : "people"))
                }
            }
        }
        page.begin(MetricCatalogue.siteRequests)
        for (number, name) in names.sites.enumerated() {
            for digit in 1...CounterOffsets.siteClasses {
                addUnlessZero(
                    &page, offsets.site(number, status: 100 * digit), .init("site", name),
                    .init("code", "\(digit)xx"))
            }
        }
    }
}

/// By their numbers.
private let associationFiles = ["aasa", "assetlinks"]
/// By the methods' numbers. What clients make up is one of them, or there would be no end of them.
private let methodNames = [
    "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "_OTHER",
]
