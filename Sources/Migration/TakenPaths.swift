/// The rules of locations, and which paths each of them leaves to other locations.
struct TakenPaths {
    private var locations = [(location: NginxLocation, rules: Range<Int>)]()
    /// Exact paths and prefixes of locations that do not answer all of their paths.
    private var taken = [NginxLocation]()
    /// Regular expressions of such locations, and how many locations came before each.
    private var expressions = [(paths: [ExcludedPaths], position: Int)]()
    /// Prefixes that regular expressions come before.
    private let prefixes: [NginxLocation]
    /// The locations that links could not leave out.
    private(set) var untranslated = [(SourceLine, String)]()
    /// Expressions meet all other locations, so that their number is bounded.
    private static let expressionsMax = 100

    init(_ block: [NginxDirective]) {
        prefixes = block.compactMap(NginxLocation.init).filter { $0.kind == .prefix }
    }

    /// Adds the next location.
    mutating func add(_ location: NginxLocation, rules: Range<Int>, isComplete: Bool) {
        locations.append((location, rules))
        guard !isComplete else { return }
        if location.kind != .expression {
            taken.append(location)
        } else if expressions.count < Self.expressionsMax {
            expressions.append((location.excluded, locations.count - 1))
        } else {
            untranslated.append(
                (
                    location.directive.source,
                    "only \(Self.expressionsMax) expressions are left out of later links"
                ))
        }
    }

    /// The paths to leave out of rules, by the number of the rule.
    mutating func exclusions() -> [Int: [ExcludedPaths]] {
        var result = [Int: [ExcludedPaths]]()
        // By their paths, so that a location looks only at those around it.
        var owners = [[UInt8]: [Int]]()
        for (number, (location, rules)) in locations.enumerated() {
            switch location.kind {
            case .exact: continue
            case .firstPrefix, .prefix:
                owners[Array(location.path.utf8), default: []].append(number)
            case .expression: break
            }
            let earlier = expressions.prefix { $0.position < number }.flatMap(\.paths)
            if location.kind != .firstPrefix, !rules.isEmpty, !earlier.isEmpty {
                for rule in rules { result[rule, default: []] += earlier }
            }
        }
        let lengths = Set(owners.keys.map(\.count)).sorted()
        func leaveOut(_ inner: NginxLocation, of kinds: Set<NginxLocation.Kind>) {
            let bytes = Array(inner.path.utf8)
            for length in lengths where length <= bytes.count {
                for number in owners[Array(bytes[..<length])] ?? [] {
                    let (outer, rules) = locations[number]
                    let isLonger = length < bytes.count || inner.kind == .exact
                    guard isLonger, kinds.contains(outer.kind) else { continue }
                    for rule in rules { result[rule, default: []] += inner.excluded }
                }
            }
        }
        for inner in taken { leaveOut(inner, of: [.firstPrefix, .prefix]) }
        // The longest prefix decides, and only one with ^~ comes before expressions.
        for inner in prefixes { leaveOut(inner, of: [.firstPrefix]) }
        leaveOutOfExpressions(&result)
        return result
    }

    /// Exact paths, and prefixes with ^~, come before expressions.
    private mutating func leaveOutOfExpressions(_ result: inout [Int: [ExcludedPaths]]) {
        let first = taken.filter { $0.kind != .prefix }
        let ranges = locations.filter { $0.location.kind == .expression && !$0.rules.isEmpty }
        guard !ranges.isEmpty else { return }
        for location in first.dropFirst(Self.expressionsMax) {
            untranslated.append(
                (
                    location.directive.source,
                    "only \(Self.expressionsMax) locations are left out of expressions"
                ))
        }
        for location in first.prefix(Self.expressionsMax) {
            let inner = prefixes.first {
                location.kind == .firstPrefix && $0.path.utf8.starts(with: location.path.utf8)
            }
            if let inner {
                untranslated.append(
                    (
                        location.directive.source,
                        "expressions leave out its paths, and also those of \(inner.path)"
                    ))
            }
            for (_, rules) in ranges {
                for rule in rules { result[rule, default: []] += location.excluded }
            }
        }
    }
}

extension NginxLocation {
    /// Its paths, for rules that leave them out.
    fileprivate var excluded: [ExcludedPaths] {
        patterns.map { ExcludedPaths(pattern: $0, isCaseSensitive: isCaseSensitive) }
    }
}
