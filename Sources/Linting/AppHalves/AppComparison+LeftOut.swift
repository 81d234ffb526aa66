import AppFiles
import Diagnostics

// The apps of source beside which others of the same files are compared.

extension AppComparison {
    /// The apps that are not compared, because a site lists others of the same file, and that have no agreement, for people.
    /// Whoever names an app leaves the others out.
    package func leftOut(of declarations: [AppDeclaration]) -> [String] {
        let (left, compared) = parts(of: declarations)
        return left.filter { !compared.miss($0, elsewhere) }.map(\.name)
    }

    /// Adds the apps that nobody compared although they are probably those that people have: the site lists only builds for
    /// developers.
    func addLeftOut(
        to agreements: inout [AppAgreement],
        _ files: [(file: String, declarations: [AppDeclaration])]
    ) {
        var known = Set(
            agreements.compactMap { agreement in agreement.app.map { Array($0.utf8) } })
        for (file, declarations) in files {
            let (left, compared) = parts(of: declarations)
            for part in left where compared.miss(part, elsewhere) {
                guard known.insert(Array(part.app.utf8)).inserted else { continue }
                agreements.append(part.agreement(in: file, beside: compared))
            }
        }
    }

    /// The apps of a file that are not compared, and those that a site lists in their place.
    private func parts(
        of declarations: [AppDeclaration]
    ) -> (left: [SourceApp], compared: ComparedApps) {
        guard claimed.ios == nil, claimed.android == nil else { return ([], ComparedApps([])) }
        let compared = self.compared(declarations).compactMap { SourceApp($0) }
        let names = Set(compared.map { Array($0.name.utf8) })
        let left = declarations.compactMap { SourceApp($0) }.filter { part in
            !names.contains(Array(part.name.utf8))
        }
        guard !left.isEmpty else { return ([], ComparedApps([])) }
        // The manifest of a flavour's source set, or the entitlements of a configuration, do not have the others.
        var seen = names
        let others = left.flatMap(\.others).filter { part in
            isListed(part) && seen.insert(Array(part.name.utf8)).inserted
        }
        return (left, ComparedApps(compared + others))
    }

    private func isListed(_ part: SourceApp) -> Bool {
        part.isOfApple
            ? listedBundles.contains(Array(part.identifier.utf8))
            : sites.contains { $0.lists(package: part.identifier) }
    }
}

/// The apps of a file with which a site is compared.
private struct ComparedApps {
    private var ofApple = Side()
    private var ofAndroid = Side()

    private struct Side {
        var identifiers = [String]()
        /// The identifiers that begin one of them, up to a full stop.
        var beginnings = Set<[UInt8]>()
        /// Whether all are builds for developers.
        var isForDevelopers = true
    }

    init(_ apps: [SourceApp]) {
        for app in apps {
            // Moved out and back, so that nothing is copied.
            var side = app.isOfApple ? ofApple : ofAndroid
            if app.isOfApple { ofApple = Side() } else { ofAndroid = Side() }
            side.identifiers.append(app.identifier)
            let bytes = Array(app.identifier.utf8.prefix(Self.bytesMax))
            for index in bytes.indices where bytes[index] == UInt8(ascii: ".") {
                side.beginnings.insert(Array(bytes[..<index]))
            }
            if !app.isForDevelopers { side.isForDevelopers = false }
            if app.isOfApple { ofApple = side } else { ofAndroid = side }
        }
    }

    /// Whether an app that the site does not list is probably the one that people have: the site lists only builds for
    /// developers, or an app whose identifier begins with that of this one.
    func miss(_ app: SourceApp, _ elsewhere: Set<String>) -> Bool {
        let side = app.isOfApple ? ofApple : ofAndroid
        guard app.isOfPeople, !side.identifiers.isEmpty, !elsewhere.contains(app.identifier)
        else { return false }
        return side.beginnings.contains(Array(app.identifier.utf8))
            || side.isForDevelopers && !app.isForDevelopers
    }

    /// The identifiers that are compared in the place of an app's, for people.
    func names(insteadOf app: SourceApp) -> String {
        var seen = Set<String>()
        let all = (app.isOfApple ? ofApple : ofAndroid).identifiers
        return but(all.filter { seen.insert($0).inserted })
    }

    /// No system installs an app with a longer identifier.
    private static let bytesMax = 255
}

/// An app of source, as a flavour, or the configurations of a target, build it.
private struct SourceApp {
    let isOfApple: Bool
    /// Without a prefix.
    let identifier: String
    /// With its prefix, as far as it is known.
    let app: String
    /// The flavour or target, for people; nil if there is none.
    let label: String?
    /// The names of its flavour or configurations.
    let builds: [String]
    let platform: AppAgreement.Platform
    let place: TextPlace?
    /// Whether it is an app, and no extension or app of a watch.
    let isOfPeople: Bool
    /// The other apps of the same project, without more than their identifiers.
    var others = [SourceApp]()

    /// Nil for what says no identifier.
    init?(_ declaration: AppDeclaration) {
        switch declaration {
        case .apple(let app):
            guard let use = app.use, let bundle = use.bundleIdentifier else { return nil }
            (isOfApple, identifier) = (true, bundle)
            self.app = app.identifier(claimed: nil) ?? bundle
            (label, builds) = (use.description, use.configurations)
            (platform, place) = (app.isForMac ? .macos : .ios, app.place)
            isOfPeople = use.isOfApp && !use.isOfOtherDevice && !app.isClip
            others = use.others.map { SourceApp(identifier: $0, isOfApple: true) }
        case .android(let app):
            guard let id = app.applicationID, app.kind == .source else { return nil }
            (isOfApple, identifier, self.app) = (false, id, id)
            (label, builds) = (
                app.flavor.map { "flavor \($0)" }, [app.flavor].compactMap(\.self)
            )
            (platform, place) = (.android, app.place)
            isOfPeople = app.device == nil
            others = app.others.map { SourceApp(identifier: $0, isOfApple: false) }
        case .key, .program: return nil
        }
    }

    private init(identifier: String, isOfApple: Bool) {
        (self.identifier, app, self.isOfApple) = (identifier, identifier, isOfApple)
        (label, builds, place, isOfPeople) = (nil, [], nil, true)
        platform = isOfApple ? .ios : .android
    }

    /// For people.
    var name: String {
        (label.map { "\($0): " } ?? "") + "\(identifier) (\(platform.name))"
    }

    /// Whether its names say that it is no build for everybody.
    var isForDevelopers: Bool {
        let last = identifier.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }.reversed()
        return isOfDevelopers(String(decoding: Array(last), as: UTF8.self))
            || !builds.isEmpty && builds.allSatisfy(isOfDevelopers)
    }

    func agreement(in file: String, beside compared: ComparedApps) -> AppAgreement {
        let rule: RuleName = isOfApple ? .appNotListed : .packageNotListed
        var found = AppFindings(file: file)
        found.add(
            .warning, rule, place,
            "the site does not list \(quoted(identifier))\(label.map { " (\($0))" } ?? "")"
                + compared.names(insteadOf: self)
                + " of the same project",
            advice:
                "publish it, or give its site; if it has none, say with --app which app is meant"
        )
        return AppAgreement(
            app: app, platform: platform, source: label.map { "\(file): \($0)" } ?? file,
            findings: found.list, opening: [rule])
    }
}

/// Whether a name, such as that of a flavour, has a word for builds that only developers and testers have.
private func isOfDevelopers(_ name: String) -> Bool {
    var words = [[UInt8]]()
    var word = [UInt8]()
    var wasSmall = false
    for byte in name.utf8 {
        let isCapital = (0x41...0x5A).contains(byte)
        let isLetter = isCapital || (0x61...0x7A).contains(byte)
        if !isLetter || isCapital && wasSmall {
            words.append(word)
            word = []
        }
        if isLetter { word.append(byte | 0x20) }
        wasSmall = isLetter && !isCapital
    }
    return (words + [word]).contains(where: developerWords.contains)
}

private let developerWords = Set(
    [
        "alpha", "beta", "canary", "debug", "demo", "dev", "develop", "developer", "development",
        "internal", "local", "mock", "nightly", "preprod", "preview", "qa", "sandbox", "sit",
        "stage", "staging", "stg", "test", "testing", "uat",
    ].map { Array($0.utf8) })
