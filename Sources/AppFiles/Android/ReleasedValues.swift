private import Diagnostics

/// The values of resources from one kind of source, such as files, in the source sets of a module that releases have.
struct ValueLayers {
    /// Those of all releases, such as those of `main`.
    private var main = SourceValues()
    /// Those of the build type, which take the place of a flavour's.
    private var release = SourceValues()
    private var ofFlavors = [String: SourceValues]()
    /// Those of the release of a flavour alone, such as those of `freeRelease`.
    private var ofReleases = [String: SourceValues]()
    /// Those of other source sets, of which it is not known what they take the place of: another build type can be one of
    /// releases, too.
    private(set) var others = SourceValues()

    /// Changes the values of a source set.
    mutating func change(
        _ sourceSet: String, _ flavors: [String], _ change: (inout SourceValues) -> Void
    ) {
        if sourceSet == "main" { return change(&main) }
        if sourceSet == "release" { return change(&release) }
        for flavor in flavors {
            if sourceSet.isScalarwise(flavor) {
                return change(&ofFlavors[flavor, default: SourceValues()])
            } else if sourceSet.isScalarwise("\(flavor)Release") {
                return change(&ofReleases[flavor, default: SourceValues()])
            }
        }
        change(&others)
    }

    /// The values of the release of a flavour, each layer in the place of those before it.
    func layers(of flavor: String?) -> [SourceValues] {
        [main, flavor.flatMap { ofFlavors[$0] }, release, flavor.flatMap { ofReleases[$0] }]
            .compactMap(\.self)
    }
}

/// The values of the resources that a release has, from several sources. It is not known which of these counts: versions of
/// Android's plugin differ in that.
struct ReleasedValues {
    /// The layers of files and of the script.
    let files, script: [SourceValues]
    let others: [SourceValues]
    /// The names of the values for some devices.
    let ofDevices: DeviceValues?
    let flavor: String?

    /// The value that a reference such as `@string/host` stands for; nil if it is not known.
    func value(_ reference: String) -> FilledValue? {
        var found = FilledValue(text: reference)
        for _ in 0..<AppFileLimits.referencesMax {
            guard found.text.utf8.first == UInt8(ascii: "@") else { return found }
            // No name of a resource is as long.
            guard found.text.utf8.count <= AppFileLimits.filledBytesMax else { return nil }
            let key = Array(found.text.utf8.dropFirst())
            let dependsOnDevice = found.dependsOnDevice || ofDevices?.have(key, in: flavor) == true
            let kinds = [(files, script), (script, files)].map { own, other in
                Self.replaces(other, own, key) ? nil : Self.value(key, in: own)
            }
            let values = (kinds + others.map { $0.own(key) }).compactMap(\.self)
            guard let value = values.first ?? nil,
                values.allSatisfy({ $0?.text.isScalarwise(value.text) == true })
            else { return nil }
            found = value
            found.dependsOnDevice = dependsOnDevice
        }
        return nil
    }

    /// Whether some layers have a value for a flavour or a build type alone, and others have one for all releases alone.
    private static func replaces(
        _ layers: [SourceValues], _ others: [SourceValues], _ key: [UInt8]
    ) -> Bool {
        layers.dropFirst().contains { $0.own(key) != nil }
            && others.dropFirst().allSatisfy { $0.own(key) == nil }
            && others[0].own(key).map { $0 != nil } == true
    }

    /// The value in the last layer that has one. One that is not known in some layer, such as one that also depends on the version
    /// of Android, stays so.
    private static func value(_ key: [UInt8], in layers: [SourceValues]) -> FilledValue?? {
        let values = layers.compactMap { $0.own(key) }
        return values.contains { $0 == nil } ? .some(nil) : values.last
    }
}
