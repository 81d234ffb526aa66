internal import LinkIndex

/// The facts that a node tells the others about itself.
package struct NodeReport: Hashable, Sendable {
    package let version: String
    /// A hash of its configuration; empty while it is not known.
    package let configuration: String

    package init(version: String, configuration: String) {
        (self.version, self.configuration) = (version, configuration)
    }
}

/// A node of those that share a database.
package struct StoreNode: Equatable, Sendable {
    /// The name of its machine, and of this life of its process.
    package let name: String
    package let report: NodeReport
    /// The generation of the links that it answers.
    package let generation: Int
    /// Milliseconds by which its clock is ahead of the database's.
    package let clockOffset: Int
    /// By the database's clock, in milliseconds since 1970.
    package let started: Int
    package let seen: Int
    /// Whether its row was written a short time ago.
    package let isUp: Bool

    package init(
        name: String, _ report: NodeReport, generation: Int, clockOffset: Int, started: Int,
        seen: Int, isUp: Bool
    ) {
        (self.name, self.report, self.generation) = (name, report, generation)
        (self.clockOffset, self.started, self.seen) = (clockOffset, started, seen)
        self.isUp = isUp
    }
}

/// The nodes that share a database, as one of them sees them.
package struct StoreFleet: Equatable, Sendable {
    /// In the order of their names; also those that have ended without telling it.
    package let nodes: [StoreNode]
    /// The name of the node that sees them.
    package let own: String
    /// The generation of the database.
    package let generation: Int
    /// Whether a change is acknowledged when a standby has it, too.
    package let isSynchronous: Bool
    /// Whether the node that sees them is notified of what others change; nil until one of them has changed something.
    package let isNotified: Bool?

    package init(
        nodes: [StoreNode], own: String, generation: Int, isSynchronous: Bool,
        isNotified: Bool? = nil
    ) {
        (self.nodes, self.own, self.generation) = (nodes, own, generation)
        (self.isSynchronous, self.isNotified) = (isSynchronous, isNotified)
    }

    /// Those that are there now.
    package var present: [StoreNode] { nodes.filter(\.isUp) }

    /// The hashes of their configurations.
    package var configurations: Set<String> {
        Set(present.map(\.report.configuration)).subtracting([""])
    }

    /// A node that has told nothing for so long is not there: it tells of itself each five seconds.
    package static let presentMilliseconds = 15_000
    /// It is forgotten after a day.
    package static let keptMilliseconds = 86_400_000
}

extension LinkStore {
    /// Tells the other nodes of this one.
    /// - Returns: all nodes; nil where the store belongs to one process.
    package func announce(_ report: NodeReport, at now: Int) throws(StoreError) -> StoreFleet? {
        try rows.announce(report, generation: index.generation, at: now)
    }

    /// The nodes that share the database; nil where the store belongs to one process.
    /// - Parameter isAsking: whether all nodes are to tell at once which generation they have.
    package func fleet(askingAll isAsking: Bool = false) throws(StoreError) -> StoreFleet? {
        try rows.fleet(askingAll: isAsking)
    }

    /// Tells the other nodes that this one ends, if the database answers.
    package func leave() { rows.leave() }
}
