/// The keys of app bundles, with which their developers upload them. An APK that is signed with one stands beside its bundle
/// for tests: a store makes others of the bundle, and Google Play signs them with another key.
package struct UploadKeys {
    /// The fingerprints of the bundles' certificates, by application ID.
    private var keys = [String: Set<String>]()

    /// - Parameter declarations: those of all files that are compared together.
    package init(_ declarations: [AppDeclaration]) {
        for case .android(let app) in declarations where app.isForUpload {
            guard let id = app.applicationID else { continue }
            keys[id, default: []].formUnion((app.certificates ?? []).map(\.fingerprint))
        }
    }

    /// A declaration, which is for upload if it is an APK with the key of its bundle.
    package func marked(_ declaration: AppDeclaration) -> AppDeclaration {
        guard case .android(var app) = declaration, app.kind == .binary, !app.isForUpload,
            let own = app.applicationID.flatMap({ keys[$0] }),
            let certificate = app.certificates?.first, own.contains(certificate.fingerprint)
        else { return declaration }
        app.isForUpload = true
        return .android(app)
    }
}
