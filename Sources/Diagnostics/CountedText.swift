/// A number and a noun in singular or plural: "1 line", "2 lines".
package func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// A number, a noun and a passive verb: "1 line was lost", "2 lines were lost".
package func counted(_ count: Int, _ noun: String, was what: String) -> String {
    "\(counted(count, noun)) \(count == 1 ? "was" : "were") \(what)"
}

/// Words in a list: `a, b or c`.
package func inWords(_ words: [String], _ conjunction: String = "or") -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}

/// A time in the largest unit of which there are two: "119 seconds", "2 minutes".
package func durationInWords(_ seconds: Int) -> String {
    for (unit, size) in [("day", 86_400), ("hour", 3_600), ("minute", 60)]
    where seconds >= 2 * size { return counted(seconds / size, unit) }
    return counted(max(0, seconds), "second")
}
