/// The content of an `apple-app-site-association` file that Waymark writes. Apple's systems read
/// every value as it looks (Apple, "Supporting associated domains").
public struct AssociationFile: Hashable, Sendable {
    /// The links that open each app; nil leaves the service out.
    public var applinks: AppLinks?
    /// `webcredentials`: the apps that share passwords and passkeys with this site.
    public var webCredentials: [AppIdentifier]
    /// `activitycontinuation`: the apps that take over an activity by Handoff.
    public var activityContinuation: [AppIdentifier]
    /// `appclips`: the App Clips that this site's links invoke.
    public var appClips: [AppIdentifier]

    /// A service without apps is left out of the file.
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
    /// The apps and their rules. If several entries name the same app, the first counts.
    public var details: [Detail]
    /// The flags of every component that does not have its own, or its entry's.
    public var defaults: ComponentDefaults
    /// In the order of the file.
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

/// A name that patterns write as `$(name)`, and the texts for which it stands (Apple,
/// "applinks.SubstitutionVariables").
public struct SubstitutionVariable: Hashable, Sendable {
    /// Without `$(` and `)`; it replaces a predefined variable of the same name.
    public var name: String
    /// Alternatives. They can contain wildcards, but no variables.
    public var values: [String]

    public init(name: String, values: [String]) {
        self.name = name
        self.values = values
    }
}

/// One entry of `details`: apps, and the rules that are tried in order for each of them.
public struct Detail: Hashable, Sendable {
    /// The apps that have these rules.
    public var appIDs: [AppIdentifier]
    /// Tried in order: the first that matches a link decides.
    public var components: [Component]
    /// The flags of these components; the file's apply if they are nil.
    public var defaults: ComponentDefaults

    public init(
        appIDs: [AppIdentifier], components: [Component], defaults: ComponentDefaults = .init()
    ) {
        self.appIDs = appIDs
        self.components = components
        self.defaults = defaults
    }
}

/// Flags of components that do not have their own; nil leaves Apple's default, true.
public struct ComponentDefaults: Hashable, Sendable {
    /// If false, letter case makes no difference.
    public var caseSensitive: Bool?
    /// If false, patterns are compared with the URL's decoded parts.
    public var percentEncoded: Bool?

    public init(caseSensitive: Bool? = nil, percentEncoded: Bool? = nil) {
        self.caseSensitive = caseSensitive
        self.percentEncoded = percentEncoded
    }

    /// Whether neither flag is set.
    public var isEmpty: Bool { caseSensitive == nil && percentEncoded == nil }
}

/// One rule: the parts of a URL that must match, and whether a match opens the app or keeps the
/// link in the browser (Apple, "applinks.Details.Components"). In a pattern, `*` matches any text,
/// `?` one character and `$(name)` the values of a variable. A part that is nil is not compared.
public struct Component: Hashable, Sendable {
    /// `/`: a pattern for the whole path.
    public var path: String?
    /// `?`: the pattern for the query.
    public var query: QueryPattern?
    /// `#`: a pattern for the whole fragment.
    public var fragment: String?
    /// Whether a match keeps the link in the browser.
    public var exclude: Bool
    /// A remark, which is published with the rule.
    public var comment: String?
    /// If false, letter case makes no difference; nil inherits.
    public var caseSensitive: Bool?
    /// If false, patterns are compared with the URL's decoded parts; nil inherits.
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

/// A component's requirement of the query: one pattern for the whole query, or a pattern for each
/// named item, in the order of the file.
public enum QueryPattern: Hashable, Sendable {
    case whole(String)
    case items([QueryItemPattern])

    /// Its patterns, without the names of items.
    var patterns: [String] {
        switch self {
        case .whole(let pattern): [pattern]
        case .items(let items): items.map(\.pattern)
        }
    }
}

/// A query item's exact name, and the pattern that every item of that name must match.
public struct QueryItemPattern: Hashable, Sendable {
    /// Compared exactly, including letter case.
    public var name: String
    /// A missing item counts as an empty one.
    public var pattern: String

    public init(name: String, pattern: String) {
        self.name = name
        self.pattern = pattern
    }
}
