/// The stable names of what a well-formed file can say that its author cannot have meant.
package enum LinkRule: String, CaseIterable, Sendable {
    // Apps beside one another.
    case sharedURL = "shared-url"
    case missingCredentials = "missing-webcredentials"
    case appClipPosition = "app-clip-place"
    case nearIdentifier = "near-identifier"

    // What one pattern says.
    case queryStar = "query-star"
    case notForm = "not-form"
    case notInComponent = "not-in-component"
    case queryInPath = "query-in-path"
    case fragmentInPath = "fragment-in-path"
    case hostInPath = "host-in-path"
    case noLeadingSlash = "no-leading-slash"
    case shortPath = "one-character-path"
    case doubleStar = "double-star"
    case prefixWithoutSlash = "prefix-without-slash"
    case starAcrossSegments = "star-across-segments"
    case routerSyntax = "router-syntax"
    case commentSaysPrefix = "comment-says-prefix"
    case unencoded = "unencoded-pattern"
    case encoded = "encoded-pattern"
    case lowerCaseHex = "lower-case-hex"
    case decodedExclude = "decoded-exclude"
    case mixedCase = "mixed-case"
    case manyStars = "many-stars"
    case backslash = "backslash"
    case pathForm = "path-form"
    case markInPattern = "mark-in-pattern"
    case curlyQuotes = "curly-quotes"

    // What rules say one after the other.
    case unreachable = "unreachable-rule"
    case catchAllNotLast = "catch-all-not-last"
    case catchAllAlone = "catch-all-alone"
    case onlyRoot = "only-root"
    case onlyExcludes = "only-excludes"
    case redundant = "redundant-rule"
    case duplicate = "duplicate-rule"
    case pathsDisagree = "paths-disagree"
    case singularAppID = "singular-app-id"
    case webLoop = "web-loop"

    // Variables.
    case undefinedVariable = "undefined-variable"
    case variableForm = "variable-form"
    case emptyVariable = "empty-variable"
    case shadowedVariable = "shadowed-variable"
    case unusedVariable = "unused-variable"
    case regionVariable = "region-variable"

    // assetlinks.json.
    case noHandleAllURLs = "no-handle-all-urls"
    case oneFingerprint = "one-fingerprint"
    case dynamicOrder = "dynamic-order"
    case duplicateStatement = "duplicate-statement"
    case platformsDiffer = "platforms-differ"

    /// Whether a finding is about the name that it quotes, so that other names are other causes.
    var isNamed: Bool { self == .undefinedVariable || self == .nearIdentifier }
}
