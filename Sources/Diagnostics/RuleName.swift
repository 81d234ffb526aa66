/// The stable kebab-case names of what findings say: the one value of each rule, to which whatever
/// finds it, the catalogue of `lint` and scripts refer. `docs/lint-rules.md` explains them.
public enum RuleName: String, CaseIterable, Sendable, CustomStringConvertible {
    // JSON.
    case jsonEmpty = "json-empty"
    case jsonMarkup = "json-markup"
    case jsonByteOrderMark = "json-byte-order-mark"
    case jsonSyntax = "json-syntax"
    case jsonNumberRange = "json-number-range"
    case jsonTrailingComma = "json-trailing-comma"
    case jsonComment = "json-comment"
    case jsonTwoColons = "json-two-colons"
    case jsonNotOutsideQuotes = "json-not-outside-quotes"
    case jsonTypographic = "json-typographic"
    case jsonNesting = "json-nesting"
    case jsonDuplicateKey = "json-duplicate-key"

    // An association file: the top level of an apple-app-site-association file.
    case rootType = "root-type"
    case keyCase = "key-case"
    case misplacedKey = "misplaced-key"
    case noService = "no-service"
    case unknownService = "unknown-service"
    case emptyService = "empty-service"
    case serviceType = "service-type"
    case noDetails = "no-details"
    case nestedDomain = "nested-domain"
    case detailsDictionary = "details-dictionary"
    case detailsType = "details-type"
    case appsNotEmpty = "apps-not-empty"
    case appsMissing = "apps-missing"
    case signedFile = "signed-file"

    // An association file: app identifiers.
    case noAppID = "no-app-id"
    case appIDWithoutPrefix = "app-id-without-prefix"
    case appIDPlaceholder = "app-id-placeholder"
    case appIDStoreNumber = "app-id-store-number"
    case appIDPrefix = "app-id-prefix"
    case appIDLowerCase = "app-id-lower-case"
    case appIDForm = "app-id-form"
    case appIDWildcard = "app-id-wildcard"
    case bundleWithoutDot = "bundle-without-dot"
    case bothAppIDs = "both-app-ids"
    case appIDsType = "app-ids-type"
    case duplicateAppID = "duplicate-app-id"
    case appIDMissing = "app-id-missing"

    // An association file: rules.
    case noRules = "no-rules"
    case pathsType = "paths-type"
    case componentType = "component-type"
    case partType = "part-type"
    case queryValueType = "query-value-type"
    case unknownComponentKey = "unknown-component-key"
    case flagType = "flag-type"
    case defaultsPart = "defaults-part"
    case variablesInDetails = "variables-in-details"
    case variableType = "variable-type"

    // An association file: assetlinks.json.
    case assetlinksRoot = "assetlinks-root"
    case noStatements = "no-statements"
    case statementShape = "statement-shape"
    case relationForm = "relation-form"
    case targetNamespace = "target-namespace"
    case targetSite = "target-site"
    case packageName = "package-name"
    case fingerprints
    case fingerprintForm = "fingerprint-form"
    case fingerprintCase = "fingerprint-case"
    case fingerprintPlaceholder = "fingerprint-placeholder"
    case publicSigningKey = "public-signing-key"
    case include
    case dynamicRuleForm = "dynamic-rule-form"

    // Legal, and surely not meant: apps beside one another.
    case sharedURL = "shared-url"
    case missingWebcredentials = "missing-webcredentials"
    case appClipPlace = "app-clip-place"
    case nearIdentifier = "near-identifier"

    // Legal, and surely not meant: what one pattern says.
    case queryStar = "query-star"
    case notForm = "not-form"
    case notInComponent = "not-in-component"
    case queryInPath = "query-in-path"
    case fragmentInPath = "fragment-in-path"
    case hostInPath = "host-in-path"
    case noLeadingSlash = "no-leading-slash"
    case oneCharacterPath = "one-character-path"
    case doubleStar = "double-star"
    case prefixWithoutSlash = "prefix-without-slash"
    case starAcrossSegments = "star-across-segments"
    case routerSyntax = "router-syntax"
    case commentSaysPrefix = "comment-says-prefix"
    case unencodedPattern = "unencoded-pattern"
    case encodedPattern = "encoded-pattern"
    case lowerCaseHex = "lower-case-hex"
    case decodedExclude = "decoded-exclude"
    case mixedCase = "mixed-case"
    case manyStars = "many-stars"
    case backslash
    case pathForm = "path-form"
    case markInPattern = "mark-in-pattern"
    case curlyQuotes = "curly-quotes"

    // Legal, and surely not meant: what rules say one after the other.
    case unreachableRule = "unreachable-rule"
    case catchAllNotLast = "catch-all-not-last"
    case catchAllAlone = "catch-all-alone"
    case onlyRoot = "only-root"
    case onlyExcludes = "only-excludes"
    case redundantRule = "redundant-rule"
    case duplicateRule = "duplicate-rule"
    case pathsDisagree = "paths-disagree"
    case singularAppID = "singular-app-id"
    case webLoop = "web-loop"

    // Legal, and surely not meant: variables.
    case undefinedVariable = "undefined-variable"
    case variableForm = "variable-form"
    case emptyVariable = "empty-variable"
    case shadowedVariable = "shadowed-variable"
    case unusedVariable = "unused-variable"
    case regionVariable = "region-variable"

    // Legal, and surely not meant: assetlinks.json.
    case noHandleAllURLs = "no-handle-all-urls"
    case oneFingerprint = "one-fingerprint"
    case dynamicOrder = "dynamic-order"
    case duplicateStatement = "duplicate-statement"
    case platformsDiffer = "platforms-differ"

    // A configuration: the file and its YAML.
    case fileMissing = "file-missing"
    case filePermission = "file-permission"
    case fileUnreadable = "file-unreadable"
    case fileSize = "file-size"
    case notUTF8 = "not-utf8"
    case controlCharacter = "control-character"
    case emptyFile = "empty-file"
    case yamlSyntax = "yaml-syntax"
    case yamlAlias = "yaml-alias"
    case yamlTag = "yaml-tag"
    case nesting
    case severalDocuments = "several-documents"
    case tooManyFindings = "too-many-findings"

    // A configuration: the shape that the table of keys asks for.
    case duplicateKey = "duplicate-key"
    case unknownKey = "unknown-key"
    case missingKey = "missing-key"
    case unsetValue = "unset-value"
    case wrongKind = "wrong-kind"
    case wrongValue = "wrong-value"

    // A configuration: values that have a form of their own.
    case name
    case appIdentifier = "app-identifier"
    case androidIdentifier = "android-identifier"
    case hostName = "host-name"
    case addressBlock = "address-block"
    case url
    case pagePath = "page-path"
    case pattern

    // A configuration: what the values say together.
    case unknownName = "unknown-name"
    case duplicateName = "duplicate-name"
    case duplicateHost = "duplicate-host"
    case duplicateApp = "duplicate-app"
    case extendsCycle = "extends-cycle"
    case nothingOpens = "nothing-opens"
    case nothingPublished = "nothing-published"
    case noAppleApp = "no-apple-app"
    case unusedKey = "unused-key"
    case dynamicComponents = "dynamic-components"
    case placeholder
    case associationSize = "association-size"
    case tooMany = "too-many"

    // What a configuration says of the web, and cannot come true.
    case landingSameHost = "landing-same-host"
    case sharedOpenHost = "shared-open-host"
    case schemeMissing = "scheme-missing"
    case storeMissing = "store-missing"
    case deadEnd = "dead-end"
    case campaignProvider = "campaign-provider"
    case unshownPage = "unshown-page"
    case fragmentOnlyWeb = "fragment-only-web"
    case endedLink = "ended-link"
    case earlyLink = "early-link"
    case timeWithoutWeb = "time-without-web"
    case headerField = "header-field"
    case landingPolicy = "landing-policy"
    case unpublished
    case redirectLoop = "redirect-loop"
    case localRedirect = "local-redirect"
    case relatedOriginsCount = "related-origins-count"
    case wellKnownCatchAll = "well-known-catch-all"
    case passkeysWithoutApp = "passkeys-without-app"
    case permanentRedirect = "permanent-redirect"
    case longTitle = "long-title"
    case longDescription = "long-description"

    // What an environment says to those who run it, and cannot mean.
    case trustedStrangers = "trusted-strangers"
    case addressLimitBehindProxy = "address-limit-behind-proxy"
    case logFileName = "log-file-name"
    case canonicalLocalhost = "canonical-localhost"
    case hostAddress = "host-address"
    case nestedPublic = "nested-public"

    // Links that are made while the origin runs.
    case slugForm = "slug-form"
    case slugTaken = "slug-taken"
    case slugReserved = "slug-reserved"
    case slugShadowed = "slug-shadowed"
    case externalIDTaken = "external-id-taken"
    case destinationForm = "destination-form"
    case destinationNotAllowed = "destination-not-allowed"
    case destinationLoop = "destination-loop"
    case noStore = "no-store"
    case sharedStore = "shared-store"
    case openDestinations = "open-destinations"
    case linkStore = "link-store"
    case tableForm = "table-form"
    case nothingToImport = "nothing-to-import"

    // What a start or a reload finds, and what a run says of itself.
    case missingCertificate = "missing-certificate"
    case unusableCertificate = "unusable-certificate"
    case expiredCertificate = "expired-certificate"
    case certificateNotYetValid = "certificate-not-yet-valid"
    case certificateExpiresSoon = "certificate-expires-soon"
    case certificateLacksHost = "certificate-lacks-host"
    case hostWithoutCertificate = "host-without-certificate"
    case certificateKept = "certificate-kept"
    case certificateNotIssued = "certificate-not-issued"
    case certificateState = "certificate-state"
    case liveCheck = "live-check"
    case siteKept = "site-kept"
    case siteRefused = "site-refused"
    case associationNotSigned = "association-not-signed"
    case nothingToAnswer = "nothing-to-answer"
    case certificateLacksIssuer = "certificate-lacks-issuer"
    case unreadableFile = "unreadable-file"
    case theme
    case keyReadableByAll = "key-readable-by-all"
    case acmeWebroot = "acme-webroot"
    case ticketKey = "ticket-key"
    case missingPage = "missing-page"
    case hiddenAction = "hidden-action"
    case headerReach = "header-reach"
    case missingFile = "missing-file"
    case noHead = "no-head"
    case associationInPublic = "association-in-public"
    case linkOutOfPublic = "link-out-of-public"
    case linkToHiddenFile = "link-to-hidden-file"
    case secretInPublic = "secret-in-public"
    case privateKeyInPublic = "private-key-in-public"
    case fileNameNotUTF8 = "file-name-not-utf8"
    case unreachableName = "unreachable-name"
    case openFiles = "open-files"
    case publicTooDeep = "public-too-deep"
    case addressInUse = "address-in-use"
    case addressNotHere = "address-not-here"
    case privilegedPort = "privileged-port"
    case listen
    case start
    case reloadRefused = "reload-refused"
    case filesChange = "files-change"
    case reloadPostponed = "reload-postponed"
    case runsAsRoot = "runs-as-root"
    case user
    case socketName = "socket-name"
    case socketKind = "socket-kind"
    case accessLog = "access-log"
    case logFile = "log-file"
    case logQueue = "log-queue"
    case eventsLost = "events-lost"
    case abandoned
    case descriptorLimit = "descriptor-limit"
    case connectionLimit = "connection-limit"
    case addressLimit = "address-limit"
    case outOfDescriptors = "out-of-descriptors"
    case outOfMemory = "out-of-memory"
    case restartNeeded = "restart-needed"
    case watch
    case notifySocket = "notify-socket"
    case watchdog
    case untrustedPeer = "untrusted-peer"
    case guessedSlugs = "guessed-slugs"
    case proxyHeader = "proxy-header"
    case forwardedField = "forwarded-field"
    case proxyWithoutScheme = "proxy-without-scheme"

    // An app's half beside the site's.
    case appFileForm = "app-file-form"
    case appUnknown = "app-unknown"
    case appNotSigned = "app-not-signed"
    case siteHalfMissing = "site-half-missing"
    case hostNotCompared = "host-not-compared"
    case domainsMissing = "domains-missing"
    case domainsAreStar = "domains-are-star"
    case domainsService = "domains-service"
    case domainsScheme = "domains-scheme"
    case domainsPath = "domains-path"
    case domainsForm = "domains-form"
    case domainsPort = "domains-port"
    case developerModeInRelease = "developer-mode-in-release"
    case domainsVariable = "domains-variable"
    case profileWithoutDomains = "profile-without-domains"
    case hostWithoutAASA = "host-without-aasa"
    case appNotListed = "app-not-listed"
    case appIDPrefixDiffers = "app-id-prefix-differs"
    case bundleIDDiffersALittle = "bundle-id-differs-a-little"
    case bundleIDInSignature = "bundle-id-in-signature"
    case siteHostNotEntitled = "site-host-not-entitled"
    case serviceNotEntitled = "service-not-entitled"
    case serviceNotPublished = "service-not-published"
    case entitlementsDiffer = "entitlements-differ"
    case entitlementsUnused = "entitlements-unused"
    case entitlementsDifferByConfiguration = "entitlements-differ-by-configuration"
    case noAutoVerify = "no-auto-verify"
    case autoVerifyNeeds = "auto-verify-needs"
    case mixedSchemes = "mixed-schemes"
    case manifestSchemeForm = "manifest-scheme-form"
    case manifestHostForm = "manifest-host-form"
    case manifestPlaceholder = "manifest-placeholder"
    case hostWithoutAssetLinks = "host-without-assetlinks"
    case packageNotListed = "package-not-listed"
    case siteHostNotDeclared = "site-host-not-declared"
    case fingerprintNotPublished = "fingerprint-not-published"
    case rotatedKeyOnePublished = "rotated-key-one-published"
    case uploadKey = "upload-key"
    case keyNotPublished = "key-not-published"
    case keyNotReadable = "key-not-readable"
    case debuggableBuild = "debuggable-build"
    case manifestMIMEType = "manifest-mime-type"
    case pathWithoutSlash = "path-without-slash"
    case pathHasStar = "path-has-star"

    // The run.
    case expectationFailed = "expectation-failed"
    case signature
    case unusedSuppression = "unused-suppression"

    public var description: String { rawValue }

    /// Whether a finding is about the name that it quotes, so that other names are other causes.
    var isNamed: Bool {
        switch self {
        case .keyCase, .misplacedKey, .unknownComponentKey, .relationForm, .dynamicRuleForm,
            .undefinedVariable, .nearIdentifier:
            true
        default: false
        }
    }
}
