internal import Diagnostics

extension AssetLinks {
    /// The bytes of the file: JSON in UTF-8 that ends with a line end. Equal values give equal
    /// bytes.
    public func serialized() -> [UInt8] {
        Array(JSONText.array(statements.map(\.json)).formatted.utf8)
    }
}

extension AssetStatement {
    fileprivate var json: JSONText {
        var members: [(key: String, value: JSONText)] = [
            ("relation", .array(relations.map { .string($0.rawValue) })),
            (
                "target",
                .object([
                    ("namespace", .string("android_app")),
                    ("package_name", .string(package.description)),
                    (
                        "sha256_cert_fingerprints",
                        .array(fingerprints.map { .string($0.description) })
                    ),
                ])
            ),
        ]
        if let dynamicComponents {
            let rules = JSONText.array(
                dynamicComponents.map { .object($0.members(comment: "comments")) })
            let extensions = JSONText.object([("dynamic_app_link_components", rules)])
            members.append(
                (
                    "relation_extensions",
                    .object([(AssetRelation.handleAllURLs.rawValue, extensions)])
                ))
        }
        return .object(members)
    }
}
