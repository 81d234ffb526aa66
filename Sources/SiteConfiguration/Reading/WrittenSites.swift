import Diagnostics
private import Files

/// The sites of a configuration, before anything is inherited: each is a mapping under `sites`, or a
/// file of the directory that it names.
struct WrittenSites {
    /// In the order of the mapping, or of their names.
    private(set) var list = [WrittenSite]()
    /// The directory whose files describe them; nil for a mapping.
    private(set) var directory: FileReference?

    /// Reads the sites of a mapping.
    init(mapping: Value, into findings: inout Findings) {
        let entries = mapping.entries
        guard (1...ConfigurationLimits.sitesMax).contains(entries.count) else {
            findings.error(
                entries.isEmpty ? .unsetValue : .tooMany, at: mapping.position,
                "\"sites\" has \(entries.count) sites, must have 1 to "
                    + "\(ConfigurationLimits.sitesMax)")
            return
        }
        list = entries.map { WrittenSite($0) }
    }

    /// Reads the sites of a directory; nil if there is no `sites`.
    init?(pattern value: Value?, _ base: PathBase, into findings: inout Findings) {
        guard let value else { return nil }
        guard let pattern = value.text, pattern.hasSuffix(siteFiles) else { return }
        let path = String(pattern.dropLast(siteFiles.count))
        let named = base.reference(Value(content: .text(path), position: value.position))
        guard let directory = named else { return }
        self.directory = directory
        let names = Self.names(in: directory, into: &findings)
        if names.count > ConfigurationLimits.sitesMax {
            findings.error(
                .tooMany, at: value.position,
                "\(quoted(directory.path)) has \(names.count) sites, may have "
                    + "\(ConfigurationLimits.sitesMax)")
            return
        }
        list = names.map { WrittenSite(path: "\(directory.path)/\($0).yaml", name: $0) }
    }

    /// The files of the sites that have their own.
    var files: [String] { directory == nil ? [] : list.map(\.position.file) }

    private static func names(
        in directory: FileReference, into findings: inout Findings
    ) -> [String] {
        let tree = findTree(under: directory.path)
        for fault in tree.faults {
            findings.error(
                .fileUnreadable, at: directory.position,
                "directory \(quoted(directory.path)) of sites cannot be read: \(fault.fact)",
                advice: tree.isOfMissing
                    ? "create the directory with a file for each site" : fault.advice)
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
}

/// A site as it is written, before anything is inherited.
struct WrittenSite {
    let name: String
    let value: Value
    let position: SourcePosition
    /// The findings about it, before anything is inherited.
    var findings = Findings()
    /// Whether there is anything to read.
    var isReadable = true
    /// Of the file that describes it; nil for a site of the configuration itself.
    var digest: ConfigurationDigest?

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

extension WrittenSite {
    fileprivate init(_ entry: Value.Entry) {
        var (check, value) = (ShapeCheck(findings: Findings()), entry.value)
        check.check(&value, .object(.describedSite), quoted(entry.key))
        self.init(name: entry.key, value: value, position: entry.position, findings: check.findings)
        checkName("the name of a site: ")
    }

    /// Reads the file of a site.
    fileprivate init(path: String, name: String) {
        let start = SourcePosition(file: path, line: 1, column: 1)
        var findings = Findings()
        var value: Value?
        var digest = ConfigurationDigest()
        do throws(FileError) {
            let bytes = try readFile(path, bytesMax: ConfigurationLimits.fileBytesMax).bytes
            digest.add(Array(name.utf8))
            digest.add(bytes)
            if var read = YAMLDocument.read(bytes, file: path, into: &findings) {
                var check = ShapeCheck(findings: findings)
                check.check(&read, .object(.describedSite), "the site")
                (findings, value) = (check.findings, read)
            }
        } catch {
            findings.error(.fileUnreadable, at: start, "the site cannot be read: \(error)")
        }
        self.init(
            name: name, value: value ?? Value(content: .mapping([]), position: start),
            position: start, findings: findings, isReadable: value != nil, digest: digest)
        checkName("the name of a site's file is the name of the site: ")
    }

    /// The values that a site inherits from, the nearest first. What it sets for an environment
    /// comes before that environment. Its own keys come before those of the environment that
    /// extends none: so an environment such as `dev` can change what a site sets for all.
    func layers(in chain: EnvironmentChain) -> [Value] {
        let own = value["environments"]
        let keys = Set(Shape.siteKeys.map(\.name))
        let forAll = value.entries.filter { keys.contains($0.key) }
        var layers = [Value]()
        for (index, environment) in chain.entries.enumerated() {
            if let set = own?[environment.key] { layers.append(set) }
            if index == chain.entries.count - 1 {
                layers.append(Value(content: .mapping(forAll), position: value.position))
            }
            layers.append(environment.value)
        }
        return layers
    }
}

private let siteFiles = "/*.yaml"
