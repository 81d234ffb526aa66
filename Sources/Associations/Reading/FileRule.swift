/// The stable names of what can be wrong with the shape of an association file: what its readers
/// take for something else than it looks like.
package enum FileRule: String, CaseIterable, Sendable {
    // The top level of an apple-app-site-association file.
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

    case signed = "signed-file"

    // App identifiers.
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

    // Rules.
    case noRules = "no-rules"
    case pathsType = "paths-type"
    case componentType = "component-type"
    case partType = "part-type"
    case queryValueType = "query-value-type"
    case unknownKey = "unknown-component-key"
    case flagType = "flag-type"
    case defaultsPart = "defaults-part"
    case variablesInDetails = "variables-in-details"
    case variableType = "variable-type"

    // assetlinks.json.
    case notAList = "assetlinks-root"
    case noStatements = "no-statements"
    case statementShape = "statement-shape"
    case relationForm = "relation-form"
    case namespace = "target-namespace"
    case site = "target-site"
    case packageName = "package-name"
    case fingerprints = "fingerprints"
    case fingerprintForm = "fingerprint-form"
    case fingerprintCase = "fingerprint-case"
    case fingerprintPlaceholder = "fingerprint-placeholder"
    case include = "include"
    case dynamicForm = "dynamic-rule-form"

    /// Whether a finding is about the name that it quotes, so that other names are other causes.
    var isNamed: Bool {
        switch self {
        case .keyCase, .misplacedKey, .unknownKey, .relationForm, .dynamicForm: true
        default: false
        }
    }
}
