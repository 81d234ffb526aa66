/// The flavours and build types of a Gradle script, whose names are those of source sets (Android, "Configure build
/// variants").
struct SourceSetNames {
    private let flavors: Set<String>
    private let buildTypes: Set<String>
    private let others: Others

    /// The source sets that the script does not name.
    enum Others {
        /// No build has them: the script names all flavours and build types.
        case none
        /// A plugin or another script may have flavours, so it is not known.
        case open
        /// The script has flavours that are not all known, and releases may have them.
        case released
    }

    /// - Parameter buildTypes: those beside that of releases.
    init(flavors: [String] = [], buildTypes: Set<String> = [], others: Others = .released) {
        (self.flavors, self.buildTypes, self.others) = (Set(flavors), buildTypes, others)
    }

    /// The name of a source set without the word that Kotlin Multiplatform writes before those for Android: `main` for
    /// `androidMain` (Kotlin, "Android source set layout").
    func plain(_ name: String) -> String {
        let rest = name.utf8.dropFirst(7)
        guard name.utf8.starts(with: "android".utf8), let first = rest.first,
            (0x41...0x5A).contains(first), !flavors.contains(name), !buildTypes.contains(name)
        else { return name }
        return String(decoding: [first | 0x20] + Array(rest.dropFirst()), as: UTF8.self)
    }

    /// Whether Gradle reads a source set for the release of a flavour. One that the script does not name counts as such
    /// where other scripts can name it.
    func mayBeOfRelease(_ written: String) -> Bool {
        isOfRelease(plain(written)) ?? (others == .released)
    }

    /// Whether it is not known if any release has a source set.
    func isOpen(_ written: String) -> Bool {
        isOfRelease(plain(written)) == nil && others == .open
    }

    /// - Returns: nil for one that the script does not name.
    private func isOfRelease(_ name: String) -> Bool? {
        if name == "main" || name == "release" || flavors.contains(name) { return true }
        let isOfDebugBuilds = name.utf8.count > 5 && name.utf8.suffix(5).elementsEqual("Debug".utf8)
        if buildTypes.contains(name) { return isGradleProduction(name) }
        if name == "debug" || isOfDebugBuilds { return false }
        let bytes = name.utf8
        // `prodStaging` is of the flavour `prod`, in builds of the type `staging`.
        for end in bytes.indices.dropFirst() {
            let flavor = String(Substring(bytes[..<end]))
            guard flavors.contains(flavor) else { continue }
            let type = bytes[end...]
            if type.elementsEqual("Release".utf8) { return true }
            let small = type.first.map { [$0 | 0x20] } ?? []
            let word = String(decoding: small + Array(type.dropFirst()), as: UTF8.self)
            if buildTypes.contains(word) { return isGradleProduction(word) }
        }
        return nil
    }
}

/// Whether a build type beside that of releases is for everybody by its name, such as `production`. `preProduction` is for
/// testers.
func isGradleProduction(_ name: String) -> Bool {
    let word = letters(of: name.utf8)
    if ["prod", "live", "store"].contains(word) { return true }
    let holdsWord = { (part: StaticString) in holds(part, in: word) }
    guard !["debug", "profile", "test", "stag"].contains(where: holdsWord),
        !["pre", "non", "not"].contains(where: { word.utf8.starts(with: $0.utf8) })
    else { return false }
    return ["production", "appstore", "playstore", "distribution"].contains(where: holdsWord)
}
