import AppFiles
import Diagnostics

/// Compares a key that signs an Android app with the fingerprints that sites publish. A store may sign
/// with another key, so a key that nobody publishes contradicts nothing.
struct KeyComparison {
    let agreement: AppAgreement

    /// - Parameter claimed: the application ID of the app; nil for any that a site lists.
    init(_ key: AppSigningKey, file: String, _ sites: [SiteHalf], claimed: String?) {
        var found = AppFindings(file: file)
        let source = key.alias.map { "\(file): \(quoted($0))" } ?? file
        var listing = Set<String>()
        if let fingerprint = key.fingerprint {
            for site in sites {
                listing.formUnion(site.packages(signedWith: fingerprint))
            }
            if let claimed { listing = listing.filter { $0.isScalarwise(claimed) } }
            if sites.isEmpty {
                found.add(
                    .warning, .siteHalfMissing, nil,
                    "no host was asked for the key: an app says which hosts there are",
                    advice: "give the app, too, or --assetlinks FILE in place of --live")
            } else if sites.contains(where: {
                if case .notGiven = $0.android { true } else { false }
            }) {
                found.add(
                    .warning, .siteHalfMissing, nil, "the site's half for Android is not given",
                    advice: "give it with --assetlinks FILE")
            } else if listing.isEmpty {
                found.add(
                    .warning, .keyNotPublished, nil,
                    "no site publishes the certificate of this key"
                        + (claimed.map { " for \(quoted($0))" } ?? ""),
                    advice: key.isForDebugging
                        ? "give the key of the release"
                        : "if it signs what people install, add to sha256: \(fingerprint). Google "
                            + "Play signs with its own key: compare Play Console › App integrity")
            }
            if key.isForDebugging {
                found.add(
                    .warning, .debugCertificate, nil,
                    "the key is a debug key, which each developer's machine makes for itself",
                    advice: "give the key of the release; do not publish this certificate for it")
            }
        } else {
            let certificate =
                "the certificate, which keytool -exportcert -rfc -keystore FILE -alias NAME writes"
            let reason: (fact: String, advice: String) =
                if case .algorithm(let name)? = key.unread {
                    ("are encrypted with \(name), which is not read", "give \(certificate)")
                } else {
                    (
                        "are encrypted",
                        "give the password with --password-file FILE, or \(certificate)"
                    )
                }
            found.add(
                .warning, .keyNotReadable, nil,
                "the certificates of the key store \(reason.fact)", advice: reason.advice)
        }
        agreement = AppAgreement(
            app: listing.count == 1 ? listing.first : claimed, platform: .android, source: source,
            findings: found.list)
    }
}

extension SiteHalf {
    /// The packages that it lists with a fingerprint.
    fileprivate func packages(signedWith fingerprint: String) -> [String] {
        guard case .read(let packages) = android else { return [] }
        return packages.filter { $0.value.contains(where: fingerprint.isScalarwise) }.map(\.key)
    }
}
