import Diagnostics
import LinkStore
private import URISyntax

/// An item that a query can have.
struct Parameter: Sendable {
    let name: String
    let form: Form
    /// For people.
    let summary: String

    enum Form: Sendable {
        case text
        case flag
        case choice([String])
        /// One of these, or two with a comma between them.
        case choices([String])
        /// Some of these, with commas between them.
        case names([String])
        case number(ClosedRange<Int>)
        /// The id of a link.
        case link
        /// The ids of links, at most so many, with commas between them.
        case links(Int)
        /// The name of a host, without scheme, port and path.
        case host
    }

    init(_ name: String, _ form: Form, _ summary: String) {
        (self.name, self.form, self.summary) = (name, form, summary)
    }

    /// The reason for which it cannot have a value; nil if it can.
    func fault(of value: String) -> String? {
        func wrong(_ need: String) -> String { "\(name) is \(quoted(value)), must be \(need)" }
        switch form {
        case .text: return nil
        case .flag: return ["true", "false"].contains(value) ? nil : wrong("true or false")
        case .choice(let choices):
            guard !choices.contains(value) else { return nil }
            let nearest = nearestName(to: value, among: choices).map { "; \(didYouMean($0))" }
            return wrong("one of \(choices.joined(separator: ", "))") + (nearest ?? "")
        case .choices(let choices):
            let words = value.utf8.split(
                separator: UInt8(ascii: ","), maxSplits: 2, omittingEmptySubsequences: false
            ).map { String($0) ?? "" }
            let stranger = words.first { !choices.contains($0) }
            guard stranger != nil || words.count > 2 else { return nil }
            let nearest = stranger.flatMap { nearestName(to: $0, among: choices) }
            return wrong("one of \(choices.joined(separator: ", ")), or two with a comma")
                + (nearest.map { "; \(didYouMean($0))" } ?? "")
        case .names(let names):
            let words = value.utf8.split(
                separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            guard words.count <= names.count else {
                return "\(name) has \(words.count) names, may have \(names.count): name each once"
            }
            let stranger = words.lazy.map { String($0) ?? "" }.first { !names.contains($0) }
            guard let stranger else { return nil }
            return "\(name) has \(quoted(stranger)); "
                + (nearestName(to: stranger, among: names).map(didYouMean)
                    ?? listed(names, as: "name"))
        case .number(let range):
            // A sign, or zeros before it, would be another spelling.
            guard let number = Int(value), "\(number)" == value, range.contains(number) else {
                let end = range.upperBound == .max ? "or more" : "to \(range.upperBound)"
                return wrong("\(range.lowerBound) \(end)")
            }
            return nil
        case .link: return LinkID(value) == nil ? wrong("the id of a link") : nil
        case .links(let most):
            let ids = value.utf8.split(
                separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            guard ids.count <= most else {
                return
                    "\(name) has \(ids.count) ids, may have \(most): ask for the others in another request"
            }
            guard let stranger = ids.first(where: { String($0).flatMap { LinkID($0) } == nil })
            else { return nil }
            let text = quoted(String(decoding: stranger, as: UTF8.self))
            return "\(name) has \(text), must be ids of links with commas between them"
        case .host:
            guard let host = try? HostName(value), !host.isAddress else {
                return wrong("the name of a host, such as example.page.link")
            }
            return nil
        }
    }

    /// The fault of a name that no parameter has.
    static func unknown(_ name: String, among all: [Parameter]) -> String {
        let advice =
            nearestName(to: name, among: all.map(\.name)).map(didYouMean)
            ?? (all.isEmpty ? nil : listed(all.map(\.name), as: "parameter"))
        return "there is no parameter \(quoted(name))" + (advice.map { "; \($0)" } ?? "")
    }
}

extension APIRequest {
    /// The value of a parameter with the form of a number.
    func number(_ name: String) -> Int? { item(name).flatMap { Int($0) } }

    /// The values of a parameter with the form of names, each once; nil without it.
    func names(_ name: String) -> [String]? {
        var seen = Set<String>()
        return item(name)?.utf8.split(separator: UInt8(ascii: ","))
            .compactMap { String($0) }.filter { seen.insert($0).inserted }
    }

    /// The value of a parameter with the form of ids, each once; nil without it.
    func links(_ name: String) -> [LinkID]? {
        var seen = Set<LinkID>()
        return item(name)?.utf8.split(separator: UInt8(ascii: ","))
            .compactMap { String($0).flatMap { LinkID($0) } }.filter { seen.insert($0).inserted }
    }
}
