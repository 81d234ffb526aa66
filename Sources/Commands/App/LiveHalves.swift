import AppFiles
import ArgumentParser
import Associations
import Diagnostics
import HTTPClient
import Linting

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
                printErrors(of: host, apple, android)
                isReached = isReached || apple.isKnown || android.isKnown
                sites.append(SiteHalf(live: host, apple, android))
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

    /// A file of a host. The reason why it is not known is printed.
    private func read<Content: Sendable>(
        _ host: String, _ name: String, _ make: ([UInt8], String) -> Content
    ) -> SiteHalf.File<Content> {
        let url = "https://\(host)/.well-known/\(name)"
        do throws(FetchFault) {
            return .read(make(try fetching.fetch(url, client), url))
        } catch {
            if error.isMissing { return .absent }
            printMessage(error.diagnostic)
            return .notGiven
        }
    }
}

extension SiteHalf.File {
    fileprivate var isKnown: Bool { if case .notGiven = self { false } else { true } }
}

private let hostsMax = 64
