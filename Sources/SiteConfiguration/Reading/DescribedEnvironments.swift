import Diagnostics

/// The environments of a configuration, as they are written and as they extend each other.
struct DescribedEnvironments {
    /// By name, without unknown keys, so that environments that extend one do not inherit them.
    private(set) var entries = [String: Value.Entry]()
    /// In the order of the file, without those that have no valid chain.
    private(set) var chains = [EnvironmentChain]()
    /// Whether there are so many that none is read.
    private(set) var isOverLimit = false

    init(_ written: [Value.Entry], into findings: inout Findings) {
        if written.count > ConfigurationLimits.environmentsMax,
            let position = written.last?.position
        {
            isOverLimit = true
            findings.error(
                .tooMany, at: position,
                "file has \(written.count) environments, may have "
                    + "\(ConfigurationLimits.environmentsMax)")
            return
        }
        for entry in written { entries[entry.key] = pruned(entry) }
        var known = Set<[String]>()
        // What is no mapping has a finding already.
        for entry in written where entry.value.isMapping {
            guard let entry = entries[entry.key],
                let chain = ancestry(of: entry, &known, into: &findings)
            else { continue }
            chains.append(EnvironmentChain(entries: chain))
        }
    }

    private func pruned(_ entry: Value.Entry) -> Value.Entry {
        let known = Set(Shape.environment.keys.map(\.name))
        let entries = entry.value.entries.filter { known.contains($0.key) }
        return Value.Entry(
            key: entry.key, position: entry.position,
            value: Value(content: .mapping(entries), position: entry.value.position))
    }

    /// The environment and all that it extends, the nearest first; nil after an error.
    /// - Parameter known: the cycles that were reported, each with its names in one order.
    private func ancestry(
        of entry: Value.Entry, _ known: inout Set<[String]>, into findings: inout Findings
    ) -> [Value.Entry]? {
        var chain = [entry]
        while let parent = chain.last?.value["extends"], let name = parent.text {
            guard let next = entries[name] else {
                findings.unknownName("environment", name, at: parent.position, among: entries.keys)
                return nil
            }
            if let start = chain.firstIndex(where: { $0.key == name }) {
                let cycle = chain[start...].map(\.key)
                if known.insert(cycle.sorted()).inserted {
                    findings.error(
                        .extendsCycle, at: parent.position,
                        "environment extends itself: "
                            + (cycle + [name]).map(quoted).joined(separator: " → "),
                        advice: "remove `extends` from one of them")
                }
                return nil
            }
            chain.append(next)
            guard chain.count <= ConfigurationLimits.extendsStepsMax + 1 else {
                findings.error(
                    .extendsCycle, at: entry.position,
                    "environment extends over more than "
                        + "\(ConfigurationLimits.extendsStepsMax) others",
                    advice: "let it extend one that is nearer to the first")
                return nil
            }
        }
        return chain
    }
}

/// An environment and all that it extends.
struct EnvironmentChain {
    /// The nearest first; never empty.
    let entries: [Value.Entry]

    var entry: Value.Entry { entries[0] }
    var name: String { entry.key }

    /// The environment with everything that it inherits.
    var inherited: Value { .inherited(entries.map(\.value), at: entry.value.position) }
}

extension Value {
    /// Each key has its nearest value. A list or mapping replaces the inherited one, and adds
    /// nothing to it.
    /// - Parameter layers: the nearest first.
    static func inherited(_ layers: [Value], at position: SourcePosition) -> Value {
        var entries = [String: Entry]()
        for entry in layers.reversed().flatMap(\.entries) { entries[entry.key] = entry }
        return Value(content: .mapping(Array(entries.values)), position: position)
    }
}
