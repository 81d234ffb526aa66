import Diagnostics
private import Files

/// Makes a `Configuration` from the values of a configuration, or reports why it cannot. Values of the wrong
/// form were reported by `ShapeCheck`, and are ignored here.
struct SiteReader {
    let file: String
    let directory: String
    var findings = Findings()
    /// By the names that `publish` uses; nil for an app that is declared but has faults.
    var apps = [String: App?]()
    var links = [String: Link?]()
    var presentation = Presentation()
    /// Links with settings for the web, in the order of the file.
    var webLinks = [Link]()
    /// For each link, a lower bound for the bytes of its rules in any association file.
    var leastBytes = [String: Int]()
    /// By name, as written.
    var environments = [String: Value.Entry]()

    init(file: String, directory: String) {
        self.file = file
        self.directory = directory
    }

    mutating func read(_ bytes: [UInt8]) -> Configuration? {
        guard var root = YAMLDocument.read(bytes, file: file, into: &findings) else { return nil }
        var check = ShapeCheck(findings: findings)
        check.check(&root, .object(.configuration), "the configuration")
        findings = check.findings
        readPresentation(root["site"])
        let apps = (root["apps"]?.entries ?? []).compactMap { entry in
            let app = readApp(entry)
            self.apps[entry.key] = .some(app)
            return app
        }
        let links = (root["links"]?.entries ?? []).compactMap { entry in
            let link = readLink(entry)
            self.links[entry.key] = .some(link)
            if let link, link.web != nil || link.page != nil { webLinks.append(link) }
            leastBytes[entry.key] = link?.leastBytes
            return link
        }
        let environments = readEnvironments(root["environments"]?.entries ?? [])
            .withConfidentialFiles(of: file)
        let expectations = readExpectations(root["expect"], environments)
        return Configuration(
            file: file, environments: environments, apps: apps, links: links,
            expectations: expectations)
    }

    /// The file or directory that a value names, relative to the configuration's directory.
    func reference(_ value: Value?) -> FileReference? {
        guard let value, let path = value.text, !path.isEmpty else { return nil }
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        return FileReference(
            path: isAbsolute || directory == "." ? path : "\(directory)/\(path)",
            position: value.position)
    }

    /// - Parameter kind: the kind of the names: `app`.
    mutating func reportUnknown(
        _ kind: String, _ name: String, at position: SourcePosition,
        among known: some Sequence<String>
    ) {
        // Only searched for a finding that is kept, because a hostile file can name thousands.
        func advice() -> String? {
            let names = known.sorted()
            let nearest = nearestName(
                to: name, among: names.prefix(ConfigurationLimits.suggestionsMax))
            if let nearest { return didYouMean(nearest) }
            let areFew = (1...ConfigurationLimits.listedNamesMax).contains(names.count)
            return areFew ? listed(names, as: kind) : nil
        }
        findings.error(
            .unknownName, at: position, "there is no \(kind) \(quoted(name))", advice: advice())
    }
}
