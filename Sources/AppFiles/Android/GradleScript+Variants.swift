extension GradleScript {
    /// The names of the source sets that the script makes.
    var sourceSets: SourceSetNames {
        let others: SourceSetNames.Others =
            if !isUnknown, !effects.hasOwnManifest, !hasOtherFlavors,
                !(flavors.isEmpty && effects.plugins.hasOthers)
            {
                .none
            } else {
                // Without any flavour, most scripts have none elsewhere either.
                flavors.isEmpty && !isOpenAbove ? .open : .released
            }
        return SourceSetNames(
            flavors: flavors.map(\.name), buildTypes: buildTypes, others: others)
    }

    /// Whether it builds an app in any case: a library has no application ID.
    var isOfApplication: Bool {
        base.isOfApplication || flavors.contains { $0.settings.isOfApplication }
            || (namespace.applicationID ?? nil) != nil
    }

    /// Whether it builds an app, or may, as those of modules that are apps or libraries.
    var mayBeOfApplication: Bool {
        namespace.mayBeOfApp || base.applicationID != nil
            || flavors.contains { $0.settings.applicationID != nil }
    }

    /// Whether no literal but `namespace` says its application ID, so that whatever else is there can say another one.
    var isNamedByNamespace: Bool {
        base.applicationID == nil && flavors.allSatisfy { $0.settings.applicationID == nil }
    }

    /// Whether its literals do not say which apps there are. Flavours of several dimensions are combined.
    private var isUnknown: Bool {
        return isOpen || inheritsSettings || dimensions.areCombined(flavors.map(\.settings))
            || flavors.isEmpty && hasNamelessFlavors
    }

    /// The apps that the literals say: one for each flavour.
    var variants: [Variant] {
        guard !isUnknown, effects.variants == nil else {
            return [
                Variant(flavor: nil, applicationID: nil, placeholders: [:], leastAPI: .some(nil))
            ]
        }
        guard !flavors.isEmpty else { return [variant(nil, GradleSettings())] }
        return flavors.map { variant($0.name, $0.settings) }
    }

    private func variant(_ flavor: String?, _ own: GradleSettings) -> Variant {
        let all = [base, own, release]
        let suffixes = all.compactMap(\.suffix)
        var id: String?
        let named = own.applicationID ?? base.applicationID ?? namespace.applicationID
        if let named, let known = named, !suffixes.contains(where: { $0 == nil }) {
            // Android's plugin writes one full stop before each suffix, whether it has one or not.
            id = suffixes.compactMap(\.self).reduce(known) { id, suffix in
                suffix.isEmpty || suffix == "."
                    ? id : id + (suffix.utf8.first == UInt8(ascii: ".") ? "" : ".") + suffix
            }
        }
        var placeholders = all.reduce(into: [[UInt8]: String?]()) { merged, settings in
            merged.merge(settings.placeholders) { $1 }
        }
        if all.contains(where: \.hasOtherPlaceholders) { placeholders = [:] }
        let name = Array("applicationId".utf8)
        placeholders[name] = .some(placeholders[name] == nil ? id : nil)
        return Variant(
            flavor: flavor, applicationID: id, placeholders: placeholders,
            leastAPI: own.leastAPI ?? base.leastAPI,
            targetAPI: (own.targetAPI ?? base.targetAPI) ?? nil)
    }

    /// Adds the resources that the script makes.
    func addValues(to module: inout SourceModule) {
        let all = [("main", base), ("release", release)] + flavors.map { ($0.name, $0.settings) }
        for (sourceSet, settings) in all {
            if !settings.values.isEmpty { module.add(settings.values, of: sourceSet) }
            module.open(settings.openValues)
        }
        if hasOtherValues || effects.variants != nil { module.open([[]]) }
    }
}
