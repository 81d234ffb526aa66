import Diagnostics
package import LinkStore

/// The times at which a node tells the others of itself, and the news in what it sees of them.
package struct FleetWatch: Sendable {
    private var last: (report: NodeReport, generation: Int, milliseconds: Int)?
    /// The answers in a row in which configurations have differed.
    private var differing = 0
    /// The configurations that the log has said to differ; empty while they do not.
    private var told = Set<String>()
    /// The answers in a row in which this node's clock was another one than the database's.
    private var clocks = 0
    /// Whether this node is notified of changes, as the log has it.
    private var isNotified = true

    package init() {}

    /// Whether it is time to tell the others: every five seconds, when there is something new of the node, a second
    /// after it has told another generation, and at once if somebody waits for that.
    package mutating func isDue(
        _ report: NodeReport, generation: Int = 0, isAwaited: Bool = false, at milliseconds: Int
    ) -> Bool {
        if let last, last.report == report {
            let isSame = last.generation == generation
            let pause =
                isSame
                ? Self.intervalMilliseconds : isAwaited ? 0 : Self.generationMilliseconds
            if milliseconds - last.milliseconds < pause { return false }
        }
        last = (report, generation, milliseconds)
        return true
    }

    /// The others could not be told: it is tried again in a second.
    package mutating func failed() { last?.generation = -1 }

    private static let intervalMilliseconds = 5_000
    private static let generationMilliseconds = 1_000
    /// Nodes are given other configurations one after the other.
    private static let differingMax = 3

    /// The messages about what is new of the nodes.
    package mutating func news(_ fleet: StoreFleet) -> [ServiceEvent] {
        [
            differences(of: fleet).map(ServiceEvent.finding),
            clock(of: fleet).map(ServiceEvent.finding), silence(of: fleet),
        ].compactMap(\.self)
    }

    /// The message that the clocks of this node and of the database differ, once until they do not.
    private mutating func clock(of fleet: StoreFleet) -> Diagnostic? {
        let own = fleet.nodes.first { $0.name == fleet.own }
        guard let offset = own?.clockOffset, offset.magnitude > Self.clockMilliseconds else {
            clocks = 0
            return nil
        }
        clocks += 1
        guard clocks == Self.differingMax else { return nil }
        return Diagnostic(
            .warning, .linkStore, at: nil,
            "the clocks of this node and of the nodes' database differ: this one is "
                + "\(offset.magnitude / 1_000) seconds \(offset > 0 ? "ahead" : "behind")",
            advice:
                "let a time server set both; links begin and end by the clock of the node that answers"
        )
    }

    /// The way of a statement counts, too.
    private static let clockMilliseconds = 2_000

    /// The message that notifications do not arrive, or that they do again.
    private mutating func silence(of fleet: StoreFleet) -> ServiceEvent? {
        guard let isNotified = fleet.isNotified, isNotified != self.isNotified else { return nil }
        self.isNotified = isNotified
        guard !isNotified else { return .notificationsArrive }
        return .finding(
            Diagnostic(
                .warning, .linkStore, at: nil,
                "notifications of the database do not arrive, so this node asks once a second what others have changed",
                advice: "let PgBouncer pool sessions (`pool_mode = session`), or connect without it"
            ))
    }

    /// The message about nodes whose configurations differ, once for each set of configurations.
    private mutating func differences(of fleet: StoreFleet) -> Diagnostic? {
        let configurations = fleet.configurations
        guard configurations.count > 1 else {
            (differing, told) = (0, [])
            return nil
        }
        differing += 1
        guard differing >= Self.differingMax, told != configurations else { return nil }
        told = configurations
        // One node of each configuration: among a thousand nodes, the first eight may all have the same.
        var named = Set([""])
        let some = fleet.present.filter { named.insert($0.report.configuration).inserted }
        let nodes = some.prefix(Self.namesMax).map { node in
            "\(quoted(node.name)) \(node.report.configuration)"
        }
        return Diagnostic(
            .warning, .linkStore, at: nil,
            "nodes that share the stored links have \(configurations.count) configurations: "
                + nodes.joined(separator: ", "),
            advice: "give all nodes the same configuration; `waymark nodes` lists them")
    }

    private static let namesMax = 8
}
