import Diagnostics

// What an app can declare that does not agree with its site.

extension Catalogue {
    static let appleDomains = "Apple, “Associated Domains Entitlement” and TN3155"
    static let androidLinks = "Google, “Verify App Links”, and the sources of Android"
    static let silently = "Links open the browser, and no error is shown."
    static let notVerified = "Links open a dialog or the browser."
    static let staysOpen = "The verdict is “cannot be known”."

    static let appHalfRules = [
        CatalogueRule(
            .appFileForm, "A60", .error, "A file of an app that cannot be read",
            wrong:
                "It is damaged, of another kind, or beyond a limit, or the `data` of Expo has a list for one value. In a "
                + "manifest of source, a boolean such as `android:autoVerify` is neither true nor false. An app for Macs is not read, which "
                + "is a warning.",
            shows: staysOpen, fix: "Export or copy it again.", source: "the format's maker",
            .documented),
        CatalogueRule(
            .appUnknown, "A61", .warning, "A file that does not say which app it is of",
            wrong:
                "Xcode and Gradle add the identifier when they build, or a file of settings that may have it is missing. It is that, "
                + "too, if no file declares links, so that nothing is compared.", shows: staysOpen,
            fix: "Give the file that ships, or say the app with `--app NAME`.",
            source: appleDomains, .documented),
        CatalogueRule(
            .appNotSigned, "A25", .warning, "A build without a signature",
            wrong:
                "Entitlements and certificates stand in the signature. A signature that is ad hoc has no certificate.",
            shows: staysOpen,
            fix: "Give the build that is uploaded.", source: appleDomains, .documented),
        CatalogueRule(
            .siteHalfMissing, "A62", .warning, "A half that was not given",
            wrong:
                "The app's platform needs the site's file for it. With `--live`, the file could not be fetched, or has "
                + "an error.", shows: staysOpen,
            fix: "Give `--aasa` or `--assetlinks`, or a configuration.", source: appleDomains,
            .documented),
        CatalogueRule(
            .hostNotCompared, "A63", .warning, "Hosts of other sites",
            wrong:
                "The app declares hosts that the site does not have. If some are hosts of the site, this "
                + "is a note. For a wildcard, the domain itself is asked.", shows: staysOpen,
            fix: "Give the configuration and the environment of these hosts.", source: appleDomains,
            .documented),
        CatalogueRule(
            .domainsMissing, "A01", .error, "An app without associated domains",
            wrong:
                "The site lists the app, but the app asks for no file. In a file of source it is a warning, "
                + "because other files can have them, and for a build of Mac Catalyst and for Cordova, whose verdict is then open. It "
                + "is that, too, if the site lists other apps, and none of the directory has domains.",
            shows: silently,
            fix: "Add `com.apple.developer.associated-domains` to the entitlements of the release.",
            source: appleDomains, .documented),
        CatalogueRule(
            .domainsAreStar, "A02", .error, "The domains are a star",
            wrong:
                "A profile has `*`, which allows any list. A program that signed again took it for the app's list.",
            shows: silently, fix: "Sign with the app's own entitlements.",
            source: "fastlane, issues 16391 and 17727", .observed),
        CatalogueRule(
            .domainsService, "A03", .error, "An entry without a known service",
            wrong:
                "Before the host stands `applinks:`, `webcredentials:`, `activitycontinuation:` or `appclips:`.",
            shows: silently, fix: "Write `applinks:HOST`.", source: appleDomains, .documented),
        CatalogueRule(
            .domainsScheme, "A04", .error, "An entry with a scheme",
            wrong:
                "An entry names a host and no URL. In an `.xcconfig` file, `//` begins a comment, so that only `https:` is left of a URL.",
            shows: silently, fix: "Remove `https://`.",
            source: appleDomains,
            .documented),
        CatalogueRule(
            .domainsPath, "A05", .error, "An entry with a path",
            wrong: "An entry names a host. A slash at its end is a path, too.", shows: silently,
            fix: "Remove it.", source: appleDomains, .documented),
        CatalogueRule(
            .domainsForm, "A06", .error, "An entry whose host is none",
            wrong: "It contains a space or a star within, is not in punycode, or is no text.",
            shows: "The upload fails, or links open the browser.", fix: "Write the host alone.",
            source: appleDomains,
            .documented),
        CatalogueRule(
            .domainsPort, "A07", .warning, "An entry with a port",
            wrong:
                "Apple's servers read the file from port 443. Without another entry for the host, the verdict is open.",
            shows: silently,
            fix: "Remove the port.",
            source: appleDomains, .documented),
        CatalogueRule(
            .domainsDuplicate, "A08", .note, "An entry that stands there twice",
            wrong: "The list of associated domains has the same entry twice.",
            shows: "Nothing.", fix: "Remove one.", source: appleDomains, .documented),
        CatalogueRule(
            .domainsCase, "A08", .note, "Capital letters in an entry",
            wrong: "Hosts are in small letters.", shows: "Nothing, mostly.",
            fix: "Write the host in small letters.", source: appleDomains, .documented),
        CatalogueRule(
            .managedMode, "A08", .note, "A domain for managed devices only",
            wrong:
                "An entry with `?mode=managed` works on devices that an organization manages, and there is no "
                + "other entry for the host, nor a wildcard.",
            shows: "On other devices, links open the browser.",
            fix: "Add the entry without `?mode=managed`.", source: appleDomains, .documented),
        CatalogueRule(
            .developerModeInRelease, "A09", .error, "A domain for developers only",
            wrong:
                "An entry with `?mode=developer` works on devices in developer mode alone, and there is no other "
                + "entry for the host, nor a wildcard. In a file of source that no project's release uses, and without Release in its "
                + "name, it is a warning and the verdict is open, and in one with Debug in its name nothing. For a host that the site does not have, such as one for tests, it is a note.",
            shows: "Links open the browser for everybody else.",
            fix: "Add the entry without `?mode=developer`.",
            source: appleDomains, .documented),
        CatalogueRule(
            .domainsVariable, "A10", .warning, "A domain that Xcode fills in",
            wrong: "The value of `$(NAME)` is known when the app is built.", shows: staysOpen,
            fix: "Give the `.ipa`.",
            source: appleDomains, .documented),
        CatalogueRule(
            .entitlementsUnused, "A11", .error, "Entitlements that no release uses",
            wrong:
                "No configuration of the Xcode project names the file in `CODE_SIGN_ENTITLEMENTS`, or none for "
                + "releases, which then have no entitlements; or the domains stand in an `Info.plist`. If the site lists the app, the place is the "
                + "configuration of the release. If every app "
                + "has another file, it is a warning.",
            shows: silently,
            fix: "Set Code Signing Entitlements of the target to the file, or remove it.",
            source: "Xcode, build settings", .documented),
        CatalogueRule(
            .entitlementsMissing, "A68", .warning, "A file of a release that is not there",
            wrong:
                "`CODE_SIGN_ENTITLEMENTS` of a release names a file that the directory does not have, or a file of settings that may "
                + "name one is missing.",
            shows: staysOpen, fix: "Correct the setting, or give the `.ipa`.",
            source: "Xcode, build settings", .documented),
        CatalogueRule(
            .sourceNotRead, "A71", .warning, "A part of a checkout that was not read",
            wrong:
                "A file that decides what the app declares cannot be read or is beyond a limit: a script of Gradle, "
                + "resources that a manifest refers to, another manifest of the module, a project or its settings, or a "
                + "directory that is too deep. A program that may change it counts, too, such as a hook of Cordova, a plugin of Expo or a script of Gradle "
                + "that is not known, and a script of Xcode that names entitlements. XcodeGen, which may write an entitlements "
                + "file anew, is a note.",
            shows: staysOpen, fix: "Make it readable, or give the file that ships.",
            source: "Xcode, Gradle", .documented),
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
            wrong:
                "The App ID has no Associated Domains, or the profile is older than they are. While no site is given, a profile alone is a "
                + "warning, because those of extensions need none.",
            shows: "The build or the upload fails.",
            fix: "Enable them, and make the profile again.", source: appleDomains,
            .documented),
        CatalogueRule(
            .hostWithoutAASA, "A14", .error, "A host that publishes nothing",
            wrong:
                "The app declares a host of the site that has no apple-app-site-association, or with `--live` no "
                + "file that is taken.",
            shows: silently,
            fix: "Publish an app for it, or remove the entry.", source: appleDomains, .documented),
        CatalogueRule(
            .appNotListed, "A15", .error, "An app that its host does not list",
            wrong:
                "The file of a declared host does not have the app's identifier. Links open no extension, so for its "
                + "`applinks` it is a note, and for its other services a warning that leaves the verdict open.",
            shows: silently,
            fix: "Publish the identifier that the app is signed with.", source: appleDomains,
            .documented),
        CatalogueRule(
            .appIDPrefixDiffers, "A16", .error, "Another prefix",
            wrong:
                "The site lists the bundle identifier with another App ID prefix than the signature has. In source "
                + "the prefix is taken from `DEVELOPMENT_TEAM`. Old App IDs have another one, so it is a warning, unless the site's "
                + "prefix is a placeholder, which no app has.",
            shows: silently, fix: "Publish the prefix of the signature.", source: appleDomains,
            .documented),
        CatalogueRule(
            .prefixIsNotTeam, "A17", .note, "A prefix that is not the team",
            wrong:
                "An old App ID has a prefix of its own. The file of the site needs the prefix.",
            shows: "Nothing, if the site publishes the prefix.",
            fix: "Publish the prefix of the signature.", source: appleDomains, .documented),
        CatalogueRule(
            .bundleIDDiffersALittle, "A18", .error, "Almost the same identifier",
            wrong:
                "The identifiers differ in letter case, hyphens or underscores, or in the order of their parts.",
            shows: silently, fix: "Publish the identifier to the letter.", source: appleDomains,
            .documented),
        CatalogueRule(
            .bundleIDInSignature, "A19", .error, "A signature of another identifier",
            wrong: "The signature has another bundle identifier than Info.plist, or a star.",
            shows: silently,
            fix: "Sign with a profile of the bundle identifier.", source: "fastlane, issue 18214",
            .observed),
        CatalogueRule(
            .siteHostNotEntitled, "A20", .warning, "A host that the app does not declare",
            wrong: "The site lists the app on a host that the app does not ask.",
            shows: "Links to this host open the browser.",
            fix: "Add the host to the app's domains.",
            source: appleDomains, .documented),
        CatalogueRule(
            .serviceNotEntitled, "A21", .error, "A service that the app does not declare",
            wrong:
                "The site lists the app for a service that no entry of the app has. For `applinks` and `appclips` it is an error: no "
                + "link opens the app. For `webcredentials` and `activitycontinuation`, which an app need not use, and for builds of "
                + "Mac Catalyst it is a warning that leaves the verdict open.",
            shows: "Links open the browser, or passwords are not offered.",
            fix: "Add an entry of the service.",
            source: appleDomains, .documented),
        CatalogueRule(
            .serviceNotPublished, "A21", .error, "A service that the site does not publish",
            wrong: "The app has an entry of a service for which the host's file does not list it.",
            shows: "Links open the browser, or passwords are not offered.",
            fix: "Publish the service, or remove the entry.",
            source: appleDomains, .documented),
        CatalogueRule(
            .siteOpensNothing, "A70", .error, "An app that is listed, and that no link opens",
            wrong:
                "The site lists the app for links, and its rules exclude all of them: the list is empty, each rule excludes, or rules "
                + "that exclude stand before those that do not and take all their links. On Android it is a list of dynamic rules that "
                + "all exclude.",
            shows: "Links open the browser, on Android from version 15 on.",
            fix: "Put a rule that does not exclude where it is reached.",
            source: "Apple, “applinks.Details.Components”, and Google, “Dynamic App Links”",
            .documented),
        CatalogueRule(
            .clipParent, "A22", .error, "An App Clip of another app",
            wrong:
                "`com.apple.developer.parent-application-identifiers` of the App Clip must have exactly one entry, "
                + "the application identifier of the app that it is in. In source, one without an entry is a warning.",
            shows: "The upload fails, or the App Clip does not open.",
            fix: "Write `$(AppIdentifierPrefix)` and the app's bundle identifier.",
            source: "Apple, “Parent Application Identifiers Entitlement”", .documented),
        CatalogueRule(
            .clipNotListed, "A23", .error, "An App Clip that its host does not list",
            wrong:
                "The App Clip declares `appclips:HOST`, and `appclips` of the host's file does not have its "
                + "identifier.",
            shows: "Links open the browser instead of the App Clip.",
            fix: "Write `clip` beside the `id` of the app in the configuration.",
            source: "Apple, “Associating your App Clip with your website”", .documented),
        CatalogueRule(
            .clipDomainsDiffer, "A23", .warning,
            "A domain of the App Clip that its app does not have",
            wrong:
                "The entry `appclips:HOST` belongs into the entitlements of the app, too. Once the app is "
                + "installed, it takes the place of its App Clip.",
            shows: "With the app installed, links of the App Clip open the browser.",
            fix: "Add the entry to the app.",
            source: "Apple, “Associating your App Clip with your website”", .documented),
        CatalogueRule(
            .wildcardWithoutApex, "A24", .warning, "A wildcard without its domain",
            wrong:
                "`*.example.com` is for subdomains. The site lists the app on `example.com`, which the app does not "
                + "declare by itself. Both systems see it so. If the app declares no other host of the site, this can be an "
                + "error. The reverse, `example.com` without `www.example.com`, is found by `site-host-not-entitled` and "
                + "`site-host-not-declared`.",
            shows: "Links to the domain itself open the browser.",
            fix: "Add the domain to the associated domains, or to the filter.",
            source: appleDomains,
            .documented),
        CatalogueRule(
            .httpsURLType, "A26", .warning, "A URL type for https",
            wrong:
                "`CFBundleURLSchemes` of an `Info.plist` has `https` or `http`, which belong to browsers. Nothing is "
                + "said of an app with `com.apple.developer.web-browser`.",
            shows: "Nothing opens by it.",
            fix: "Remove it, and write associated domains.",
            source: "Apple, “Defining a custom URL scheme for your app”", .documented),
        CatalogueRule(
            .platformsDifferInHosts, "A50", .warning, "Hosts of one platform alone",
            wrong:
                "The entitlements and the manifest of one project declare different hosts, and no configuration says "
                + "those of the site. Where a platform has several apps or flavours, nothing is said.",
            shows: "A link opens the app on one platform, and the browser on the other.",
            fix: "Declare the host on both, or give the site's configuration.",
            source: "Google, “Verify App Links”, and Apple, “Associated Domains Entitlement”",
            .documented),
        CatalogueRule(
            .platformsDifferInPaths, "A50", .warning, "Links of one platform alone",
            wrong:
                "The filters of the manifest take other links than the rules of `apple-app-site-association` for the "
                + "iOS app of the same project. With a configuration, each platform is compared with its links.",
            shows: "A link opens the app on one platform, and the browser on the other.",
            fix: "Write the same paths in both.",
            source: "Google, “Verify App Links”, and Apple, “applinks.Details.Components”",
            .documented),
        CatalogueRule(
            .entitlementsDiffer, "A25", .error, "Entitlements that differ within one app",
            wrong:
                "Slices of the executable differ, or the XML form (iOS 14 and earlier) and the DER form (iOS 15 and "
                + "later) do, or the DER form is missing.",
            shows: "Links work on some devices.", fix: "Sign the app again.",
            source: "Apple, “Using the latest code signature format”", .documented),
    ]
}
