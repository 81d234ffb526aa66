package import Associations
private import Diagnostics

extension AndroidDeclaration {
    /// The filters as Android decides links by them.
    package var rules: ManifestRules {
        ManifestRules(filters.map { $0.rule(ofKind: kind) }, leastAPI: leastAPI)
    }

    /// The same with the filters of the manifests that it is merged with.
    package var mergedRules: ManifestRules {
        ManifestRules((filters + merged).map { $0.rule(ofKind: kind) }, leastAPI: leastAPI)
    }
}

extension IntentFilter {
    fileprivate func rule(ofKind kind: AndroidDeclaration.Kind) -> ManifestFilter {
        // What may make it a filter for links stands in the place of its schemes for the web.
        let opening = opening
        let others = opening.isEmpty ? schemes : schemes.filter { !isWebScheme($0.text) }
        return ManifestFilter(
            isForLinks: mayBeForLinks,
            isVerified: autoVerify?.isUnresolved == true ? nil : isVerified,
            schemes: (others + opening).map { $0.value(ofKind: kind) },
            authorities: authorities.map { authority in
                ManifestFilter.Authority(
                    host: authority.host.value(ofKind: kind),
                    port: authority.port?.value(ofKind: kind))
            }, paths: paths.map { $0.pattern(ofKind: kind) },
            groups: groups.map { $0.group(ofKind: kind) })
    }
}

extension IntentFilter.Value {
    /// The value in the file that ships. In a source, aapt2 reads backslashes first.
    fileprivate func value(ofKind kind: AndroidDeclaration.Kind) -> ManifestFilter.Value {
        if isOpen { return .open(text) }
        return .known(kind == .source ? withoutEscapes(text) : text)
    }
}

extension IntentFilter.Path {
    /// The pattern as Android reads it.
    package func pattern(ofKind kind: AndroidDeclaration.Kind) -> ManifestFilter.Pattern {
        guard let pattern = AndroidPattern.Kind(attribute: attribute) else {
            return .open("\(attribute) is not known")
        }
        switch value.value(ofKind: kind) {
        case .open(let text):
            return .open("\(attribute) \(quoted(text)) is filled in by a build or a resource")
        case .known(let text):
            do throws(AndroidPatternFault) {
                return .known(try AndroidPattern(pattern, text))
            } catch {
                return .open("\(attribute) \(quoted(text)) \(error)")
            }
        }
    }
}

extension IntentFilter.Group {
    fileprivate func group(ofKind kind: AndroidDeclaration.Kind) -> ManifestFilter.Group {
        ManifestFilter.Group(
            allows: allows.map { $0.isUnresolved ? nil : $0.text != "false" } ?? true,
            parts.map { part in
                let kindOfPart: ManifestFilter.Group.Part =
                    switch part.attribute.utf8.first {
                    case UInt8(ascii: "q"): .query
                    case UInt8(ascii: "f"): .fragment
                    default: .path
                    }
                return (kindOfPart, part.pattern(ofKind: kind))
            })
    }
}
