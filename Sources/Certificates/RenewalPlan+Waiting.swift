/// The turns of hosts: a prediction, which changes nothing.
extension RenewalPlan {
    /// A host that waits for its turn, and what it waits for.
    package struct Waiting: Sendable {
        package let entry: Entry
        /// The time of its attempt, if the orders of those before it succeed.
        package fileprivate(set) var due: Int
        /// The pause that it shares with other hosts; nil if it is in none.
        package let pause: OrderPause?
        /// Nil if it waits for nothing, or if its last failure is the reason.
        package fileprivate(set) var reason: String?
        /// The name of the authority that is asked.
        fileprivate let authority: String
        fileprivate let place: OrderTurns.Place
        /// Whether no other host delays the time at which it is ready.
        fileprivate let isReadyAlone: Bool
    }

    /// The hosts without a certificate that is of use, in the order in which they are tried.
    package func waiting(now: Int, milliseconds: Int) -> [Waiting] {
        turns(now: now, milliseconds: milliseconds).filter { $0.entry.usableValidity == nil }
    }

    /// All hosts without an order under way, in the order in which they are tried. Each order takes its
    /// part of what an account and a domain are allowed, so the later ones wait for it.
    package func turns(now: Int, milliseconds: Int) -> [Waiting] {
        Dictionary(grouping: candidates(now: now), by: \.authority)
            .sorted { $0.key < $1.key }
            .flatMap { authority, hosts in
                Self.turns(
                    of: hosts, allowances[authority] ?? OrderAllowance(), now: now,
                    milliseconds: milliseconds)
            }
            // Sorting keeps the order of those that begin at the same time.
            .sorted { $0.due < $1.due }
    }

    /// The hosts with the times at which they are ready; those of one domain take the places that its limit
    /// leaves one after the other.
    private func candidates(now: Int) -> [Waiting] {
        var plan = self
        return entries.indices.lazy.filter { entries[$0].underway == nil }
            .map { index in
                let entry = entries[index]
                let attempt = attempt(of: entry, now: now)
                let alone = max(now, ready(entry, with: attempt.authority, now: now))
                return (entry, attempt, entry.place(index, now: now), alone)
            }
            .sorted { ($0.3, $0.2) < ($1.3, $1.2) }
            .map { entry, attempt, place, alone in
                let ready = max(now, plan.ready(entry, with: attempt.authority, now: now))
                // What is ordered by hand waits for no pause.
                let allowance =
                    entry.record.isRenewalOrdered ? nil : plan.allowances[attempt.authority]
                let pause = allowance?.pause(of: entry.subject, now: now)
                    .flatMap { $0.until(for: entry.subject) >= ready ? $0 : nil }
                if !attempt.isRehearsal, entry.usableValidity == nil, let domain = entry.domain {
                    plan.allowances[attempt.authority]?.begin(inDomain: domain)
                }
                let isLost =
                    entry.record.failures == 0 && entry.record.replacementTime(now: now) == ready
                return Waiting(
                    entry: entry, due: ready, pause: pause,
                    reason: pause?.reason
                        ?? (isLost
                            ? "others for the same names were issued lately, and authorities issue few"
                            : nil),
                    authority: attempt.authority, place: place, isReadyAlone: ready == alone)
            }
    }

    /// Gives one account's hosts their turns.
    /// - Parameter hosts: with the times at which they are ready.
    private static func turns(
        of hosts: [Waiting], _ allowance: OrderAllowance, now: Int, milliseconds: Int
    ) -> [Waiting] {
        var (allowance, time, entered, found) = (allowance, now, 0, [Waiting]())
        let hosts = hosts.sorted { ($0.due, $0.place) < ($1.due, $1.place) }
        // The indices of those that are ready, the first one last.
        var lines = [OrderTurns.Line: [Int]]()
        while found.count < hosts.count {
            if entered < hosts.count, lines.isEmpty { time = max(time, hosts[entered].due) }
            enter()
            time = allowance.paced(
                isByHand: lines[.ordered] != nil, now: time,
                milliseconds: milliseconds + 1_000 * (time - now))
            enter()
            guard let line = allowance.turns.next(of: Array(lines.keys)),
                let index = lines[line]?.popLast()
            else { return found }
            if lines[line]?.isEmpty == true { lines[line] = nil }
            var host = hosts[index]
            if time <= now {
                host.reason = nil
            } else if time > host.due || !host.isReadyAlone {
                host.reason = host.reason ?? OrderPace.reason
            }
            host.due = time
            allowance.turns.note(line)
            if host.entry.record.order.order == nil {
                allowance.note(milliseconds: milliseconds + 1_000 * (time - now))
            }
            found.append(host)
        }
        return found

        func enter() {
            while entered < hosts.count, hosts[entered].due <= time {
                let place = hosts[entered].place
                var line = lines[place.line] ?? []
                lines[place.line] = nil
                var (low, high) = (0, line.count)
                while low < high {
                    let middle = (low + high) / 2
                    if hosts[line[middle]].place < place { high = middle } else { low = middle + 1 }
                }
                line.insert(entered, at: low)
                lines[place.line] = line
                entered += 1
            }
        }
    }
}
