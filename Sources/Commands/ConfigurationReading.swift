import Diagnostics
import ArgumentParser
private import Resolution
import SiteConfiguration

/// A configuration as far as it could be read.
struct ConfigurationReading {
    let configuration: Configuration?
    /// The requested environment, if it exists.
    var environment: Environment?
    var diagnostics: [Diagnostic]
    /// The exit status if it cannot be used.
    var fault: ExitCode?
    /// Whether errors of one site are no reason to refuse the others.
    var servesOthers = false

    /// The same after running its link tests. Where one of several sites fails a test, it is left
    /// out, and is no reason to refuse the others, if errors of a site are none.
    var tested: ConfigurationReading {
        var tested = self
        var failures = [String?: [Diagnostic]]()
        for outcome in configuration?.runLinkTests() ?? [] where !outcome.failures.isEmpty {
            tested.diagnostics += outcome.diagnostics
            if outcome.expectation.environment == environment?.name {
                failures[outcome.site, default: []] += outcome.diagnostics
            } else if !servesOthers || outcome.site == nil {
                failures[nil, default: []] += outcome.diagnostics
            }
        }
        for (site, diagnostics) in failures {
            guard servesOthers, let site else {
                tested.fault = fault ?? .configurationInvalid
                continue
            }
            let position = environment?.sites.first { $0.name == site }?.position
            tested.environment?.refuse(site, at: position, diagnostics)
        }
        return tested.withSites
    }

    /// The same, as a fault if no site is left.
    var withSites: ConfigurationReading {
        guard let environment, environment.sites.isEmpty else { return self }
        var reading = self
        reading.fault = fault ?? .configurationInvalid
        return reading
    }
}
