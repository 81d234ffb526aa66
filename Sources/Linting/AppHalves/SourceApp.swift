import AppFiles
import Diagnostics

/// An app of source, as a flavour, or the configurations of a target, build it.
struct SourceApp {
    let isOfApple: Bool
    /// Without a prefix.
    let identifier: String
    /// With its prefix, as far as it is known.
    let app: String
    /// The flavour or target, for people; nil if there is none.
    let label: String?
    /// The names of its flavour or configurations.
    let builds: [String]
    /// The target; nil for what is of none.
    let target: String?
    let platform: AppAgreement.Platform
    let place: TextPlace?
    /// Whether it is an app, and no extension or app of a watch.
    let isOfPeople: Bool
    /// The declaration that it is of; nil for one of others.
    private let declaration: AppDeclaration?
    /// The other apps of the same project, without more than their identifiers.
    var others = [SourceApp]()

    /// Nil for what says no identifier.
    init?(_ declaration: AppDeclaration) {
        switch declaration {
        case .apple(let app):
            guard let use = app.use, let bundle = use.bundleIdentifier else { return nil }
            (isOfApple, identifier) = (true, bundle)
            self.app = app.sourceIdentifier ?? bundle
            (label, builds, target) = (use.description, use.configurations, use.target)
            (platform, place) = (app.isForMac ? .macos : .ios, app.place)
            isOfPeople = use.isOfApp && !use.isOfOtherDevice && !app.isClip
            others = use.others.map { SourceApp(identifier: $0, isOfApple: true) }
        case .android(let app):
            guard let id = app.applicationID, app.kind == .source else { return nil }
            (isOfApple, identifier, self.app) = (false, id, id)
            (label, builds) = (app.flavor.map { "flavor \($0)" }, [app.flavor].compactMap(\.self))
            target = nil
            (platform, place) = (.android, app.place)
            isOfPeople = app.device == nil
            others = app.others.map { SourceApp(identifier: $0, isOfApple: false) }
        case .key, .program: return nil
        }
        self.declaration = declaration
    }

    private init(identifier: String, isOfApple: Bool) {
        (self.identifier, app, self.isOfApple) = (identifier, identifier, isOfApple)
        (label, builds, target, place, isOfPeople) = (nil, [], nil, nil, true)
        platform = isOfApple ? .ios : .android
        declaration = nil
    }

    /// The hosts that it asks devices to open links of.
    var hosts: [AppComparison.Host] { declaration.map(AppComparison.hosts) ?? [] }

    /// For people.
    var name: String { (label.map { "\($0): " } ?? "") + "\(identifier) (\(platform.name))" }

    /// Whether its names say that it is no build for everybody.
    var isForDevelopers: Bool {
        let last = identifier.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }.reversed()
        return isOfDevelopers(String(decoding: Array(last), as: UTF8.self))
            || !builds.isEmpty && builds.allSatisfy(isOfDevelopers)
            || target.map(isCalledOfDevelopers) == true
    }

    /// - Parameter other: an identifier that the site lists, and that may be misspelt; nil if none is.
    func agreement(
        in file: String, beside compared: ComparedApps, _ other: String? = nil
    ) -> AppAgreement {
        let rule: RuleName = isOfApple ? .appNotListed : .packageNotListed
        var found = AppFindings(file: file)
        found.add(
            .warning, rule, place,
            "the site does not list \(quoted(identifier))\(label.map { " (\($0))" } ?? "")"
                + compared.names(insteadOf: self)
                + " of the same project"
                + (other.map { " and \(quoted($0)), which no source here builds" } ?? ""),
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
    words(of: name).contains(where: developerWords.contains)
}

/// Whether the name of a target, such as `ShopDev`, ends with such a word. One that begins with it can be an app of
/// everybody, such as `LocalNews`.
private func isCalledOfDevelopers(_ target: String) -> Bool {
    let words = words(of: target)
    return words.count > 1 && developerWords.contains(words[words.count - 1])
}

/// The words of a name, in small letters.
private func words(of name: String) -> [[UInt8]] {
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
    return (words + [word]).filter { !$0.isEmpty }
}

private let developerWords = Set(
    [
        "alpha", "beta", "canary", "debug", "demo", "dev", "develop", "developer", "development",
        "internal", "local", "mock", "nightly", "pr", "preprod", "preview", "qa", "sandbox", "sit",
        "stage", "staging", "stg", "test", "testing", "uat",
    ].map { Array($0.utf8) })
