/// The effects on an app that a script, or the program of a plugin, may have besides those that the readers of scripts know. A name that is called,
/// handed on, or made of is harmless if it is one of `GradleNames.harmless`, or if the project defines it, because its
/// definition is looked at, too. A name that is only read changes nothing, and one that is set does so if it is one of
/// `GradleNames.writing`.
struct UnknownEffects {
    /// The functions and types that it defines, and its variables in `ext`.
    let defined: Set<[UInt8]>
    /// The names that are not known to be harmless, each once, in the order in which they stand, and none of `defined`.
    let names: [[UInt8]]
    /// Whether it names files or projects outside of its module.
    let reachesOut: Bool
    /// Whether it applies plugins or scripts there.
    let appliesOutside: Bool

    /// - Parameters:
    ///   - isOfModule: whether it is the script of a module, or one that this applies, whose application IDs, flavors,
    ///     variants and source sets are read.
    ///   - isOfSettings: whether it is the program of a plugin of settings.
    init(_ tokens: [GradleToken], isOfModule: Bool, isOfSettings: Bool = false) {
        self.init(
            UnknownNameReader(
                tokens, isOfModule: isOfModule, isOfSettings: isOfSettings, outer: []))
    }

    init(_ reader: UnknownNameReader) {
        var reader = reader
        reader.read()
        defined = reader.defined
        names = reader.names.filter { !reader.defined.contains($0) }
        (reachesOut, appliesOutside) = (reader.reachesOut, reader.appliesOutside)
    }

    /// The file, if it has a name that is not known.
    /// - Parameter isDefined: whether another file of the project defines a name.
    func source(_ file: String, _ isDefined: ([UInt8]) -> Bool) -> UnreadSource? {
        let unknown = names.filter { !isDefined($0) }.map { String(decoding: $0, as: UTF8.self) }
        guard !unknown.isEmpty else { return nil }
        let verb = unknown.count == 1 ? "is" : "are"
        return UnreadSource(
            file, "it uses \(enumerated(unknown)), which \(verb) not known", isRead: true)
    }
}
