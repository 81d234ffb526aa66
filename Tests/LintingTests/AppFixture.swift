import AppFiles
import Associations
import Diagnostics
import Foundation
import Linting
import SiteConfiguration
import TestSupport
import Testing

/// A file of `Tests/Fixtures/app`: words about the run, an empty line, the text of a file of an app, a line
/// of ten hyphens, and what is found. The words are `env`, environments of `site.yaml`; `app`, an app that
/// the caller names; `checkout`, if the text has several files, each below a line `=== PATH`; `unread`, if one of these cannot be read, its path; `halves`, if nothing of a site is given; `aasa` and `assetlinks`, if files without hosts are given, with their text; `name`, the file's; and `file`, one of `files` in place of a text.
struct AppFixture: Sendable, CustomTestStringConvertible {
    let name: String
    let head: String
    let text: String
    let expected: String

    var testDescription: String { name }
    var rule: String { String(name.prefix { $0 != "." }) }
    var isToFail: Bool { name.hasSuffix(".fails.txt") }

    static let directory = repository("Tests/Fixtures/app")
    private static let separator = "\n----------\n"

    static let all: [AppFixture] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasSuffix(".txt") }.sorted().compactMap { name in
            FileManager.default.contents(atPath: "\(directory)/\(name)").map {
                AppFixture(name, $0)
            }
        }
    }()

    private init(_ name: String, _ bytes: Data) {
        self.name = name
        let whole = String(decoding: bytes, as: UTF8.self)
        let parts = whole.components(separatedBy: Self.separator)
        expected = parts.count > 1 ? parts[1] : ""
        let halves = parts[0].components(separatedBy: "\n\n")
        head = halves[0]
        text = halves.dropFirst().joined(separator: "\n\n")
    }

    private var words: [String: String] {
        head.split(separator: "\n").reduce(into: [:]) { words, line in
            let parts = line.split(separator: ":", maxSplits: 1)
            words[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
        }
    }

    /// The configuration, with the fingerprint of the key that has signed the APKs.
    static let configuration: Configuration? = {
        let read = { (name: String) in
            FileManager.default.contents(atPath: "\(directory)/\(name)") ?? Data()
        }
        let keys = String(decoding: read("files/keys.txt"), as: UTF8.self).split(separator: "\n")
        let text = zip(["{old-key}", "{new-key}"], keys).reduce(
            String(decoding: read("site.yaml"), as: UTF8.self)
        ) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        return Configuration.read(Array(text.utf8), file: "site.yaml", directory: directory)
            .configuration
    }()

    /// What is found in each file of a checkout.
    private func agreements(
        ofCheckout comparison: inout AppComparison, unread: String?
    ) -> [AppAgreement] {
        var files = [String: [UInt8]]()
        for part in ("\n" + text + "\n").components(separatedBy: "\n=== ").dropFirst() {
            let end = part.firstIndex(of: "\n") ?? part.endIndex
            files[String(part[..<end])] = Array(part[end...].dropFirst().utf8)
        }
        var checkout = Checkout(
            BundleFiles(names: files.keys.sorted()) { name throws(FormatFault) in
                guard name != unread else { throw FormatFault("cannot be read") }
                return ByteSource(files[name] ?? [])
            })
        var read = [(file: String, declarations: [AppDeclaration])]()
        var faults = [String: FormatFault]()
        for name in checkout.apps {
            do throws(FormatFault) {
                read.append((name, try checkout.read(name).filter(\.isOfLinks)))
            } catch {
                faults[name] = error
                read.append((name, []))
            }
        }
        read = comparison.claiming(read)
        var agreements = read.flatMap { name, declarations in
            faults[name].map { [AppComparison.agreement(of: $0, file: name)] }
                ?? comparison.compare(declarations, file: name)
        }
        comparison.addPlatforms(to: &agreements, read)
        return agreements
    }

    var agreements: [AppAgreement] {
        let words = words
        let environments = (words["env"] ?? "prod").split(separator: " ").compactMap {
            Self.configuration?.environment(named: String($0))
        }
        let app = Self.configuration?.apps.first { $0.key == words["app"] }
        let apple = words["aasa"].map { AssociationReading(Array($0.utf8), file: "aasa") }
        let android = words["assetlinks"].map { text in
            PublishedAssetLinks(.init(Array(text.utf8), name: "assetlinks"), includes: [:])
        }
        let sites =
            words["halves"] == nil && apple == nil && android == nil
            ? environments.flatMap(\.sites).map { SiteHalf($0) } : [SiteHalf(apple, android)]
        var comparison = AppComparison(
            sites,
            claimed: ClaimedApp(
                ios: app?.ios?.id.description, clip: app?.ios?.clip?.description,
                android: app?.android?.package.description))
        if words["checkout"] != nil {
            return agreements(ofCheckout: &comparison, unread: words["unread"])
        }
        let file = words["file"] ?? words["name"] ?? "file"
        let bytes =
            words["file"].flatMap {
                FileManager.default.contents(atPath: "\(Self.directory)/files/\($0)").map {
                    Array($0)
                }
            } ?? Array(text.utf8)
        do throws(FormatFault) {
            let read = comparison.claiming([(file, try AppFile.read(ByteSource(bytes)))])
            return read.flatMap { comparison.compare($0.declarations, file: $0.file) }
        } catch {
            return [AppComparison.agreement(of: error, file: file)]
        }
    }

    /// Verdicts and findings as text.
    var actual: String {
        let keys =
            FileManager.default.contents(atPath: "\(Self.directory)/files/keys.txt") ?? Data()
        let text = agreements.map { agreement in
            let app = [agreement.app, agreement.platform?.rawValue].compactMap(\.self)
            return agreement.findings.map { "\($0)\n" }.joined()
                + "\((app + [agreement.verdict.rawValue]).joined(separator: " "))\n"
        }.joined()
        return zip(
            ["{old-key}", "{new-key}"], String(decoding: keys, as: UTF8.self).split(separator: "\n")
        )
        .reduce(text) { $0.replacingOccurrences(of: $1.1, with: $1.0) }
    }

    func update(with actual: String) throws {
        let input = text.isEmpty ? head : head + "\n\n" + text
        try Data((input + Self.separator + actual).utf8).write(
            to: URL(filePath: "\(Self.directory)/\(name)"))
    }
}
