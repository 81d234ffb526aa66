/// The names in a condition, in small letters.
struct ConditionNames {
    private var texts = [(name: [UInt8], alternative: Int)]()
    private var alternative = 0
    /// The brackets that are open: the number of names before each, and whether commas stand in it.
    private var open = [(start: 0, isList: false)]
    /// The numbers of the names of each list that is in no other list.
    private var lists = [Range<Int>]()

    mutating func add(_ text: String) {
        texts.append((Array(text.lowercased().utf8), alternative))
    }

    mutating func endAlternative() { alternative += 1 }

    mutating func separate() { open[open.count - 1].isList = true }

    mutating func enter() { open.append((texts.count, false)) }

    mutating func leave() {
        // One that closes what is open before the condition ends no list.
        guard open.count > 1, let last = open.popLast() else { return }
        end(last)
    }

    private mutating func end(_ bracket: (start: Int, isList: Bool)) {
        guard bracket.isList else { return }
        while let last = lists.last, last.lowerBound >= bracket.start { lists.removeLast() }
        lists.append(bracket.start..<texts.count)
    }

    /// The names of each alternative: first those that stand alone, then those of each list.
    var alternatives: [[[[UInt8]]]] {
        var whole = self
        while let last = whole.open.popLast() { whole.end(last) }
        var all = [[[[UInt8]]]](repeating: [[]], count: alternative + 1)
        var (list, last) = (0, [Int?](repeating: nil, count: alternative + 1))
        for (number, text) in texts.enumerated() {
            while list < whole.lists.count, whole.lists[list].upperBound <= number { list += 1 }
            let isListed = list < whole.lists.count && whole.lists[list].contains(number)
            if isListed, last[text.alternative] != list {
                all[text.alternative].append([])
                last[text.alternative] = list
            }
            let place = isListed ? all[text.alternative].count - 1 : 0
            all[text.alternative][place].append(text.name)
        }
        return all
    }
}
