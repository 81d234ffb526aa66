import Diagnostics

// Relations between the keys of one mapping, as a JSON Schema says them. The reader checks the same, and
// says in words what is wrong.

extension Shape {
    /// The conditions that a mapping of this shape must satisfy beside its keys.
    var conditions: [JSONText] {
        switch name {
        case Shape.link.name: Self.linkConditions
        case Shape.stored.name: [Self.when("firebase", ["required": ["case"]], Self.isExact)]
        case Shape.environment.name:
            [
                Self.firstHost, Self.apiHosts, Self.consoleStore, Self.consoleProxies,
                Self.ofDatabase("store-password"), Self.ofDatabase("store-secret"),
                Self.countriesStore, Self.countriesProxies,
            ]
        case Shape.describedSite.name, Shape.siteEnvironment.name: [Self.firstHost]
        case Shape.transportSecurity.name: [Self.preloaded]
        case Shape.countries.name: [Self.oneOfCountries]
        default: []
        }
    }

    private static func when(
        _ key: String, _ members: [String: [String]], _ others: (key: String, value: JSONText)...
    ) -> JSONText {
        let lists = members.sorted { $0.key < $1.key }.map { ($0.key, JSONText.strings($0.value)) }
        return .object([
            ("dependencies", .object([(key, .object(lists + others.map { ($0.key, $0.value) }))]))
        ])
    }

    private static func properties(
        _ key: String, _ schema: [(key: String, value: JSONText)]
    ) -> (key: String, value: JSONText) {
        ("properties", .object([(key, .object(schema))]))
    }

    private static func anyRequired(_ keys: String...) -> (key: String, value: JSONText) {
        ("anyOf", .array(keys.map { .object([("required", .strings([$0]))]) }))
    }

    /// Short links of Firebase distinguish letter case.
    private static let isExact = properties("case", [("enum", .strings(["exact"]))])

    private static let apiHosts = when("api-hosts", [:], anyRequired("store", "extends"))

    private static let consoleStore = when("console", [:], anyRequired("store", "extends"))

    private static let consoleProxies = ofProxy("console", "identity-header")

    private static let countriesStore = when("countries", [:], anyRequired("store", "extends"))

    private static let countriesProxies = ofProxy("countries", "header")

    private static let oneOfCountries = JSONText.object([
        ("not", .object([("required", .strings(["header", "file"]))]))
    ])

    /// Only a trusted proxy is believed in what a header field says.
    private static func ofProxy(_ key: String, _ field: String) -> JSONText {
        when(
            key, [:],
            (
                "anyOf",
                .array([
                    .object([
                        properties(key, [("not", .object([("required", .strings([field]))]))])
                    ]),
                    .object([("required", .strings(["proxies"]))]),
                    .object([("required", .strings(["extends"]))]),
                ])
            ))
    }

    /// A file has neither a password nor a secret.
    private static func ofDatabase(_ key: String) -> JSONText {
        when(
            key, [:], anyRequired("store", "extends"),
            properties("store", [("pattern", .string("^postgres(ql)?://"))]))
    }

    /// The canonical host is no wildcard.
    private static let firstHost = JSONText.object([
        properties(
            "hosts",
            [
                (
                    "not",
                    .object([
                        (
                            "anyOf",
                            .array([
                                .object([("type", .string("string")), star]),
                                .object([
                                    ("type", .string("array")), ("minItems", .number(1)),
                                    (
                                        "items",
                                        .array([.object([("type", .string("string")), star])])
                                    ),
                                ]),
                            ])
                        )
                    ])
                )
            ])
    ])

    /// Browsers preload a host with its subdomains, and for a year at least.
    private static let preloaded: JSONText = {
        let seconds = TransportSecurity.preloadedSecondsMin...Format.hstsSecondsMax
        return .object([
            (
                "if",
                .object([
                    ("required", .strings(["preload"])), properties("preload", [("enum", isTrue)]),
                ])
            ),
            (
                "then",
                .object([
                    ("required", .strings(["include-subdomains"])),
                    (
                        "properties",
                        .object([
                            ("include-subdomains", .object([("enum", isTrue)])),
                            (
                                "max-age",
                                .object([
                                    ("minimum", .number(seconds.lowerBound)),
                                    ("pattern", .string("^\(SchemaPattern.numbers(seconds))$")),
                                ])
                            ),
                        ])
                    ),
                ])
            ),
        ])
    }()

    private static let star = (key: "pattern", value: JSONText.string(#"^\*"#))

    private static let linkConditions: [JSONText] = [
        when("after", [:], anyRequired("until", "stored")),
        // What the only star takes, at the end, is a slug.
        when(
            "stored", [:],
            properties(
                "match",
                oneOrMore([
                    .object(endsInStar), .object(hasPath(endsInStar)), .object(isExcluding),
                ]))),
        // A rule of `exclude` excludes.
        .object([
            properties(
                "exclude",
                oneOrMore([
                    .object([("not", .object([("type", .string("object"))]))]),
                    .object([properties("exclude", [("enum", isTrue)])]),
                ]))
        ]),
    ]

    private static let isTrue = JSONText.array([.string("true"), .boolean(true)])

    private static let isExcluding: [(key: String, value: JSONText)] = [
        ("type", .string("object")), ("required", .strings(["exclude"])),
        properties("exclude", [("enum", isTrue)]),
    ]

    private static let endsInStar: [(key: String, value: JSONText)] = [
        ("type", .string("string")), ("pattern", .string(#"^(?!.*\$\()[^*?]*\*$"#)),
    ]

    private static func hasPath(
        _ schema: [(key: String, value: JSONText)]
    ) -> [(key: String, value: JSONText)] {
        [
            ("type", .string("object")), ("required", .strings(["/"])), properties("/", schema),
            ("propertyNames", .object([("not", .object([("enum", .strings(["?", "#"]))]))])),
        ]
    }

    /// One value that satisfies one of these, or a list of them.
    private static func oneOrMore(_ kinds: [JSONText]) -> [(key: String, value: JSONText)] {
        let one: [(key: String, value: JSONText)] = [("anyOf", .array(kinds))]
        let list: [(key: String, value: JSONText)] = [
            ("type", .string("array")), ("items", .object(one)),
        ]
        return [
            ("if", .object([("type", .string("array"))])), ("then", .object(list)),
            ("else", .object(one)),
        ]
    }
}
