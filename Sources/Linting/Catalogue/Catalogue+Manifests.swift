import Diagnostics

// What the manifest and the keys of an Android app can have that does not agree with its site.

extension Catalogue {
    static let manifestRules = [
        CatalogueRule(
            .noAutoVerify, "A27", .error, "A host that is not verified",
            wrong:
                "A filter opens https links of the host, but none with `android:autoVerify` does. If another host of "
                + "the site is verified, or if the site does not list the app, it is a warning. In a file of source, of which "
                + "another manifest can verify the host, and for the app of a watch, a television or a car, it is a warning "
                + "that leaves the verdict open. It is also said if the site lists the app, and no filter verifies any host: in "
                + "source, filters without hosts of the site and without `android:autoVerify` leave the verdict open, because "
                + "a library can have others.",
            shows: notVerified, fix: "Write `android:autoVerify=\"true\"`.", source: androidLinks,
            .documented),
        CatalogueRule(
            .autoVerifyNeeds, "A28", .error, "A filter that is not verified",
            wrong:
                "A verified filter has the action VIEW, and the categories DEFAULT and BROWSABLE. Beside a filter that verifies its hosts, this is a warning.",
            shows: notVerified, fix: "Add what is missing.", source: androidLinks, .documented),
        CatalogueRule(
            .mixedSchemes, "A29", .error, "A custom scheme in a verified filter",
            wrong:
                "A filter is verified only if all of its schemes are http and https. Beside a filter that verifies its hosts, it is no fault.",
            shows: notVerified,
            fix: "Move the scheme to an intent-filter of its own.", source: androidLinks,
            .documented),
        CatalogueRule(
            .manifestSchemeForm, "A30", .error, "A scheme of the wrong form",
            wrong:
                "A scheme is in lower case, without a colon, and a filter with hosts has one. Beside a filter that verifies its hosts, this is a warning. "
                + "If no filter takes a verified host over https, links do not fit.",
            shows: notVerified,
            fix: "Write `https`.",
            source: androidLinks, .documented),
        CatalogueRule(
            .manifestHostForm, "A31", .error, "A host of the wrong form",
            wrong:
                "It is empty, has a scheme, a path, a star within or capital letters, or is not in punycode. The star for every "
                + "host is a warning, and so is an empty host beside another filter that verifies hosts. "
                + "`_` within a label is verified, but for the last one.",
            shows: notVerified, fix: "Write the host alone.", source: androidLinks, .documented),
        CatalogueRule(
            .attributeWithoutNamespace, "A69", .error, "An attribute without `android:`",
            wrong:
                "`host`, `scheme` or a path of a `data` element without `android:` is not read. For `autoVerify` of a filter, this is a warning.",
            shows: silently, fix: "Write `android:` before it.", source: androidLinks, .documented),
        CatalogueRule(
            .manifestPlaceholder, "A32", .warning, "A value that the build fills in",
            wrong:
                "The value of `${name}` is known when the app is built, and that of `@string/name` in its resources, also in "
                + "`android:exported` and `android:permission` of an activity with verified links, and in `android:enabled` of the application. The filters of `<nav-graph>` are made of a navigation graph."
                + " A resource that also has a text for some languages or screens is none that Android takes.",
            shows: staysOpen, fix: "Give the APK, or write the value in the manifest.",
            source: androidLinks, .documented),
        CatalogueRule(
            .libraryHost, "A33", .note, "A verified host of another site",
            wrong:
                "The app verifies a host that the site does not have, beside hosts of the site. A library may have "
                + "brought it into the merged manifest. If it is almost a host of the site, it is a warning.",
            shows:
                "On Android 11 and earlier, all links open a dialog if one host is not verified.",
            fix: "Remove the filter with `tools:node=\"remove\"`, or have the host list the app.",
            source: androidLinks, .documented),
        CatalogueRule(
            .hostWithoutAssetLinks, "A34", .error, "A host that publishes no assetlinks.json",
            wrong:
                "The app verifies a host of the site that has no file for Android, or with `--live` none that is taken, "
                + "such as one of another media type.",
            shows: notVerified,
            fix: "Publish an app for it, or remove the host from the filter.", source: androidLinks,
            .documented),
        CatalogueRule(
            .oneHostFailsAll, "A35", .warning, "One host that fails all others",
            wrong:
                "A host of the app is not verified. Android 11 and earlier, on which the app is installed, verify "
                + "all hosts of an app or none.",
            shows: "On these versions, all links open a dialog.",
            fix: "Mend the host, or take it out of the filters with `android:autoVerify`.",
            source: androidLinks, .documented),
        CatalogueRule(
            .packageNotListed, "A36", .error, "An app that its host does not list",
            wrong:
                "The file of a verified host does not have the application ID, which may have a suffix for a "
                + "build or a flavour. If no filter verifies a host either, nothing can be compared: it is a warning that "
                + "leaves the verdict open.", shows: notVerified,
            fix: "Publish the application ID.", source: androidLinks, .documented),
        CatalogueRule(
            .siteHostNotDeclared, "A37", .warning, "A host that the app does not declare",
            wrong:
                "The site lists the app on a host that no filter has. If no filter of an APK opens links of the "
                + "web, it is an error, unless the app is of a watch, a television or a car. In source, that leaves the "
                + "verdict open: a library can have filters.",
            shows: "Links to this host open the browser.", fix: "Add the host to the filter.",
            source: androidLinks,
            .documented),
        CatalogueRule(
            .fingerprintNotPublished, "A38", .error, "A certificate that is not published",
            wrong:
                "The APK is signed with a key whose fingerprint the file does not have. A store may sign "
                + "with another key than the one of this APK.",
            shows: notVerified, fix: "Add the fingerprint to `sha256`.", source: androidLinks,
            .documented
        ),
        CatalogueRule(
            .rotatedKeyOnePublished, "A39", .warning, "One of two certificates is published",
            wrong:
                "The key was rotated. Android 8.1 and earlier, on which the app is installed, see the old certificate, later systems the new one.",
            shows: "Links open the browser on older devices.", fix: "Publish both fingerprints.",
            source: androidLinks,
            .documented),
        CatalogueRule(
            .uploadKey, "A64", .warning, "A bundle that a store signs anew",
            wrong:
                "An app bundle is signed with the key for uploads. Google Play makes APKs of it, and signs "
                + "them with the app's key. If the site publishes the key for uploads and others, this is a "
                + "note.",
            shows: staysOpen,
            fix:
                "Publish the fingerprint in Play Console › App integrity, or compare an APK from the "
                + "store.", source: androidLinks, .documented),
        CatalogueRule(
            .keyNotPublished, "A65", .warning, "A key that no site publishes",
            wrong:
                "The key store or certificate has a key whose fingerprint is in no file. A store may sign with "
                + "another one.", shows: staysOpen,
            fix: "Add the fingerprint to `sha256` if the key signs what people install.",
            source: androidLinks, .documented),
        CatalogueRule(
            .keyNotReadable, "A66", .warning, "A key store that needs its password",
            wrong: "keytool encrypts the certificates of a PKCS #12 key store.", shows: staysOpen,
            fix:
                "Give a file with the password with `--password-file`, or the certificate, which `keytool -exportcert "
                + "-rfc` writes.",
            source: "RFC 7292 §4.2.3", .documented),
        CatalogueRule(
            .debuggableBuild, "A40", .warning, "A build for development",
            wrong:
                "The APK is debuggable or `testOnly`, or the app is signed with `get-task-allow`.",
            shows: "The release can differ.",
            fix: "Give the build of the release.",
            source: androidLinks, .documented),
        CatalogueRule(
            .debugCertificate, "A40", .warning, "The certificate of a debug key",
            wrong:
                "The app is signed with the key that Android's tools make on each developer's machine, or this key is "
                + "given. A site that publishes it trusts everybody who has the file.",
            shows: "The release has another certificate.",
            fix: "Give the APK or the key of the release.",
            source: androidLinks, .documented),
        CatalogueRule(
            .manifestPort, "A41", .error, "A port in a filter for links",
            wrong:
                "A link must then have this port to the letter, and a link without one has none. It is no "
                + "finding beside the same host without a port, and a note beside other hosts without one.",
            shows: silently, fix: "Remove `android:port`.", source: androidLinks, .documented),
        CatalogueRule(
            .manifestNotExported, "A41", .error, "An activity that others cannot start",
            wrong:
                "Links come from browsers and other apps, and `android:exported` is `false`. In a file of source, "
                + "which other manifests can change, it is a warning that leaves the verdict open. It is no finding if an exported activity has the "
                + "hosts, too. A permission of the app on the activity keeps others out, too. An app for Android 12 and later, whose "
                + "activity with a filter does not say whether it is exported, is not installed.",
            shows: silently, fix: "Write `android:exported=\"true\"`.", source: androidLinks,
            .documented),
        CatalogueRule(
            .manifestDisabled, "A41", .note, "An activity that is switched off",
            wrong:
                "`android:enabled` is `false`, or a resource or Gradle decides it, until the app switches it on. Its hosts are "
                + "verified all the same. If `<application>` has it, it is an error, in a file of source a warning that leaves "
                + "the verdict open.",
            shows: "Links open the browser until then.", fix: "Remove it, unless that is meant.",
            source: androidLinks, .documented),
        CatalogueRule(
            .aliasWithoutTarget, "A41", .error, "An alias without its activity",
            wrong:
                "An `activity-alias` names no activity with `android:targetActivity`, or one that does not stand before it in "
                + "the manifest. In a file of source, of which another manifest can have the activity, it is a warning that "
                + "leaves the verdict open, and activities of other packages, such as those of libraries, are no finding.",
            shows: "Android refuses to install the app.",
            fix: "Name an activity of the app, and write the alias behind it.",
            source: "Android, “activity-alias”", .documented),
        CatalogueRule(
            .manifestMIMEType, "A41", .error, "A type in a filter for links",
            wrong:
                "A filter with `android:mimeType` takes only content of this type. A link has none.",
            shows: silently, fix: "Move it to a filter of its own.", source: androidLinks,
            .documented),
        CatalogueRule(
            .pathWithoutSlash, "A42", .error, "A path without a slash",
            wrong: "The path of a link begins with a slash, and is compared to the letter.",
            shows: silently, fix: "Write the slash.", source: androidLinks, .documented),
        CatalogueRule(
            .pathHasStar, "A43", .error, "A star in a path that is no pattern",
            wrong: "`path` and `pathPrefix` are compared to the letter, and without the query.",
            shows: silently,
            fix: "Write `pathPrefix` without the star, or `pathPattern`.", source: androidLinks,
            .documented),
        CatalogueRule(
            .patternStar, "A44", .warning, "A star, or a set, that is not what it seems",
            wrong:
                "In `pathPattern`, a star belongs to the character before it: `/a/*` takes `/a/` and `/a//`, and not "
                + "`/a/b`. In `pathAdvancedPattern`, this is said of a star behind a slash. `pathPattern` has neither sets "
                + "nor `+`, and `pathAdvancedPattern` no alternatives with `|`: they are compared to the letter.",
            shows: silently, fix: "Write `.*` for any text, or `pathPrefix`.", source: androidLinks,
            .documented),
        CatalogueRule(
            .patternEscape, "A44", .warning, "A backslash that has no effect",
            wrong:
                "The manifest's compiler reads a backslash, so a pattern needs two. A dot with a backslash in "
                + "`pathPattern` is a note: it takes any character all the same, unless it stands behind `.*`.",
            shows: "The pattern takes other links than it seems to.",
            fix: "Write two backslashes, or `[.]` in `pathAdvancedPattern`.", source: androidLinks,
            .documented),
        CatalogueRule(
            .dataCrossProduct, "A45", .warning, "Hosts and paths that Android combines",
            wrong:
                "Each `data` element of a filter has a host and a path. Android pools them, so each host goes with "
                + "each path.",
            shows: "The app opens for links that nobody wrote down.",
            fix: "Write an `intent-filter` for each host.", source: androidLinks, .documented),
        CatalogueRule(
            .newPathKindOnOld, "A46", .warning, "A path that older versions do not know",
            wrong:
                "`pathSuffix` and `pathAdvancedPattern` are for API level 31 and later, "
                + "`uri-relative-filter-group` is for 35 and later, and the app is installed on earlier versions. They "
                + "ignore it. If a filter has no other paths, they take every path of its hosts.",
            shows: "Older versions open other links than new ones.",
            fix: "Write `pathPrefix` or `pathPattern`, or raise `minSdk`.", source: androidLinks,
            .documented),
        CatalogueRule(
            .manifestOpensUnpublished, "A47", .warning, "Paths that the site does not publish",
            wrong:
                "A filter takes links that `publish` does not have for the app. If the app has dynamic "
                + "rules, this is a note: Android 15 and later obey them.",
            shows: "The app opens, and may have nothing to show for the link.",
            fix: "Narrow the path, or publish the link.", source: androidLinks, .documented),
        CatalogueRule(
            .publishedNotInManifest, "A48", .error, "Links that no filter takes",
            wrong:
                "The configuration publishes links for the app that its manifest does not take. A slash at "
                + "the end of a path makes no difference. If only a `uri-relative-filter-group` takes them, it is a "
                + "warning: Android 14 and earlier do not read it. So it is for the app of a watch, a television or a car.",
            shows: "On Android, the link opens the browser.",
            fix: "Add a path to the filter that verifies the host.", source: androidLinks,
            .documented),
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
                "A build fills a path or a condition in, the pattern is one that Android refuses or that is too long, "
                + "or the search for a difference, or for a rule of Apple's file that opens the app, reached its limit.",
            shows: staysOpen,
            fix: "Give the `.apk`, or compare the paths yourself.", source: androidLinks,
            .documented),
        CatalogueRule(
            .assetStatements, "A51", .warning, "A site that the app names and that is another",
            wrong:
                "The manifest's `asset_statements` say for which sites the app speaks, and none of them is a host "
                + "of the site.",
            shows: "Chrome shows its bar above the site, or passwords are not offered.",
            fix: "Name the site with `https` and its host, without a path.",
            source: "Google, “Digital Asset Links”", .documented),
        CatalogueRule(
            .credentialsRelation, "A52", .warning, "Passwords that the site does not share",
            wrong:
                "The app's `asset_statements` share passwords and passkeys with the site, and the site's file does "
                + "not have `delegate_permission/common.get_login_creds` for the app. If they only include the site's "
                + "file, it is a note.",
            shows: "Passwords and passkeys of the site are not offered in the app.",
            fix: "Add the relation: `credentials: true` for the app in the configuration.",
            source: "Google, “Credential Manager”", .documented),
    ]
}
