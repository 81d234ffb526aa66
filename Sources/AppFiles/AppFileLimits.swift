/// The limits of what is read of an app. A file beyond a limit is refused, and the message has the limit.
package enum AppFileLimits {
    /// A file, which is not read whole: zip without its 64-bit form has no larger ones.
    package static let fileBytesMax = 4_294_967_295
    /// A text, a property list or a manifest.
    package static let documentBytesMax = 16_777_216
    /// Elements within each other, and values within each other.
    package static let depthMax = 64
    /// Elements and values of one document, with those that a binary list repeats.
    package static let valuesMax = 200_000
    /// Attributes of an element, each of which is looked for by its name.
    package static let attributesMax = 1_000
    /// Members of an archive, as many as zip without its 64-bit form has.
    package static let membersMax = 65_534
    /// The list of the members of an archive.
    package static let directoryBytesMax = 33_554_432
    /// An executable, which passes by while its signature is looked for.
    package static let executableBytesMax = 1_073_741_824
    /// The load commands of an executable.
    package static let commandBytesMax = 1_048_576
    /// The signature of an executable: 32 bytes for each page of 4 KiB are in it.
    package static let signatureBytesMax = 67_108_864
    /// The table of resources of an APK.
    package static let resourceBytesMax = 67_108_864
    /// Parts of a table, which are for a type of values and a configuration of devices.
    package static let resourceChunksMax = 65_536
    /// Versions of Android that a value can depend on.
    package static let versionsMax = 64
    /// Values of an Xcode project.
    package static let projectValuesMax = 1_000_000
    /// Files and directories that were not read, of those that are named.
    package static let unreadMax = 4
    /// Configurations of a target, and of all targets of a project.
    package static let configurationsMax = 64
    package static let projectConfigurationsMax = 4_000
    /// Directories within each other of a checkout.
    package static let directoriesMax = 32
    /// Xcode projects of a checkout.
    package static let projectsMax = 64
    /// Files of build settings that a project reads.
    package static let settingsFilesMax = 1_000
    /// Bytes of those files. One that several include counts for each.
    package static let settingsBytesMax = 16_777_216
    /// Entitlements that the configurations of a project have for other systems and simulators.
    package static let otherEntitlementsMax = 10_000
    /// Identifiers of the app that an App Clip belongs to. One is right, and the first of more are named.
    package static let parentsMax = 8
    /// Bytes of the files of a project's own Gradle plugins, with settings scripts, in all.
    package static let pluginBytesMax = 2_097_152
    /// Builds that settings scripts include.
    package static let includedBuildsMax = 64
    /// Included builds with those that they include, each for every project that has it.
    package static let nestedBuildsMax = 256
    /// Aliases without an activity that are reported of one manifest.
    package static let lostAliasesMax = 64
    /// Conditions of one build setting for other systems and simulators, in one file or object.
    package static let conditionsMax = 64
    /// Variables in one build setting, with those in their values.
    package static let expansionsMax = 1_000
    /// A text of a manifest with the values of its placeholders, one that it has from a resource, and a build
    /// setting.
    package static let filledBytesMax = 4_096
    /// Flavours of an Android app.
    package static let flavorsMax = 256
    /// Manifests of a module, each of which is merged with others.
    package static let mergedMax = 64
    /// Manifests of a module, times its manifests with those of each flavour: each is merged with all others.
    package static let mergesMax = 65_536
    /// Tokens of the blocks of a script that switch variants off, with their headings.
    static let filterTokensMax = 2_000
    /// Files in `res/values` of a module.
    package static let valueFilesMax = 1_000
    /// References of a resource to another.
    package static let referencesMax = 20
    /// Bytes that are decompressed of one archive in all.
    package static let inflatedBytesMax = 2_147_483_648
    /// Associated domains of an app, and values of the intent filters of an app: they are compared with
    /// each other.
    package static let declaredMax = 2_000
    /// Those of all apps of a checkout, with those of each flavour.
    package static let checkoutDeclaredMax = 1_000_000
    /// Elements of a manifest of source, with those of each form that flavours give it, and its references, times the
    /// flavours.
    package static let formElementsMax = 250_000
    /// The domains of all bundles of an archive or directory.
    package static let bundlesDeclaredMax = 20_000
    /// Domains with variables of one file of entitlements, times the configurations that fill them in.
    package static let filledDomainsMax = 100_000
    /// Bytes of their texts.
    package static let filledDomainBytesMax = 4_194_304
    /// The kinds of processor of an executable.
    package static let slicesMax = 16
    /// The block of an APK with its signatures.
    package static let signingBlockBytesMax = 16_777_216
    /// Certificates of an APK, and of a key store.
    package static let certificatesMax = 64
    /// A signature of the first scheme, with its certificates.
    package static let signatureFileBytesMax = 1_048_576
    /// A key store.
    package static let keyStoreBytesMax = 4_194_304
    /// Iterations that make keys of passwords, for all encrypted parts of a key store and all passwords. keytool
    /// takes 10,000 for each.
    package static let keyIterationsMax = 2_000_000
    /// Passwords that are tried.
    package static let passwordsMax = 8
}
