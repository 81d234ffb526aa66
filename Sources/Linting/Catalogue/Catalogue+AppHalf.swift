import Diagnostics

// What an app can declare that does not agree with its site.

extension Catalogue {
    private static let apple = "Apple, “Associated Domains Entitlement” and TN3155"
    private static let android = "Google, “Verify App Links”, and the sources of Android"
    private static let silent = "Links open the browser, and no error is shown."
    private static let unverified = "Links open a dialog or the browser."
    private static let open = "The verdict is “cannot be known”."

    static let appHalfRules = [
        CatalogueRule(
            .appFileForm, "A60", .error, "A file of an app that cannot be read",
            wrong:
                "It is damaged, of another kind, or beyond a limit. Android App Bundles are not read yet.",
            shows: open, fix: "Export or copy it again.", source: "the format's maker", .documented),
        CatalogueRule(
            .appUnknown, "A61", .warning, "A file that does not say which app it is of",
            wrong: "Xcode and Gradle add the identifier when they build.", shows: open,
            fix: "Give the file that ships, or say the app with `--app NAME`.",
            source: apple, .documented),
        CatalogueRule(
            .appNotSigned, "A25", .warning, "A build without a signature",
            wrong: "Entitlements and certificates stand in the signature.", shows: open,
            fix: "Give the build that is uploaded.", source: apple, .documented),
        CatalogueRule(
            .siteHalfMissing, "A62", .warning, "A half that was not given",
            wrong: "The app's platform needs the site's file for it.", shows: open,
            fix: "Give `--aasa` or `--assetlinks`, or a configuration.", source: apple, .documented),
        CatalogueRule(
            .hostNotCompared, "A63", .warning, "Hosts of other sites",
            wrong:
                "The app declares hosts that the site does not have. If some are hosts of the site, this "
                + "is a note.", shows: open,
            fix: "Give the configuration and the environment of these hosts.", source: apple,
            .documented),
        CatalogueRule(
            .domainsMissing, "A01", .error, "An app without associated domains",
            wrong:
                "The site lists the app, but the app asks for no file. In a file of source it is a warning, "
                + "because other files can have them.",
            shows: silent,
            fix: "Add `com.apple.developer.associated-domains` to the entitlements of the release.",
            source: apple, .documented),
        CatalogueRule(
            .domainsAreStar, "A02", .error, "The domains are a star",
            wrong:
                "A profile has `*`, which allows any list. A program that signed again took it for the app's list.",
            shows: silent, fix: "Sign with the app's own entitlements.",
            source: "fastlane, issues 16391 and 17727", .observed),
        CatalogueRule(
            .domainsService, "A03", .error, "An entry without a known service",
            wrong:
                "Before the host stands `applinks:`, `webcredentials:`, `activitycontinuation:` or `appclips:`.",
            shows: silent, fix: "Write `applinks:HOST`.", source: apple, .documented),
        CatalogueRule(
            .domainsScheme, "A04", .error, "An entry with a scheme",
            wrong: "An entry names a host and no URL.", shows: silent, fix: "Remove `https://`.",
            source: apple,
            .documented),
        CatalogueRule(
            .domainsPath, "A05", .error, "An entry with a path",
            wrong: "An entry names a host. A slash at its end is a path, too.", shows: silent,
            fix: "Remove it.", source: apple, .documented),
        CatalogueRule(
            .domainsForm, "A06", .error, "An entry whose host is none",
            wrong: "It contains a space or a star within, is not in punycode, or is no text.",
            shows: "The upload fails, or links open the browser.", fix: "Write the host alone.",
            source: apple,
            .documented),
        CatalogueRule(
            .domainsPort, "A07", .warning, "An entry with a port",
            wrong: "Apple's servers read the file from port 443.", shows: silent,
            fix: "Remove the port.",
            source: apple, .documented),
        CatalogueRule(
            .developerModeInRelease, "A09", .error, "A domain for developers only",
            wrong:
                "An entry with `?mode=developer` works on devices in developer mode alone, and there is no other "
                + "entry for the host. In a file of source that no project's release uses it is a warning, and in one "
                + "with Debug in its name nothing.",
            shows: "Links open the browser for everybody else.",
            fix: "Add the entry without `?mode=developer`.",
            source: apple, .documented),
        CatalogueRule(
            .domainsVariable, "A10", .warning, "A domain that Xcode fills in",
            wrong: "The value of `$(NAME)` is known when the app is built.", shows: open,
            fix: "Give the `.ipa`.",
            source: apple, .documented),
        CatalogueRule(
            .entitlementsUnused, "A11", .error, "Entitlements that no release uses",
            wrong:
                "No configuration of the Xcode project names the file in `CODE_SIGN_ENTITLEMENTS`, or none for "
                + "releases, which then have no entitlements; or the domains stand in an `Info.plist`. If every app "
                + "has another file, it is a warning.",
            shows: silent,
            fix: "Set Code Signing Entitlements of the target to the file, or remove it.",
            source: "Xcode, build settings", .documented),
        CatalogueRule(
            .entitlementsDifferByConfiguration, "A12", .warning,
            "Other domains in debug builds",
            wrong:
                "Debug and release builds of one app identifier are signed with files that have other domains.",
            shows: "Links open the app for its developers, and the browser for everybody else.",
            fix: "Give both files the same domains; `?mode=developer` may differ.",
            source: "Flutter, issue 10111 of its website", .observed),
        CatalogueRule(
            .profileWithoutDomains, "A13", .error, "A profile that allows no domains",
            wrong: "The App ID has no Associated Domains, or the profile is older than they are.",
            shows: "The build or the upload fails.",
            fix: "Enable them, and make the profile again.", source: apple,
            .documented),
        CatalogueRule(
            .hostWithoutAASA, "A14", .error, "A host that publishes nothing",
            wrong: "The app declares a host of the site that has no apple-app-site-association.",
            shows: silent,
            fix: "Publish an app for it, or remove the entry.", source: apple, .documented),
        CatalogueRule(
            .appNotListed, "A15", .error, "An app that its host does not list",
            wrong: "The file of a declared host does not have the app's identifier.", shows: silent,
            fix: "Publish the identifier that the app is signed with.", source: apple, .documented),
        CatalogueRule(
            .appIDPrefixDiffers, "A16", .error, "Another prefix",
            wrong:
                "The site lists the bundle identifier with another App ID prefix than the signature has. In source "
                + "the prefix is taken from `DEVELOPMENT_TEAM`. Old App IDs have another one, so it is a warning.",
            shows: silent, fix: "Publish the prefix of the signature.", source: apple, .documented),
        CatalogueRule(
            .bundleIDDiffersALittle, "A18", .error, "Almost the same identifier",
            wrong:
                "The identifiers differ in letter case, hyphens or underscores, or in the order of their parts.",
            shows: silent, fix: "Publish the identifier to the letter.", source: apple, .documented),
        CatalogueRule(
            .bundleIDInSignature, "A19", .error, "A signature of another identifier",
            wrong: "The signature has another bundle identifier than Info.plist, or a star.",
            shows: silent,
            fix: "Sign with a profile of the bundle identifier.", source: "fastlane, issue 18214",
            .observed),
        CatalogueRule(
            .siteHostNotEntitled, "A20", .warning, "A host that the app does not declare",
            wrong: "The site lists the app on a host that the app does not ask.",
            shows: "Links to this host open the browser.",
            fix: "Add the host to the app's domains.",
            source: apple, .documented),
        CatalogueRule(
            .serviceNotEntitled, "A21", .error, "A service that the app does not declare",
            wrong: "The site lists the app for a service that no entry of the app has.",
            shows: "Links open the browser, or passwords are not offered.",
            fix: "Add an entry of the service.",
            source: apple, .documented),
        CatalogueRule(
            .serviceNotPublished, "A21", .error, "A service that the site does not publish",
            wrong: "The app has an entry of a service for which the host's file does not list it.",
            shows: "Links open the browser, or passwords are not offered.",
            fix: "Publish the service, or remove the entry.",
            source: apple, .documented),
        CatalogueRule(
            .entitlementsDiffer, "A25", .error, "Entitlements that differ within one app",
            wrong:
                "Slices of the executable differ, or the XML form (iOS 14 and earlier) and the DER form (iOS 15 and "
                + "later) do.",
            shows: "Links work on some devices.", fix: "Sign the app again.",
            source: "Apple, “Using the latest code signature format”", .documented),
        CatalogueRule(
            .noAutoVerify, "A27", .warning, "A host that is not verified",
            wrong:
                "A filter opens https links of the host, but none with `android:autoVerify` does.",
            shows: unverified, fix: "Write `android:autoVerify=\"true\"`.", source: android,
            .documented),
        CatalogueRule(
            .autoVerifyNeeds, "A28", .error, "A filter that is not verified",
            wrong:
                "A verified filter has the action VIEW, and the categories DEFAULT and BROWSABLE.",
            shows: unverified, fix: "Add what is missing.", source: android, .documented),
        CatalogueRule(
            .mixedSchemes, "A29", .error, "A custom scheme in a verified filter",
            wrong: "A filter is verified only if all of its schemes are http and https.",
            shows: unverified,
            fix: "Move the scheme to an intent-filter of its own.", source: android, .documented),
        CatalogueRule(
            .manifestSchemeForm, "A30", .error, "A scheme of the wrong form",
            wrong: "A scheme is in lower case, without a colon.", shows: unverified,
            fix: "Write `https`.",
            source: android, .documented),
        CatalogueRule(
            .manifestHostForm, "A31", .error, "A host of the wrong form",
            wrong:
                "It is empty, has a scheme, a path or a star within, or is not in punycode. The star for every "
                + "host is a warning.",
            shows: unverified, fix: "Write the host alone.", source: android, .documented),
        CatalogueRule(
            .manifestPlaceholder, "A32", .warning, "A value that the build fills in",
            wrong:
                "The value of `${name}` is known when the app is built, and that of `@string/name` in its resources.",
            shows: open, fix: "Give the APK.", source: android, .documented),
        CatalogueRule(
            .hostWithoutAssetLinks, "A34", .error, "A host that publishes no assetlinks.json",
            wrong: "The app verifies a host of the site that has no file for Android.",
            shows: unverified,
            fix: "Publish an app for it, or remove the host from the filter.", source: android,
            .documented),
        CatalogueRule(
            .packageNotListed, "A36", .error, "An app that its host does not list",
            wrong:
                "The file of a verified host does not have the application ID, which may have a suffix for a "
                + "build or a flavour.", shows: unverified,
            fix: "Publish the application ID.", source: android, .documented),
        CatalogueRule(
            .siteHostNotDeclared, "A37", .warning, "A host that the app does not declare",
            wrong:
                "The site lists the app on a host that no filter has. If no filter opens links of the web, it is "
                + "an error.",
            shows: "Links to this host open the browser.", fix: "Add the host to the filter.",
            source: android,
            .documented),
        CatalogueRule(
            .fingerprintNotPublished, "A38", .error, "A certificate that is not published",
            wrong:
                "The APK is signed with a key whose fingerprint the file does not have. A store may sign "
                + "with another key than the one of this APK.",
            shows: unverified, fix: "Add the fingerprint to `sha256`.", source: android, .documented
        ),
        CatalogueRule(
            .rotatedKeyOnePublished, "A39", .warning, "One of two certificates is published",
            wrong:
                "The key was rotated. Android 8.1 and earlier see the old certificate, later systems the new one.",
            shows: "Links open the browser on older devices.", fix: "Publish both fingerprints.",
            source: android,
            .documented),
        CatalogueRule(
            .uploadKey, "A64", .warning, "A bundle that a store signs anew",
            wrong:
                "An app bundle is signed with the key for uploads. Google Play makes APKs of it, and signs "
                + "them with the app's key. If the site publishes the key for uploads and others, this is a "
                + "note.",
            shows: open,
            fix:
                "Publish the fingerprint in Play Console › App integrity, or compare an APK from the "
                + "store.", source: android, .documented),
        CatalogueRule(
            .keyNotPublished, "A65", .warning, "A key that no site publishes",
            wrong:
                "The key store or certificate has a key whose fingerprint is in no file. A store may sign with "
                + "another one.", shows: open,
            fix: "Add the fingerprint to `sha256` if the key signs what people install.",
            source: android, .documented),
        CatalogueRule(
            .keyNotReadable, "A66", .warning, "A key store that needs its password",
            wrong: "keytool encrypts the certificates of a PKCS #12 key store.", shows: open,
            fix: "Give the certificate, which `keytool -exportcert -rfc` writes.",
            source: "RFC 7292 §4.2.3", .documented),
        CatalogueRule(
            .debuggableBuild, "A40", .warning, "A build for development",
            wrong: "The APK is debuggable, or the app is signed with `get-task-allow`.",
            shows: "The release can differ.",
            fix: "Give the build of the release.",
            source: android, .documented),
        CatalogueRule(
            .manifestMIMEType, "A41", .error, "A type in a filter for links",
            wrong:
                "A filter with `android:mimeType` takes only content of this type. A link has none.",
            shows: silent, fix: "Move it to a filter of its own.", source: android, .documented),
        CatalogueRule(
            .pathWithoutSlash, "A42", .error, "A path without a slash",
            wrong: "The path of a link begins with a slash, and is compared to the letter.",
            shows: silent, fix: "Write the slash.", source: android, .documented),
        CatalogueRule(
            .pathHasStar, "A43", .error, "A star in a path that is no pattern",
            wrong: "`path` and `pathPrefix` are compared to the letter, and without the query.",
            shows: silent,
            fix: "Write `pathPrefix` without the star, or `pathPattern`.", source: android,
            .documented),
        CatalogueRule(
            .manifestOpensUnpublished, "A47", .warning, "Paths that the site does not publish",
            wrong:
                "A filter takes links that `publish` does not have for the app. If the app has dynamic "
                + "rules, this is a note: Android 15 and later obey them.",
            shows: "The app opens, and may have nothing to show for the link.",
            fix: "Narrow the path, or publish the link.", source: android, .documented),
        CatalogueRule(
            .publishedNotInManifest, "A48", .error, "Links that no filter takes",
            wrong:
                "The configuration publishes links for the app that its manifest does not take. A slash at "
                + "the end of a path makes no difference.",
            shows: "On Android, the link opens the browser.",
            fix: "Add a path to the filter that verifies the host.", source: android, .documented),
        CatalogueRule(
            .dynamicOutsideManifest, "A49", .warning, "Dynamic rules beyond the manifest",
            wrong:
                "A dynamic rule of `assetlinks.json` matches links that no filter takes. Dynamic rules only "
                + "narrow what the manifest takes.",
            shows: "The rule has no effect.",
            fix: "Add a path to the filter that verifies the host.",
            source: "Google, “Dynamic App Links”, FAQ", .documented),
        CatalogueRule(
            .pathsNotCompared, "A67", .warning, "Paths that are not all compared",
            wrong:
                "A build fills a path in, the pattern is one that Android refuses or that is too long, a "
                + "group of conditions decides, or the search for a difference reached its limit.",
            shows: open,
            fix: "Give the `.apk`, or compare the paths yourself.", source: android, .documented),
    ]
}
