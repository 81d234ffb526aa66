private import Diagnostics

/// An Android module beside its manifest: the values of resources, and the script that builds it.
struct SourceModule {
    /// The values of the files in `res/values`, and those that the script makes.
    private var (ofFiles, ofScript) = (ValueLayers(), ValueLayers())
    /// The name of the script that builds it.
    var script = ""
    /// Whether the script is that of an app, and of no library.
    var isApplication = false
    /// Whether it may be: a script that cannot be read is that of any module.
    var mayBeApplication = false
    /// The scripts that were not read.
    var unread = [UnreadSource]()
    /// The names and plugins that are not known to leave its apps as they are, which leave open only that an app agrees.
    var unknown = [UnreadSource]()
    /// The package of its components, which takes the place of that of a manifest; nil if the script does not set it. The
    /// inner value is nil where only the build knows it.
    var namespace: String??
    /// Whether the script can change what its manifests declare, when it runs.
    var isUncertain = false
    /// The file of values that was not read, so that no value is known; nil if all were.
    var unreadValues: UnreadSource?
    /// The apps that releases are; none if there is no script.
    var variants = [GradleScript.Variant]()
    /// The names of the source sets that the script makes.
    var sourceSets = SourceSetNames()
    /// Its values for some devices; nil if it has none.
    var ofDevices: DeviceValues?
    /// Its directories that Gradle does not read.
    var unbuilt = UnbuiltSourceSets()
    /// The application IDs of the flavours that a source set is not of.
    private var others = [String]()
    /// Whether the source set is of a flavour.
    private var isOfFlavor = false

    /// Adds the values of a file.
    /// - Parameter sourceSet: the one that it is of, such as `main`.
    mutating func add(_ document: XMLNode, of sourceSet: String, file: String) {
        ofFiles.change(sourceSets.plain(sourceSet), flavors) { $0.add(document, file: file) }
    }

    /// Adds the values of a file that may be of releases, or of none.
    mutating func add(open document: XMLNode, file: String) {
        ofFiles.change("main", []) { $0.add(document, file: file, isOpen: true) }
    }

    /// Adds the values of resources that the script makes.
    /// - Parameters:
    ///   - values: nil for one that only a build knows.
    ///   - sourceSet: the one whose place they have: that of all releases, of the build type or of a flavour.
    mutating func add(_ values: [[UInt8]: String?], of sourceSet: String) {
        let script = script
        // The script's plugin writes them into a file of resources.
        ofScript.change(sourceSet, flavors) { layer in
            for (name, value) in values {
                layer.add(
                    value.flatMap(SourceValues.plain), String(decoding: name, as: UTF8.self),
                    from: script)
            }
        }
    }

    /// Leaves open the resources whose names begin with one of some texts.
    mutating func open(_ beginnings: Set<[UInt8]>) {
        ofScript.change("main", []) { $0.open(beginnings) }
    }

    private var flavors: [String] { variants.compactMap(\.flavor) }

    /// The values of the release of a flavour.
    private func values(of flavor: String?) -> ReleasedValues {
        ReleasedValues(
            files: ofFiles.layers(of: flavor), script: ofScript.layers(of: flavor),
            others: [ofFiles.others, ofScript.others], ofDevices: ofDevices, flavor: flavor)
    }

    /// The module as a source set has it: one of a flavour is in no other's releases.
    func sourceSet(_ written: String) -> SourceModule {
        let name = sourceSets.plain(written)
        let own = variants.filter { $0.flavor.map(name.isOfReleases) ?? false }
        guard !own.isEmpty else { return self }
        var module = self
        module.variants = own
        module.isOfFlavor = true
        module.others = variants.filter { variant in
            !own.contains { $0.flavor == variant.flavor }
        }.compactMap(\.applicationID)
        return module
    }

    /// The flavours in whose releases alone the source set is; nil for that of all.
    var ownFlavors: [String]? {
        !isOfFlavor ? nil : variants.compactMap(\.flavor)
    }

    /// The declarations that a manifest makes for each app. Flavours for which its references have the same values have one
    /// form of it, which is read once.
    func declarations(of root: XMLNode) throws(FormatFault) -> [AndroidDeclaration] {
        guard !variants.isEmpty else { return [try form(of: root, [:], values(of: nil))] }
        let references = Self.references(in: root)
        try checkWork(references.count, root)
        var forms = [[[String?]?]: AndroidDeclaration]()
        var declarations = [AndroidDeclaration]()
        for variant in variants {
            let values = values(of: variant.flavor)
            let key = references.map { reference in
                value(of: reference, variant.placeholders, values).map { value in
                    [value.text, value.origin, value.dependsOnDevice ? "" : nil]
                }
            }
            var declaration: AndroidDeclaration
            if let known = forms[key] {
                declaration = known
            } else {
                try checkWork((forms.count + 1) * root.count)
                declaration = try form(of: root, variant.placeholders, values)
                declaration.form = forms.count
                forms[key] = declaration
            }
            add(variant, to: &declaration)
            declarations.append(declaration)
        }
        return declarations
    }

    /// Refuses what costs more than the limit.
    private func checkWork(_ references: Int, _ root: XMLNode) throws(FormatFault) {
        try checkWork(references * variants.count + root.count)
    }

    private func checkWork(_ count: Int) throws(FormatFault) {
        guard count > AppFileLimits.formElementsMax else { return }
        throw FormatFault(
            "has too many elements and references for \(variants.count) flavors: \(count), may have "
                + "\(AppFileLimits.formElementsMax) for all of them",
            advice: "give the .apk")
    }

    /// The attributes that a build fills in, each text once.
    private static func references(in root: XMLNode) -> [String] {
        var seen = Set<[UInt8]>()
        var found = [String]()
        _ = root.hasAttribute { attribute, node in
            let text = attribute.value
            if text.utf8.first == UInt8(ascii: "@") || text.utf8.contains(UInt8(ascii: "$")),
                AndroidDeclaration.isRead(attribute, of: node),
                seen.insert(Array(text.utf8)).inserted
            {
                found.append(text)
            }
            return false
        }
        return found
    }

    /// The value that a reference has in a release; nil if it is not known.
    private func value(
        of reference: String, _ placeholders: [[UInt8]: String?], _ values: ReleasedValues
    ) -> FilledValue? {
        guard reference.utf8.first == UInt8(ascii: "@") else {
            return filled(reference, placeholders).map { FilledValue(text: $0, origin: script) }
        }
        return values.value(reference).flatMap { text in
            text.text.utf8.count <= AppFileLimits.filledBytesMax ? text : nil
        }
    }

    /// A manifest with the values of its references.
    private func form(
        of root: XMLNode, _ placeholders: [[UInt8]: String?], _ values: ReleasedValues
    ) throws(FormatFault) -> AndroidDeclaration {
        var root = root
        var needsValues = false
        root.replaceReferences { attribute, node in
            guard AndroidDeclaration.isRead(attribute, of: node) else { return nil }
            if attribute.value.utf8.first == UInt8(ascii: "@"), values.value(attribute.value) == nil
            {
                needsValues = true
            }
            return value(of: attribute.value, placeholders, values)
        }
        if let namespace {
            let attribute = XMLAttribute(
                namespace: "", name: "package", value: namespace ?? "", place: root.place)
            root.attributes.removeAll { $0.namespace.isEmpty && $0.name == "package" }
            if namespace != nil { root.attributes.append(attribute) }
        }
        var declaration = try AndroidDeclaration(root, kind: .source)
        declaration.others = others
        declaration.unread = unread + (needsValues ? [unreadValues].compactMap(\.self) : [])
        return declaration
    }

    /// Adds what the script says of a release.
    private func add(_ variant: GradleScript.Variant, to declaration: inout AndroidDeclaration) {
        declaration.applicationID = variant.applicationID
        declaration.flavor = variant.flavor
        declaration.mayBeOff = variant.mayBeOff
        // Gradle replaces what the manifest says.
        if let leastAPI = variant.leastAPI { declaration.leastAPI = leastAPI }
        declaration.targetAPIOfScript = variant.targetAPI
        declaration.script = script
    }
}

extension String {
    /// Whether it is the name of a source set that the releases of a flavour alone have.
    func isOfReleases(of flavor: String) -> Bool {
        isScalarwise(flavor) || isScalarwise("\(flavor)Release")
    }
}

/// A text with the values of `${name}`; nil if it has none, or if one is not known.
private func filled(_ text: String, _ values: [[UInt8]: String?]) -> String? {
    let bytes = Array(text.utf8)
    var result = [UInt8]()
    var index = 0
    while index < bytes.count {
        guard bytes[index...].starts(with: "${".utf8) else {
            guard result.count < AppFileLimits.filledBytesMax else { return nil }
            result.append(bytes[index])
            index += 1
            continue
        }
        guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "}")),
            let value = values[Array(bytes[(index + 2)..<end])], let value,
            result.count + value.utf8.count <= AppFileLimits.filledBytesMax
        else { return nil }
        result += value.utf8
        index = end + 1
    }
    return result == bytes ? nil : String(decoding: result, as: UTF8.self)
}
