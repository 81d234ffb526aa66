internal import SQLite
internal import Visits

extension VisitStore {
    package func hoursAtOnce(of links: Int) -> Int {
        links <= VisitTables.soughtLinksMax ? 24 * 30 : 24
    }

    package func visits(
        of links: LinkGroups, _ hours: Range<Int>, days: Range<Int>, by groups: VisitGroups?
    ) throws(StoreError) -> GroupedVisits {
        var sums = GroupedVisits(by: groups)
        guard !links.links.isEmpty else { return sums }
        try tables.file.sqlite { () throws(SQLiteError) in
            for (table, times, unit) in [("hour", hours, 1), ("day", days, 24)] where !times.isEmpty
            {
                if links.links.count <= VisitTables.soughtLinksMax {
                    for row in try tables.counts(table, of: links.links, times) {
                        guard let group = links.group(of: row.link) else { continue }
                        let key = VisitKey(link: row.link, hour: unit * row.time, kind: row.kind)
                        sums.add(group, key, row.count)
                    }
                } else {
                    try tables.eachCount(table, times) { key, count in
                        guard let group = links.group(of: key.link) else { return }
                        var key = key
                        key.hour *= unit
                        sums.add(group, key, count)
                    }
                }
            }
        }
        func addWaiting(_ slot: KeyCounts.Slot) {
            let key = VisitKey(packed: slot.key)
            guard hours.contains(key.hour), let group = links.group(of: key.link) else { return }
            sums.add(group, key, Int(slot.count))
        }
        forEachWaiting(addWaiting)
        return sums
    }
}
