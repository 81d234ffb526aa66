/// The directories of a module that Gradle does not read, although others have source sets there: the module itself, as in
/// old projects, beside `src/main`, and `src/androidMain` without Kotlin Multiplatform (Kotlin, "Android source set
/// layout").
struct UnbuiltSourceSets {
    private var directories = Set<[UInt8]>()

    init() {}

    /// - Parameters:
    ///   - directory: that of the module.
    ///   - manifests: the names of its manifests.
    ///   - words: those of its scripts, all of which were read.
    init(of directory: String, _ manifests: [String], _ words: SourceSetWords) {
        let path = directory.isEmpty ? "" : "\(directory)/"
        let usual = Array("\(path)src/main/AndroidManifest.xml".utf8)
        guard manifests.contains(where: { usual.elementsEqual($0.utf8) }) else { return }
        if !words.namesManifest { directories.insert(Array(directory.utf8)) }
        if !words.isMultiplatform { directories.insert(Array("\(path)src/androidMain".utf8)) }
    }

    /// - Parameter parts: those of a directory's path.
    func contain(_ parts: ArraySlice<String>) -> Bool {
        !directories.isEmpty && directories.contains(Array(parts.joined(separator: "/").utf8))
    }
}

/// The words of a module's scripts that say which directories have source sets.
final class SourceSetWords {
    /// Whether a text is the manifest of a module itself.
    private(set) var namesManifest = false
    /// Whether something is of Kotlin Multiplatform.
    var isMultiplatform = false

    /// Takes the bytes of a script.
    func take(_ script: [UInt8]) {
        let text = String(decoding: script, as: UTF8.self)
        if holds("\"AndroidManifest.xml", in: text) || holds("'AndroidManifest.xml", in: text) {
            namesManifest = true
        }
        if holds("ultiplatform", in: text) || holds("src/androidMain/res", in: text) {
            isMultiplatform = true
        }
    }
}
