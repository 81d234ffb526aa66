// The manifests of a module, by their names.

extension SourceModule {
    /// The module as the source set of a manifest has it.
    func sourceSet(ofManifest name: String) -> SourceModule {
        sourceSet(sourceSetName(pathParts(name).dropLast()))
    }

    /// Whether Gradle may merge a manifest into a release.
    func isOfRelease(manifest name: String) -> Bool {
        isBuilt(manifest: name)
            && sourceSets.mayBeOfRelease(sourceSetName(pathParts(name).dropLast()))
    }

    /// Whether Gradle may read a manifest at all.
    func isBuilt(manifest name: String) -> Bool {
        !unbuilt.contain(pathParts(name).dropLast())
    }
}
