import Associations
import Diagnostics
private import JSONSyntax

extension PageExamination {
    var universalLinks: [ItemResult] { [aasaServed, aasaValid, aasaMatch, aasaCanonical] }
    var appLinks: [ItemResult] {
        [assetlinksServed, assetlinksValid, assetlinksApp, assetlinksPath]
    }

    private var noAASA: String {
        input.aasa == nil
            ? "apple-app-site-association was not looked at; name it with --aasa"
            : "apple-app-site-association is not there"
    }

    private var noAssetLinks: String {
        input.assetlinks == nil
            ? "assetlinks.json was not looked at; name it with --assetlinks"
            : "assetlinks.json is not there"
    }

    // MARK: Universal links

    private var aasaServed: ItemResult {
        if let site = input.site, !site.apps.contains(where: { $0.appID != nil }) {
            return ReportItem.aasaServed.notApplicable("the environment publishes no iOS app")
        }
        return served(.aasaServed, input.aasa, missing: noAASA)
    }

    private func served(_ item: ReportItem, _ file: FetchedFile?, missing: String) -> ItemResult {
        guard let file else { return item.notApplicable(missing) }
        guard let response = file.response else {
            return item.notApplicable("the file was read from a disk")
        }
        guard response.status == 200 else {
            let target = response["Location"].map { " to \(quoted($0))" } ?? ""
            return item.required("\(response.status)\(target)")
        }
        let type = response["Content-Type"] ?? ""
        let isJSON = type.lowercased().utf8.starts(with: "application/json".utf8)
        return isJSON || file.bytes.first == 0x30
            ? item.pass("200, \(type), \(file.bytes.count) bytes")
            : item.recommended("its type is \(quoted(type)), should be application/json")
    }

    private var aasaValid: ItemResult {
        guard let aasa else { return ReportItem.aasaValid.notApplicable(noAASA) }
        if aasa.json.byteCount > AssociationFile.bytesMax {
            return ReportItem.aasaValid.required(
                "\(aasa.json.byteCount) bytes, may have \(AssociationFile.bytesMax)")
        }
        return form(.aasaValid, aasa.diagnostics)
    }

    /// The result for the findings of a file's reader.
    private func form(_ item: ReportItem, _ diagnostics: [Diagnostic]) -> ItemResult {
        let grave = diagnostics.filter { $0.severity > .note }
        guard let worst = grave.first(where: { $0.severity == .error }) ?? grave.first else {
            return item.pass("nothing is wrong with it")
        }
        let more = grave.count > 1 ? ", and \(grave.count - 1) more" : ""
        let position = worst.position.map { "line \($0.line): " } ?? ""
        let evidence = "\(position)\(worst.message) [\(worst.rule)]\(more)"
        return worst.severity == .error ? item.required(evidence) : item.recommended(evidence)
    }

    private var aasaMatch: ItemResult {
        let item = ReportItem.aasaMatch
        guard let matcher else { return item.notApplicable(noAASA) }
        guard let url else { return item.notApplicable(Self.noAddress) }
        guard url.isSecure else { return item.required("the address is plain HTTP") }
        let verdicts = matcher.verdicts(for: url)
        let opening = verdicts.filter { $0.verdict == .open }
        guard let first = opening.first else {
            guard let verdict = verdicts.first(where: { $0.verdict == .exclude }) ?? verdicts.first
            else { return item.required("the file lists no app") }
            return item.required(verdict.description)
        }
        let names = opening.map(\.description).joined(separator: "; ")
        let caveats = first.caveats.map(\.description)
        return item.pass(
            names + (caveats.isEmpty ? "" : "; to know: \(caveats.joined(separator: "; "))"))
    }

    private var aasaCanonical: ItemResult {
        let item = ReportItem.aasaCanonical
        guard let matcher else { return item.notApplicable(noAASA) }
        guard let url else { return item.notApplicable(Self.noAddress) }
        let apps = matcher.opens(url)
        guard !apps.isEmpty else { return item.notApplicable("no app opens the page itself") }
        let shared = page.meta("og:url").flatMap { resolve($0.content, against: base) }
        for (name, other) in [("the canonical address", canonical), ("og:url", shared)] {
            guard let other, !other.pageAddress.isScalarwise(url.pageAddress) else { continue }
            guard answers(other.host) else {
                return item.recommended(
                    "\(name) is of another host, \(quoted(other.host)), with rules of its own")
            }
            let lost = Set(apps).subtracting(matcher.opens(other))
            guard let app = lost.min() else { continue }
            return item.recommended(
                "\(name), \(quoted(other.description)), does not open \(matcher.apps[app].appID)")
        }
        return item.pass("what people share opens the same apps")
    }

    /// Whether the host has the association file that was read.
    func answers(_ host: String) -> Bool {
        if let hosts = input.site?.hosts { return hosts.contains { $0.isScalarwise(host) } }
        return url?.host.isScalarwise(host) ?? false
    }

    // MARK: App Links

    private var assetlinksServed: ItemResult {
        if let site = input.site, !site.apps.contains(where: { $0.package != nil }) {
            return ReportItem.assetlinksServed.notApplicable(
                "the environment publishes no Android app")
        }
        return served(.assetlinksServed, input.assetlinks, missing: noAssetLinks)
    }

    private var assetlinksValid: ItemResult {
        guard let assetlinks else { return ReportItem.assetlinksValid.notApplicable(noAssetLinks) }
        return form(.assetlinksValid, assetlinks.diagnostics)
    }

    /// The Android apps that the page and the configuration name.
    private var wantedPackages: [String] {
        var wanted = [String]()
        for package in packages.map(\.id) + (input.site?.apps.compactMap(\.package) ?? [])
        where !wanted.contains(where: package.isScalarwise) { wanted.append(package) }
        return wanted
    }

    private var assetlinksApp: ItemResult {
        let item = ReportItem.assetlinksApp
        guard let assetlinks else { return item.notApplicable(noAssetLinks) }
        let granted = assetlinks.ruleSet.apps.map(\.appID)
        let wanted = wantedPackages
        let missing = wanted.filter { package in !granted.contains(where: package.isScalarwise) }
        if wanted.isEmpty ? granted.isEmpty : !missing.isEmpty, let include = firstInclude {
            return item.notApplicable("it depends on \(quoted(include)), which the file includes")
        }
        guard !wanted.isEmpty else {
            return granted.isEmpty
                ? item.required("no statement lets an app open links")
                : item.pass("\(granted.joined(separator: ", ")); the page names none")
        }
        return missing.isEmpty
            ? item.pass(wanted.map { quoted($0) }.joined(separator: ", "))
            : item.required("no statement lets \(quoted(missing[0])) open links")
    }

    /// A file that assetlinks.json includes, which is not looked at.
    private var firstInclude: String? {
        assetlinks.flatMap { PublishedAssetLinks(json: $0.json).missingIncludes.first }
    }

    private var assetlinksPath: ItemResult {
        let item = ReportItem.assetlinksPath
        guard let assetlinks else { return item.notApplicable(noAssetLinks) }
        guard let url else { return item.notApplicable(Self.noAddress) }
        let wanted = wantedPackages
        let verdicts = assetlinks.matcher.verdicts(for: url).filter { verdict in
            wanted.isEmpty || wanted.contains(where: verdict.appID.isScalarwise)
        }
        guard !verdicts.isEmpty else { return item.notApplicable("no app is let open links") }
        if let closed = verdicts.first(where: { $0.verdict != .open }) {
            return item.required(closed.description)
        }
        let ruled = verdicts.filter { $0.rule?.index != nil }
        return item.pass(
            ruled.first?.description
                ?? "there are none; the app's manifest decides, which is not looked at")
    }
}
