private import Associations
package import Diagnostics
package import LinkIndex
package import SiteConfiguration

/// The result of one link test.
package struct LinkTestOutcome: Sendable {
    package let expectation: Expectation
    /// The name of the site that was tested; nil if there is only one.
    package let site: String?
    /// The differences; empty if the test passes.
    package let failures: [Failure]
    /// The reason why a part of the test was not run; nil if all of it was.
    package let skipped: String?
    /// The fact that decides whether `opens` is met, and is not known here; nil if the test is
    /// decided. Such a test has neither passed nor failed.
    package var undecided: String?

    package var hasPassed: Bool { failures.isEmpty && undecided == nil }

    /// An expectation that is not met.
    package struct Failure: Hashable, Sendable {
        /// `opens` or `gets`; `as` if there is no client with this name.
        package let key: String
        package let expected: String
        package let actual: String
        /// The reason for the actual result.
        package let reason: String?

        /// Expected and actual side by side.
        package var sentence: String {
            switch key {
            case "opens": "expected to open \(expected), opens \(actual)"
            case "gets": "expected to get \(expected), gets \(actual)"
            default: "there is no client \(quoted(expected))"
            }
        }
    }
}

extension Configuration {
    /// Runs the link tests of the configuration, with the matcher and the router that the origin
    /// uses.
    /// - Parameters:
    ///   - files: the files of a site's public directory, by their paths in it; nil if they cannot
    ///     be read, so that responses are not known.
    ///   - index: the stored links; nil if they are not known.
    package func runLinkTests(
        stored index: LinkIndex? = nil, files: (Site) -> [String]?
    ) -> [LinkTestOutcome] {
        var runners = [[String]: LinkTestRunner?]()
        let tested = Dictionary(
            environments.map { ($0.name, ($0, HostTable($0.sites))) }, uniquingKeysWith: { $1 })
        return expectations.compactMap { expectation in
            guard let (environment, hosts) = tested[expectation.environment],
                let site = expectation.site(in: environment, hosts)
            else { return nil }
            let key = [environment.name, site.name ?? ""]
            let runner =
                runners[key]
                ?? files(site).map {
                    LinkTestRunner(
                        site, files: $0, stored: index, answersApps: environment.store != nil)
                }
            runners.updateValue(runner, forKey: key)
            return runner?.run(expectation)
                ?? LinkTestOutcome(
                    expectation: expectation, site: site.name, failures: [],
                    skipped: "the public directory cannot be read")
        }
    }
}

extension LinkTestOutcome {
    /// The message for a test that fails, with the expected and the actual result.
    package var diagnostics: [Diagnostic] {
        failures.map { failure in
            Diagnostic(
                .error, .expectationFailed, at: expectation.position,
                "\(expectation.url) in \(expectation.environment): \(failure.sentence)",
                advice: failure.reason)
        }
    }
}

extension Expectation {
    /// The site of the link's host. Nil if none of several has it: the site that has it may have
    /// errors of its own, which are no reason to test another one.
    func site(in environment: Environment, _ hosts: HostTable) -> Site? {
        let host = (try? LinkURL(url))?.requestedHost
        return host.flatMap { hosts.site(of: $0) }.map { environment.sites[$0] }
            ?? environment.sites.first.flatMap { $0.name == nil ? $0 : nil }
    }
}

extension Expectation.Outcome: CustomStringConvertible {
    /// An expected status without a URL is met by any URL.
    func isMet(by actual: Self) -> Bool {
        status == actual.status && (location == nil || location == actual.location)
    }

    /// As in the configuration: the status, and the URL of a redirect.
    package var description: String { "\(status)" + (location.map { " \($0)" } ?? "") }
}
