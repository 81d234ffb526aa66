private import Diagnostics

/// What an Android module has beside its manifest: the values of resources, and the script that builds it.
struct SourceModule {
    /// Those of all releases.
    private var values = SourceValues()
    /// Those that the release of a flavour has besides.
    private var ofFlavors = [String: SourceValues]()
    /// The name of the script that builds it.
    var script = ""
    /// Whether the script is that of an app, and of no library.
    var isApplication = false
    /// The scripts that were not read.
    var unread = [UnreadSource]()
    /// The file of values that was not read, so that no value is known; nil if all were.
    var unreadValues: UnreadSource?
    /// The apps that releases are; none if there is no script.
    var variants = [GradleScript.Variant]()
    /// The names of the source sets that the script makes.
    var sourceSets = SourceSetNames()
    /// The application IDs of the flavours that a source set is not of.
    private var others = [String]()
    /// Whether the source set is of a flavour.
    private var isOfFlavor = false

    /// Adds the values of a file.
    /// - Parameter sourceSet: the one that it is of, such as `main`.
    mutating func add(_ document: XMLNode, of sourceSet: String, file: String) {
        if let flavor = flavor(of: sourceSet) {
            ofFlavors[flavor, default: SourceValues()].add(document, file: file)
        } else {
            values.add(document, file: file)
        }
    }

    /// - Parameters:
    ///   - value: nil if only a build knows it.
    ///   - flavor: nil for all releases.
    mutating func add(_ value: String?, _ name: String, of flavor: String?) {
        if let flavor, self.flavor(of: flavor) != nil {
            ofFlavors[flavor, default: SourceValues()].add(value, name, from: script)
        } else {
            values.add(value, name, from: script)
        }
    }

    /// The flavour in whose releases alone a source set is.
    private func flavor(of written: String) -> String? {
        let sourceSet = sourceSets.plain(written)
        return variants.lazy.compactMap(\.flavor).first { flavor in
            sourceSet.isScalarwise(flavor) || sourceSet.isScalarwise("\(flavor)Release")
        }
    }

    /// The module as a source set has it: one of a flavour is in no other's releases.
    func sourceSet(_ written: String) -> SourceModule {
        let name = sourceSets.plain(written)
        let own = variants.filter { variant in
            guard let flavor = variant.flavor else { return false }
            return name.isScalarwise(flavor) || name.isScalarwise("\(flavor)Release")
        }
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

    /// The declarations that a manifest makes for each app.
    func declarations(of root: XMLNode) throws(FormatFault) -> [AndroidDeclaration] {
        guard !variants.isEmpty else { return [try declaration(of: root, nil)] }
        var declarations = [AndroidDeclaration]()
        for variant in variants { declarations.append(try declaration(of: root, variant)) }
        return declarations
    }

    private func declaration(
        of root: XMLNode, _ variant: GradleScript.Variant?
    ) throws(FormatFault) -> AndroidDeclaration {
        var root = root
        let placeholders = variant?.placeholders ?? [:]
        let own = variant?.flavor.flatMap { ofFlavors[$0] }
        let values = own.map(self.values.overridden) ?? self.values
        var needsValues = false
        root.replaceReferences { attribute, node in
            guard AndroidDeclaration.isRead(attribute, of: node) else { return nil }
            if attribute.value.utf8.first == UInt8(ascii: "@") {
                let found = values.value(attribute.value)
                if found == nil { needsValues = true }
                return found.flatMap { text in
                    text.text.utf8.count <= AppFileLimits.filledBytesMax ? text : nil
                }
            }
            return filled(attribute.value, placeholders).map {
                FilledValue(text: $0, origin: script)
            }
        }
        var declaration = try AndroidDeclaration(root, kind: .source)
        declaration.applicationID = variant?.applicationID
        declaration.flavor = variant?.flavor
        // Gradle replaces what the manifest says.
        if let leastAPI = variant?.leastAPI { declaration.leastAPI = leastAPI }
        declaration.others = others
        declaration.unread = unread + (needsValues ? [unreadValues].compactMap(\.self) : [])
        declaration.script = variant == nil ? nil : script
        return declaration
    }
}

/// A text with the values of `${name}`; nil if it has none, or if one is not known.
private func filled(_ text: String, _ values: [[UInt8]: String?]) -> String? {
    let bytes = Array(text.utf8)
    var result = [UInt8]()
    var index = 0
    while index < bytes.count {
        guard bytes[index...].starts(with: "${".utf8) else {
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
