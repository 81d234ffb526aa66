package import LinkStore
internal import PostgreSQL
internal import Sockets

/// A copy of a store from a file to a server, or back: links, aliases and tombstones with the tokens, the audit,
/// answers to repeated requests, and visits. What was cut goes on with the links that are there.
package struct StoreCopy {
    /// Called with the number of rows that were added.
    let report: (_ table: String, _ rows: Int) throws(StoreError) -> Void
    /// Links and aliases of one transaction.
    var pieceRows = 100_000

    package init(_ report: @escaping (String, Int) throws(StoreError) -> Void) {
        self.report = report
    }

    /// The result of a copy, in which both stores were compared.
    package struct Summary: Sendable {
        /// The tables that have rows.
        package var tables = [(name: String, sum: CopiedSum)]()
        /// Whether the other store had all of it already, and nothing was written.
        package var wasThere = false
        /// Links and aliases that another attempt had left.
        package var left = 0
        /// Whether there are visits, and they are of other links, so that they were not copied.
        package var hasOtherVisits = false
        /// Changes that nodes have made meanwhile, which are not copied.
        package var missed = 0
    }

    /// The tables that are copied anew each time, and those that are compared.
    private static let others = [CopiedTable.marks] + CopiedTable.others
    private static let compared = [CopiedTable.collections, .links, .aliases] + CopiedTable.others

    /// Compares the stores, which have their tables in different forms.
    /// - Parameters:
    ///   - wasThere: whether the copy was there before, so that it may be in use.
    private func compare(
        _ wasThere: Bool, _ first: (CopiedTable) throws(StoreError) -> CopiedSum,
        _ second: (CopiedTable) throws(StoreError) -> CopiedSum
    ) throws(StoreError) -> [(name: String, sum: CopiedSum)] {
        var tables = [(name: String, sum: CopiedSum)]()
        var others = [String]()
        for table in Self.compared {
            try report("comparing \(table.name)", 0)
            let (one, other) = (try first(table), try second(table))
            if one != other { others.append("\(table.name): \(other.count), of \(one.count)") }
            if one.count > 0 { tables.append((table.name, one)) }
        }
        guard others.isEmpty else {
            let words = others.joined(separator: "; ")
            throw wasThere
                ? .notCopied(
                    "a copy with the same changes of links is there already, and has other \(words)",
                    advice:
                        "nothing was copied: one of the two was used since. To copy again, remove what is there"
                )
                : .notCopied(
                    "the copy has other \(words)",
                    advice: "nobody uses it; remove what is there, and run the command again")
        }
        return tables
    }

    // MARK: To a server

    /// Copies a file that no process serves.
    package func copy(_ path: String, to place: PostgreSQLPlace) throws(StoreError) -> Summary {
        let source = try CopiedFile(path)
        let target = try CopyTarget(place, source.state)
        var summary = Summary()
        (summary.wasThere, summary.hasOtherVisits) = (target.isComplete, source.hasOtherVisits)
        summary.left = target.done.links + target.done.aliases
        do throws(StoreError) {
            try copy(source, to: target, &summary)
        } catch {
            if !target.isComplete { target.discard(after: error) }
            throw error
        }
        try source.close()
        return summary
    }

    private func copy(
        _ source: CopiedFile, to target: CopyTarget, _ summary: inout Summary
    ) throws(StoreError) {
        if !target.isComplete {
            try target.add(source.collections())
            let links = try source.rows(of: .links, after: target.done.links)
            while try add(links, .links, to: target) == pieceRows {}
            let aliases = try source.rows(of: .aliases, after: target.done.aliases)
            while try add(aliases, .aliases, to: target) == pieceRows {}
            for table in Self.others { try add(source.rows(of: table), table, to: target) }
            try report("making indexes", 0)
            try target.complete()
        }
        summary.tables = try compare(
            target.isComplete, { table throws(StoreError) in try source.sum(of: table) },
            { table throws(StoreError) in try target.sum(of: table) })
        if !target.isComplete { try target.finish() }
    }

    /// Adds rows in a transaction, of which links and aliases have several.
    @discardableResult
    private func add(
        _ rows: CopiedRows, _ table: CopiedTable, to target: CopyTarget
    ) throws(StoreError) -> Int {
        var failure: StoreError?
        let isPart = [CopiedTable.links.name, CopiedTable.aliases.name].contains(table.name)
        let count = try target.add(table, anew: !isPart, most: isPart ? pieceRows : .max) {
            copied in
            do throws(StoreError) {
                guard try rows.next() else { return false }
                copied.add(table.values(rows))
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        try report(table.name, count)
        return count
    }

    // MARK: To a file

    /// Copies the database of a server, as it is at one moment.
    package func copy(_ place: PostgreSQLPlace, to path: String) throws(StoreError) -> Summary {
        let source = try CopySource(place)
        let target = try CopiedFileDraft(path, source.state)
        var summary = Summary()
        summary.wasThere = target.isComplete
        summary.left = target.done.links + target.done.aliases
        if !target.isComplete {
            try add(.collections, of: source, to: target)
            while try add(.links, of: source, to: target, after: target.done.links) == pieceRows {}
            while try add(.aliases, of: source, to: target, after: target.done.aliases) == pieceRows
            {}
            for table in Self.others { try add(table, of: source, to: target) }
        }
        summary.tables = try compare(
            target.isComplete,
            { table throws(StoreError) in try source.sum(of: table) },
            { table throws(StoreError) in try target.sum(of: table) })
        try target.finish()
        summary.missed = try source.missed()
        return summary
    }

    /// - Parameter done: the number of rows that are there; nil if all are added anew.
    @discardableResult
    private func add(
        _ table: CopiedTable, of source: CopySource, to target: CopiedFileDraft,
        after done: Int? = nil
    ) throws(StoreError) -> Int {
        var (failure, count) = (StoreError?.none, 0)
        let insertion = try target.begin(table, anew: done == nil)
        try source.read(table, after: done ?? 0, most: done == nil ? .max : pieceRows) { row in
            guard failure == nil else { return }
            do throws(StoreError) {
                try insertion.add(row)
                count += 1
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        var all = target.done
        if table.name == CopiedTable.links.name { all.links += count }
        if table.name == CopiedTable.aliases.name { all.aliases += count }
        try target.commit(table, all)
        try report(table.name, count)
        return count
    }
}

extension CopiedTable {
    /// The values of a row for a server.
    fileprivate func values(_ row: some CopiedRow) -> [PostgreSQLValue] {
        var values = columns.enumerated().map { index, column -> PostgreSQLValue in
            guard !row.isNull(index) else { return .null }
            return switch column.kind {
            case .number: .integer(row.integer(index))
            case .flag: .boolean(row.integer(index) != 0)
            // A text is its bytes there, too.
            case .text: .blob(row.textBytes(index))
            case .blob: .blob(row.blob(index))
            }
        }
        switch addition {
        case .nothing: break
        case .node: values.append(.text(""))
        case .maker: values += [.text("copy"), .integer(Clock.unixSeconds)]
        }
        return values
    }
}
