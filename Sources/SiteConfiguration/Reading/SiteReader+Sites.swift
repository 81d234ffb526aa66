import Associations
import Diagnostics
import URISyntax
private import Files

// Several sites: each is a mapping under `sites`, or a file of the directory that it names.

/// A site as it is written, before anything is inherited.
struct WrittenSite {
    let name: String
    let value: Value
    let position: SourcePosition
    /// What was found in its file.
    var findings = Findings()
    /// Whether there is anything to read.
    var isReadable = true

    fileprivate mutating func checkName(_ introduction: String) {
        do {
            _ = try Format.name.parse(name)
        } catch {
            isReadable = false
            findings.error(
                error.rule, at: position, introduction + error.message, advice: error.advice)
        }
    }
}

extension SiteReader {
    /// The sites of a mapping, in the order of the file.
    mutating func checkSites(_ sites: Value) -> [WrittenSite] {
        let entries = sites.entries
        guard (1...ConfigurationLimits.sitesMax).contains(entries.count) else {
            findings.error(
                entries.isEmpty ? .unsetValue : .tooMany, at: sites.position,
                "\"sites\" has \(entries.count) sites, must have 1 to "
                    + "\(ConfigurationLimits.sitesMax)")
            return []
        }
        return entries.map { entry in
            var (check, value) = (ShapeCheck(findings: Findings()), entry.value)
            check.check(&value, .object(.describedSite), quoted(entry.key))
            var site = WrittenSite(
                name: entry.key, value: value, position: entry.position, findings: check.findings)
            site.checkName("the name of a site: ")
            return site
        }
    }

    /// The sites of a directory, in the order of their names; nil if there is no `sites`.
    mutating func readSites(_ value: Value?) -> [WrittenSite]? {
        guard let value else { return nil }
        guard let pattern = value.text else { return [] }
        let path = String(pattern.dropLast(siteFiles.count))
        guard pattern.hasSuffix(siteFiles),
            let directory = reference(Value(content: .text(path), position: value.position))
        else { return [] }
        sitesDirectory = directory
        let names = siteNames(in: directory)
        if names.count > ConfigurationLimits.sitesMax {
            findings.error(
                .tooMany, at: value.position,
                "\(quoted(directory.path)) has \(names.count) sites, may have "
                    + "\(ConfigurationLimits.sitesMax)")
            return []
        }
        return names.map { readSiteFile("\(directory.path)/\($0).yaml", name: $0) }
    }

    private mutating func siteNames(in directory: FileReference) -> [String] {
        let tree = findTree(under: directory.path)
        for fault in tree.faults {
            findings.error(
                .fileUnreadable, at: directory.position,
                "directory \(quoted(directory.path)) of sites cannot be read: \(fault.words)",
                advice: "create the directory with a file for each site")
        }
        let names = tree.files.map(\.relativePath).filter {
            !$0.utf8.contains(UInt8(ascii: "/")) && $0.hasSuffix(".yaml")
        }.map { String($0.dropLast(".yaml".utf8.count)) }
        for file in tree.files.map(\.relativePath) where file.hasSuffix(".yml") {
            findings.warning(
                .unusedKey, at: directory.position,
                "\(quoted("\(directory.path)/\(file)")) is not read, because names of sites' files "
                    + "end in .yaml", advice: "rename it")
        }
        if names.isEmpty, tree.faults.isEmpty {
            findings.error(
                .missingKey, at: directory.position,
                "directory \(quoted(directory.path)) has no file that ends in .yaml",
                advice: "write a file for each site, with the name of the site")
        }
        return names.sorted()
    }

    private func readSiteFile(_ path: String, name: String) -> WrittenSite {
        let start = SourcePosition(file: path, line: 1, column: 1)
        var findings = Findings()
        var value: Value?
        do throws(FileError) {
            let bytes = try readFile(path, bytesMax: ConfigurationLimits.fileBytesMax).bytes
            if var read = YAMLDocument.read(bytes, file: path, into: &findings) {
                var check = ShapeCheck(findings: findings)
                check.check(&read, .object(.describedSite), "the site")
                (findings, value) = (check.findings, read)
            }
        } catch {
            findings.error(.fileUnreadable, at: start, "the site cannot be read: \(error)")
        }
        var site = WrittenSite(
            name: name, value: value ?? Value(content: .mapping([]), position: start),
            position: start, findings: findings, isReadable: value != nil)
        site.checkName("the name of a site's file is the name of the site: ")
        return site
    }

    // MARK: One site in every environment

    /// Reads a site in every environment, by their names.
    mutating func readSite(
        _ site: WrittenSite, shared: Value, _ chains: [(entry: Value.Entry, chain: [Value.Entry])]
    ) -> [String: Site] {
        findings = site.findings
        siteName = site.name
        guard site.isReadable else { return [:] }
        let merged = [shared["site"], site.value["site"]].compactMap(\.self).flatMap(\.entries)
        presentation = Presentation()
        readPresentation(merged.isEmpty ? nil : Self.nearest(merged, at: site.position))
        // Its own links come before those of all sites.
        let sharedLinks = webLinks
        webLinks = []
        readInventory(site.value)
        webLinks += sharedLinks
        checkEnvironmentNames(site.value["environments"])
        var read = [String: Site]()
        for (entry, chain) in chains {
            let layers = layers(of: site.value, chain)
            let described = DescribedSite(
                name: site.name, environment: entry.key, position: site.position)
            read[entry.key] = readSite(inherit(layers, at: site.position), described)
        }
        return read
    }

    /// What a site inherits from, the nearest first. What it sets for an environment comes before
    /// that environment. Its own keys come before those of the environment that extends none: so an
    /// environment such as `dev` can change what a site sets for all.
    private func layers(of site: Value, _ chain: [Value.Entry]) -> [Value] {
        let own = site["environments"]
        let keys = Set(Shape.siteKeys.map(\.name))
        let forAll = site.entries.filter { keys.contains($0.key) }
        var layers = [Value]()
        for (index, environment) in chain.enumerated() {
            if let value = own?[environment.key] { layers.append(value) }
            if index == chain.count - 1 {
                layers.append(Value(content: .mapping(forAll), position: site.position))
            }
            layers.append(environment.value)
        }
        return layers
    }

    private mutating func checkEnvironmentNames(_ value: Value?) {
        for entry in value?.entries ?? [] where environments[entry.key] == nil {
            reportUnknown(
                "environment", entry.key, at: entry.position, among: environments.keys)
        }
    }

    /// Reports hosts that two sites of an environment have. Both have a fault, because only their
    /// owners know whose it is.
    /// - Returns: the finding for each of these sites.
    func duplicateHosts(_ sites: [Site]) -> [(site: Site, fault: Diagnostic)] {
        var owners = [String: Site]()
        var known = Set<String>()
        var faults = [(site: Site, fault: Diagnostic)]()
        for site in sites {
            for host in site.hostPatterns {
                guard let other = owners[host] else {
                    owners[host] = site
                    continue
                }
                for (first, second) in [(site, other), (other, site)] {
                    guard let name = first.name, known.insert(name).inserted else { continue }
                    let fault = Diagnostic(
                        .error, .duplicateHost, at: first.hostsPosition ?? first.position,
                        "host \(quoted(host)) belongs to two sites of \(quoted(site.environment)): "
                            + "\(quoted(name)) and \(quoted(second.name ?? ""))",
                        advice: "remove it from one of them")
                    faults.append((first, fault))
                }
            }
        }
        return faults
    }
}

private let siteFiles = "/*.yaml"

extension FileTreeError {
    fileprivate var words: String {
        switch self {
        case .unreadable(_, .missing): "it does not exist"
        case .unreadable(_, let reason): "\(reason)"
        case .unreadableEntry(let path, let reason): "\(quoted(path)): \(reason)"
        case .dangling(let path): "\(quoted(path)) is a symbolic link to nothing"
        case .escapes(let path, _), .hidden(let path, _):
            "\(quoted(path)) is a symbolic link out of it"
        case .notUTF8(let path): "the name of \(quoted(path)) is not UTF-8"
        default: "\(self)"
        }
    }
}
