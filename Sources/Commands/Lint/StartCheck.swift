import Answering
import ArgumentParser
import Diagnostics
import LinkStore
import Origin
import Services
import SiteConfiguration
import Snapshots
import Sockets
import TLS

/// The findings that `serve` would report about an environment. It runs the same code, up to binding an address.
/// Of the access log only the permissions are checked, because `lint` must not create it.
struct StartCheck {
    let findings: [Diagnostic]
    /// The exit status of a start, or the one that it would have if the host of an unusable
    /// certificate were the only one; nil if there is no error.
    let fault: ExitCode?

    init(_ environment: Environment) {
        let start = Self.build(environment)
        let log = environment.findLogFault(opens: false, state: environment.usualState)
        findings =
            start.findings
            + [
                log?.diagnostic, Self.watchFault(environment), Self.storeFault(environment),
                Self.providerFault(environment),
            ]
            .compactMap(\.self)
            + (environment.store?.database.map(DatabaseCheck.init)?.findings ?? [])
        fault = start.fault ?? log?.status
    }

    /// A start serves all the same, and checks no host.
    private static func watchFault(_ environment: Environment) -> Diagnostic? {
        guard let watch = environment.watch else { return nil }
        do throws(Unusable) {
            _ = try watch.makeClient()
            return nil
        } catch {
            return error.diagnostic
        }
    }

    /// A start serves all the same, and signs nobody in there. Whether the provider answers is for the time of a sign-in.
    private static func providerFault(_ environment: Environment) -> Diagnostic? {
        guard let provider = environment.openID else { return nil }
        do throws(SecretFileFault) {
            _ = try readSecret(provider.secret)
        } catch {
            return Diagnostic(
                .error, .openID, at: provider.secret.position,
                "the file of the client secret, \(quotedPath(provider.secret.path)), \(error.reason)",
                advice: "write the secret that the provider has given you into it")
        }
        do throws(Unusable) {
            _ = try provider.makeClient()
            return nil
        } catch {
            return error.diagnostic
        }
    }

    /// A start serves all the same, and answers no stored link.
    private static func storeFault(_ environment: Environment) -> Diagnostic? {
        guard let store = environment.store?.file,
            let fault = findStoreFault(store.path)
                ?? findStoreFault(store.path + ".visits", .visits)
        else { return nil }
        let words = fault.words
        return Diagnostic(.error, .linkStore, at: store.position, words.fact, advice: words.advice)
    }

    private static func build(
        _ environment: Environment
    ) -> (findings: [Diagnostic], fault: ExitCode?) {
        let placed = environment.placingCertificates(in: nil)
        do {
            let snapshot = try Snapshot.build(
                placed.environment, limits: OriginLimits(), ticketKeys: try TicketKeys(),
                now: Clock.unixSeconds)
            // A start does not wait for this, and does not serve a file that must not be public.
            let faults =
                snapshot.siteFaults.flatMap(\.diagnostics)
                + snapshot.sites.sites.flatMap { $0.checkFiles() }
            // A start would serve the other hosts.
            let links = environment.store?.file.map { store in
                snapshot.storeFindings(at: store.path).map { finding in
                    Diagnostic(
                        finding.severity, finding.rule, at: store.position, finding.message,
                        advice: finding.advice)
                }
            }
            return (
                placed.findings + snapshot.warnings + snapshot.certificateFaults + faults
                    + (links ?? []),
                snapshot.certificateFaultKind?.exitCode
                    ?? (faults.isEmpty && placed.findings.isEmpty ? nil : .configurationInvalid)
            )
        } catch let error as BuildError {
            return (error.diagnostics, error.kind.exitCode)
        } catch {
            let position = environment.position
            return ([Diagnostic(.error, .unusableCertificate, at: position, "\(error)")], .ourFault)
        }
    }
}

extension Environment {
    /// The directory in which an origin keeps certificates by default; nil if it requests none.
    fileprivate var usualState: String? {
        let file = confidentialFiles.first { $0.kind == .configuration }
        guard let file, sites.contains(where: { $0.automatic != nil }) else { return nil }
        return CertificateDirectory(
            StateOptions.usualPath(of: name, beside: file.reference.path)
        ).root
    }
}
