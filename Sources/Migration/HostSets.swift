/// Numbers for sets of hosts, so that rules for the same hosts are known by one comparison.
struct HostSets {
    /// The number of the empty set: what names no host is for all of them.
    static let none = 0

    private(set) var all = [[String]()]
    private var numbers = [[String](): none]
    /// The set that was asked for last. Rules of one server share its storage, so that comparing
    /// them takes no time.
    private var last = (hosts: [String](), number: none)

    mutating func number(of hosts: [String]) -> Int {
        if last.hosts == hosts { return last.number }
        let number = numbers[hosts] ?? all.count
        if number == all.count {
            all.append(hosts)
            numbers[hosts] = number
        }
        last = (hosts, number)
        return number
    }
}
