import AppFiles
import ArgumentParser
import Associations
import Diagnostics
import HTTPClient
import Linting
import LiveCheck

/// Asks the hosts that an app declares for their association files, as fetchers do.
struct LiveHalves {
    private let fetching: FetchOptions
    private let client: HTTPClient

    init(_ fetching: FetchOptions) throws(ExitCode) {
        (self.fetching, client) = (fetching, try fetching.client())
    }

    /// - Parameter hosts: those of the app.
    /// - Throws: if there are too many, or if none can be reached.
    func comparison(_ hosts: [String], _ claimed: ClaimedApp) throws -> AppComparison {
        guard hosts.count <= hostsMax else {
            throw ValidationError(
                "the app declares \(hosts.count) hosts, and --live asks at most \(hostsMax)")
        }
        var (sites, isReached) = ([SiteHalf](), hosts.isEmpty)
        Progress.showing("asking", counting: "hosts", of: hosts.count) { progress in
            for host in hosts {
                let apple = read(host, "apple-app-site-association") { bytes, name in
                    AssociationReading(bytes, file: name)
                }
                let android = read(host, "assetlinks.json") { bytes, name in
                    PublishedAssetLinks(.init(bytes, name: name), includes: [:])
                }
                printErrors(of: host, apple.file, android.file)
                isReached = isReached || apple.file.isKnown || android.file.isKnown
                sites.append(
                    SiteHalf(
                        live: host, apple.file, android.file, faults: (apple.fault, android.fault)))
                progress.advance()
            }
        }
        guard isReached else { throw ExitCode.unreachable }
        return AppComparison(sites, claimed: claimed)
    }

    /// Prints the errors of the files of a host. They can be the reason why it lists no app.
    private func printErrors(
        of host: String, _ apple: SiteHalf.File<AssociationReading>,
        _ android: SiteHalf.File<PublishedAssetLinks>
    ) {
        var findings = [Diagnostic]()
        if case .read(let file) = apple { findings += Linter.lint(file) }
        if case .read(let links) = android {
            findings += links.files.flatMap { file in
                Linter.lint(AssetLinksReading(file.json, file: file.name), with: links)
            }
        }
        printOfSite(findings, least: .error, all: "check \(host)")
    }

    /// A file of a host, and what `check` calls an error of the answer. The reason why it is not known is printed.
    private func read<Content: Sendable>(
        _ host: String, _ name: String, _ make: ([UInt8], String) -> Content
    ) -> (file: SiteHalf.File<Content>, fault: SiteHalf.Fault?) {
        let url = "https://\(host)/.well-known/\(name)"
        do throws(FetchFault) {
            let (bytes, exchange) = try fetching.fetchWhole(url, client)
            let fault = HostReport.fault(ofFile: exchange).map { fault in
                SiteHalf.Fault(
                    fault.message + (fault.evidence.map { " (\($0))" } ?? ""),
                    advice: fault.advice, isOfContent: fault.rule == .invalidFile)
            }
            return (.read(make(bytes, url)), fault)
        } catch {
            if error.isMissing { return (.absent, nil) }
            printMessage(error.diagnostic)
            return (.notGiven, nil)
        }
    }
}

extension SiteHalf.File {
    fileprivate var isKnown: Bool { if case .notGiven = self { false } else { true } }
}

private let hostsMax = 64
