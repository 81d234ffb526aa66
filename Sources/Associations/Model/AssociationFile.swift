/// The content of an `apple-app-site-association` file, as Waymark writes it: every value is one
/// that Apple's systems read as it looks (Apple, "Supporting associated domains").
public struct AssociationFile: Hashable, Sendable {
    public var applinks: AppLinks?
    public var webCredentials: [AppIdentifier]
    public var activityContinuation: [AppIdentifier]
    public var appClips: [AppIdentifier]

    public init(
        applinks: AppLinks? = nil, webCredentials: [AppIdentifier] = [],
        activityContinuation: [AppIdentifier] = [], appClips: [AppIdentifier] = []
    ) {
        self.applinks = applinks
        self.webCredentials = webCredentials
        self.activityContinuation = activityContinuation
        self.appClips = appClips
    }
}

/// The `applinks` service: which links open which apps (Apple, "applinks").
public struct AppLinks: Hashable, Sendable {
    public var details: [Detail]
    public var defaults: ComponentDefaults
    /// Name and alternatives, in the order in which they were stated.
    public var substitutionVariables: [SubstitutionVariable]

    public init(
        details: [Detail], defaults: ComponentDefaults = .init(),
        substitutionVariables: [SubstitutionVariable] = []
    ) {
        self.details = details
        self.defaults = defaults
        self.substitutionVariables = substitutionVariables
    }
}

/// A name that patterns write as `$(name)`, and the texts that it stands for.
public struct SubstitutionVariable: Hashable, Sendable {
    public var name: String
    public var values: [String]

    public init(name: String, values: [String]) {
        self.name = name
        self.values = values
    }
}

/// One entry of `details`: apps, and the rules that are tried in order for each of them.
public struct Detail: Hashable, Sendable {
    public var appIDs: [AppIdentifier]
    public var components: [Component]
    public var defaults: ComponentDefaults

    public init(
        appIDs: [AppIdentifier], components: [Component], defaults: ComponentDefaults = .init()
    ) {
        self.appIDs = appIDs
        self.components = components
        self.defaults = defaults
    }
}

/// Flags that components inherit unless they say otherwise; nil leaves Apple's default, true.
public struct ComponentDefaults: Hashable, Sendable {
    public var caseSensitive: Bool?
    public var percentEncoded: Bool?

    public init(caseSensitive: Bool? = nil, percentEncoded: Bool? = nil) {
        self.caseSensitive = caseSensitive
        self.percentEncoded = percentEncoded
    }

    public var isEmpty: Bool { caseSensitive == nil && percentEncoded == nil }
}

/// One rule: the parts of a URL that must match, and whether a match opens the app or stops it
/// (Apple, "applinks.Details.Components"). A part that is nil is not looked at.
public struct Component: Hashable, Sendable {
    public var path: String?
    public var query: QueryPattern?
    public var fragment: String?
    public var exclude: Bool
    public var comment: String?
    public var caseSensitive: Bool?
    public var percentEncoded: Bool?

    public init(
        path: String? = nil, query: QueryPattern? = nil, fragment: String? = nil,
        exclude: Bool = false, comment: String? = nil, caseSensitive: Bool? = nil,
        percentEncoded: Bool? = nil
    ) {
        self.path = path
        self.query = query
        self.fragment = fragment
        self.exclude = exclude
        self.comment = comment
        self.caseSensitive = caseSensitive
        self.percentEncoded = percentEncoded
    }
}

/// What a component asks of the query: one pattern over the whole of it, or a pattern for each
/// named item, in the order in which they were stated.
public enum QueryPattern: Hashable, Sendable {
    case whole(String)
    case items([QueryItemPattern])
}

/// A query item's exact name, and the pattern that every item of that name must match.
public struct QueryItemPattern: Hashable, Sendable {
    public var name: String
    public var pattern: String

    public init(name: String, pattern: String) {
        self.name = name
        self.pattern = pattern
    }
}
