extension GradleScript {
    /// An app that releases of the module are.
    struct Variant {
        let flavor: String?
        /// Nil where only the build knows it.
        let applicationID: String?
        /// The values of `${name}` in the manifest. Nil where only the build knows them.
        let placeholders: [[UInt8]: String?]
        /// The API level of the oldest version of Android; nil if the script does not set it. The inner value is nil where
        /// only the build knows it.
        var leastAPI: Int??
        /// The API level of the version that the app is made for; nil if it is not known.
        var targetAPI: Int?
        /// Whether the script may switch its release off.
        var mayBeOff = false
    }

    /// The apps that the literals say, with those marked whose releases may be switched off.
    var releases: [Variant] {
        var variants = variants
        let dropped = effects.filters.dropped(of: variants.compactMap(\.flavor))
        for index in variants.indices {
            let variant = variants[index]
            variants[index].mayBeOff =
                variant.flavor.map(dropped.contains)
                ?? (variant.applicationID != nil && effects.filters.dropRelease)
        }
        return variants
    }

    /// The facts for which nothing of the module is certain, clauses of their own.
    var facts: [String] { [excess].compactMap(\.self) + effects.facts }

    /// Whether resources stand in other directories, or may be written when the script runs.
    var hasOwnResources: Bool { effects.hasOwnResources || effects.writes.findsResources }
}
