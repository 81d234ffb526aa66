private import Diagnostics

// The files of a checkout that are read, by their names.

/// The parts of a path between its slashes.
func pathParts(_ name: String) -> [String] {
    name.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
}

/// Whether a file is read without being named: files for tests and of other projects are not, and what a
/// build has left is not the release.
func isOfApp(_ parts: [String]) -> Bool {
    guard let name = parts.last else { return false }
    if name == "AndroidManifest.xml" { return mayBeOfRelease(parts.dropLast()) }
    if ["app.json", "app.config.json", "Info.plist", "Entitlements.plist"].contains(name)
        || isExpoProgram(name)
    {
        return true
    }
    if name == "project.pbxproj" {
        return parts.count > 1
            && parts[parts.count - 2].utf8.suffix(10).elementsEqual(".xcodeproj".utf8)
    }
    return [".entitlements", ".ipa", ".apk", ".aab"].contains { ending in
        name.utf8.count > ending.utf8.count
            && name.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }
}

/// The directory of the module with a source set, such as `app` of `app/src/main`; in old projects it is the
/// directory itself.
func moduleDirectory(of sourceSet: ArraySlice<String>) -> String {
    let isInSource = sourceSet.count >= 2 && sourceSet[sourceSet.endIndex - 2] == "src"
    return sourceSet.dropLast(isInSource ? 2 : 0).joined(separator: "/")
}

/// The name of the source set with a directory such as `app/src/main`. In old projects, whose source set is the module
/// itself, it is `main`.
func sourceSetName(_ directory: ArraySlice<String>) -> String {
    guard directory.count >= 2, directory[directory.endIndex - 2] == "src" else { return "main" }
    return directory.last ?? ""
}

/// The module of a file such as `app/src/main/res/values/strings.xml`, and whether its directory is for languages, screens or modes of
/// some devices.
func moduleOfValues(_ parts: [String]) -> (module: String, isOfDevices: Bool)? {
    let sourceSet = parts.dropLast(3)
    guard parts.count >= 3, parts[parts.count - 3] == "res",
        parts[parts.count - 1].utf8.suffix(4).elementsEqual(".xml".utf8),
        mayBeOfRelease(sourceSet)
    else { return nil }
    let directory = parts[parts.count - 2].utf8
    guard directory.elementsEqual("values".utf8) || directory.starts(with: "values-".utf8) else {
        return nil
    }
    let version = directory.dropFirst(8)
    let isOfVersion =
        directory.dropFirst(7).first.map { $0 == UInt8(ascii: "v") } ?? true
        && version.allSatisfy { (0x30...0x39).contains($0) }
    return (moduleDirectory(of: sourceSet), !isOfVersion)
}

/// Whether a file is Cordova's `config.xml` of an app, and no copy that Cordova makes for a platform.
func isOfCordova(_ parts: [String], _ name: String, _ files: BundleFiles) -> Bool {
    guard parts.last == "config.xml", parts.allSatisfy({ !cordovaDirectories.contains($0) }),
        let source = try? files.open(name),
        let beginning = try? source.read(min(source.count, 4_096), at: 0)
    else { return false }
    return CordovaConfiguration.isLikely(beginning)
}

func isExpoProgram(_ name: String) -> Bool {
    programEndings.contains { name.isScalarwise("app.config\($0)") }
}

let programEndings = [".js", ".ts", ".cjs", ".mjs", ".cts", ".mts"]
/// Beside those of packages, which no walk over a project enters.
let otherDirectories: Set = ["build"]
/// The directories of a checkout that are read although their names begin with a full stop: Cordova's old hooks.
package let hiddenCheckoutDirectories: Set = [".cordova"]
/// Those that Cordova and its plugins write.
private let cordovaDirectories: Set = ["platforms", "plugins", "res"]
/// Of Gradle and Flutter, whose files are not the release's.
private let otherSourceSets: Set = ["debug", "profile", "test", "androidTest"]

/// Whether what stands at a path, and was not read, can be a part of a build: of Gradle a script of a module or of settings,
/// `buildSrc`, or a source set with its manifest and values; and hooks of Cordova.
/// - Parameter has: whether the directory has a file.
package func mayBeOfBuild(_ path: String, _ has: (String) -> Bool) -> Bool {
    let parts = pathParts(path)
    guard let last = parts.last, parts.allSatisfy({ !otherDirectories.contains($0) }) else {
        return false
    }
    if (gradleBuildScripts + gradleSettingsScripts + ["buildSrc"]).contains(last) { return true }
    if parts.suffix(3).indices.contains(where: { index in
        let project = parts[..<index].map { "\($0)/" }.joined()
        return [".cordova", "hooks"].contains(parts[index])
            && ["config.xml", "www/config.xml"].contains { has(project + $0) }
    }) {
        return true
    }
    guard let source = parts.lastIndex(of: "src"), source + 1 < parts.count,
        mayBeOfRelease(parts[...(source + 1)])
    else { return false }
    let rest = parts[(source + 2)...]
    guard
        rest.isEmpty || rest.elementsEqual(["AndroidManifest.xml"]) || rest.elementsEqual(["res"])
            || rest.starts(with: ["res", "values"])
    else { return false }
    let module = parts[..<source].map { "\($0)/" }.joined()
    return gradleBuildScripts.contains { has(module + $0) }
}

/// Whether a source set, or a directory of one, can be that of a release. No flavour can have a name that begins like
/// those of tests (Android, "Configure build variants").
private func mayBeOfRelease(_ parts: ArraySlice<String>) -> Bool {
    guard parts.allSatisfy({ !otherSourceSets.contains($0) }) else { return false }
    guard parts.count >= 2, parts[parts.endIndex - 2] == "src", let name = parts.last?.utf8 else {
        return true
    }
    let isOfTests = [
        "test", "androidTest", "testFixtures", "androidUnitTest", "androidInstrumentedTest",
    ].contains { word in
        name.starts(with: word.utf8)
            && name.dropFirst(word.utf8.count).first.map { (0x41...0x5A).contains($0) } ?? true
    }
    return !isOfTests
}
