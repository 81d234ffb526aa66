import Markup

/// The elements of a page, and what is wrong with them.
struct PageStructure {
    /// The start tags with the names of their attributes, in their order.
    private(set) var tags = [String]()
    private(set) var faults = [String]()
    private(set) var ids = [String]()
    /// The values of the fields of forms, by their names.
    private(set) var values = [String: String]()
    /// The values of its hidden fields.
    private(set) var hidden = [(String, String)]()
    /// The choices of its lists, by their names.
    private(set) var choices = [String: String]()
    /// What the bars of charts say to a pointer, in their order.
    private(set) var bars = [String]()
    /// The texts between the tags.
    private(set) var text = ""
    private(set) var style = ""
    private(set) var script = ""
    private(set) var hrefs = [String]()

    private static let void: Set = ["meta", "input", "img", "br", "link", "hr"]

    /// The items that the form of an editor sends.
    var form: [(String, String)] {
        hidden + values.map { ($0.key, $0.value) } + choices.map { ($0.key, $0.value) }
    }

    init(_ content: [UInt8]) {
        var open = [String]()
        var (labels, described) = ([String](), [String]())
        var (area, list): (String?, String?)
        for token in HTMLTokenizer(content) {
            switch token.kind {
            case .startTag(let tag):
                let names = tag.attributes.map(\.name)
                tags.append("\(tag.name) \(names.joined(separator: " "))")
                func value(_ name: String) -> String? {
                    tag.attributes.first { $0.name == name }?.value
                }
                if let id = value("id") { ids.append(id) }
                if let label = value("for") { labels.append(label) }
                described += value("aria-describedby")?.split(separator: " ").map(String.init) ?? []
                if let href = value("href") ?? value("src") ?? value("action") {
                    hrefs.append(href)
                }
                if tag.name == "input", let name = value("name"), value("type") != "hidden" {
                    values[name] = value("value") ?? ""
                }
                if tag.name == "input", let name = value("name"), value("type") == "hidden" {
                    hidden.append((name, value("value") ?? ""))
                }
                if tag.name == "select" { list = value("name") }
                if tag.name == "option", let list,
                    names.contains("selected") || choices[list] == nil
                {
                    choices[list] = value("value")
                }
                if tag.name == "textarea" { area = value("name") }
                for name in names where name.hasPrefix("on") || name == "style" {
                    faults.append("\(tag.name) has \(name)")
                }
                if !Self.void.contains(tag.name), !tag.isSelfClosing { open.append(tag.name) }
            case .endTag(let name):
                if name == "textarea" { area = nil }
                if name == "select" { list = nil }
                if open.popLast() != name { faults.append("</\(name)> ends another element") }
            case .text(let text):
                if let area { values[area] = String(text.dropFirst()) }
                if open.last == "title", open.contains("svg") { bars.append(text) }
                switch open.last {
                case "style": style += text
                case "script": script += text
                default: self.text += text
                }
            default: break
            }
        }
        if !open.isEmpty { faults.append("\(open) do not end") }
        if Set(ids).count != ids.count { faults.append("an id is there twice: \(ids)") }
        for name in labels + described where !ids.contains(name) {
            faults.append("nothing has the id \(name)")
        }
        if tags.filter({ $0.hasPrefix("h1") }).count != 1 { faults.append("not one h1") }
        faults += AccessCheck(content).faults
    }
}
