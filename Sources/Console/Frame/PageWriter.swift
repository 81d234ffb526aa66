internal import Markup
private import URISyntax

/// Writes a page in a language. All values go through `MarkupWriter.text`.
struct PageWriter {
    private(set) var markup: MarkupWriter
    let setting: ConsoleSetting

    init(_ setting: ConsoleSetting) {
        self.setting = setting
        markup = MarkupWriter(capacity: 16_384)
    }

    /// Markup without escaping.
    mutating func raw(_ literal: MarkupLiteral) { markup.raw(literal) }

    /// The style of every page.
    mutating func style() { markup.verbatim(ConsoleStyle.bytes) }

    /// The text of a script.
    mutating func asset(_ text: StaticString) { markup.verbatim(Array(text.description.utf8)) }

    /// A value from outside.
    mutating func value(_ text: String) { markup.text(text) }

    mutating func number(_ number: Int) { markup.number(number) }

    /// A text of the console.
    mutating func words(_ text: ConsoleText, _ values: [String: String] = [:]) {
        markup.text(filled(text, values))
    }

    /// A text with its words in braces replaced. A value is not searched for others.
    func filled(_ text: ConsoleText, _ values: [String: String] = [:]) -> String {
        // The zone of times that people write is the same in all texts of a page.
        text.filled(
            setting.language,
            values.map { (name: $0.key, value: $0.value) } + [("zone", setting.clock.name)])
    }

    mutating func attribute(_ name: MarkupLiteral, _ value: String) {
        markup.attribute(name, value)
    }

    /// An element with a text of the console.
    mutating func element(
        _ name: MarkupLiteral, _ text: ConsoleText, _ values: [String: String] = [:]
    ) {
        markup.element(name, filled(text, values))
    }

    /// An element with a value.
    mutating func element(_ name: MarkupLiteral, value: String) { markup.element(name, value) }

    /// A link to another page of the console.
    /// - Parameters:
    ///   - style: its classes.
    ///   - part: the id of the part of that page to which it leads.
    mutating func link(
        _ path: PagePath, style: MarkupLiteral? = nil, at part: String? = nil,
        _ content: (inout PageWriter) -> Void
    ) {
        raw("<a")
        if let style { attribute("class", style.text) }
        attribute("href", path.text(below: setting.base) + (part.map { "#\($0)" } ?? ""))
        raw(">")
        content(&self)
        raw("</a>")
    }

    mutating func link(_ path: PagePath, style: MarkupLiteral? = nil, _ text: ConsoleText) {
        link(path, style: style) { $0.words(text) }
    }

    /// A sentence that helps.
    mutating func hint(_ text: ConsoleText, _ values: [String: String] = [:]) {
        write("<p class=\"hint\">\(text, values)</p>\n")
    }

    // MARK: Forms

    /// The beginning of a form that is sent with POST.
    mutating func form(_ path: PagePath, style: MarkupLiteral = "inline") {
        raw("<form method=\"post\"")
        attribute("class", style.text)
        attribute("action", path.text(below: setting.base))
        raw(">\n")
    }

    mutating func hidden(_ name: String, _ value: String) {
        write("<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">\n")
    }

    /// A form with a button alone.
    /// - Parameter subject: the name of what it is done to, for those who do not see the row of the button.
    mutating func button(
        _ path: PagePath, _ text: ConsoleText, style: MarkupLiteral = "", of subject: String? = nil,
        hidden items: [(String, String)] = []
    ) {
        form(path)
        for (name, value) in items { hidden(name, value) }
        raw("<button")
        if !style.text.isEmpty { attribute("class", style.text) }
        // The name begins with what is seen, so that it can be spoken to (WCAG 2.2, "Label in Name").
        if let subject { attribute("aria-label", "\(filled(text)): \(subject)") }
        write(">\(text)</button></form>\n")
    }

    /// The subject behind a word that stands several times on a page, for those who do not see beside what it is.
    mutating func unseen(_ subject: String) { write("<span class=\"unseen\">: \(subject)</span>") }

    // MARK: Numbers and times

    /// A number in digits as people of the language write it, in groups of three: 13,269 or 13.269.
    func numeral(_ number: Int) -> String {
        let mark = setting.language == .de ? "." : ","
        let digits = Array("\(number.magnitude)".utf8)
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += mark }
            text.unicodeScalars.append(Unicode.Scalar(digit))
        }
        return text
    }

    /// A number with what it counts.
    /// - Parameter one: for 1, which has another form in both languages.
    func counted(_ count: Int, _ one: ConsoleText, _ several: ConsoleText) -> String {
        count == 1 ? filled(one) : filled(several, ["count": numeral(count)])
    }

    /// A day, or an hour with its offset, as people of the language write it; another text stays as it is.
    func day(_ text: String) -> String {
        let parts = text.utf8.prefix(10).split(separator: UInt8(ascii: "-"))
            .map { String(decoding: $0, as: UTF8.self) }
        guard text.utf8.count >= 10, parts.count == 3 else { return text }
        let day =
            setting.language == .de
            ? parts.reversed().joined(separator: ".") : parts.joined(separator: "-")
        let rest = Array(text.utf8.dropFirst(10))
        guard rest.count >= 10, rest[0] == UInt8(ascii: "T") else {
            return rest.isEmpty ? day : text
        }
        let time = String(decoding: rest[1...5], as: UTF8.self)
        let offset = String(decoding: rest[9...], as: UTF8.self)
        return "\(day) \(time) \(offset == "Z" ? "UTC" : "(\(offset))")"
    }

    /// An hour for people, in UTC: 2027-03-31 22–23 UTC. A time of another form is written as it is.
    func hour(_ time: String?) -> String {
        guard let time, time.utf8.count == 20,
            let hour = Int(String(decoding: time.utf8.dropFirst(11).prefix(2), as: UTF8.self))
        else { return time ?? "" }
        let day = String(decoding: time.utf8.prefix(10), as: UTF8.self)
        return "\(self.day(day)) \(hour)–\(hour + 1) UTC"
    }

    /// A day and a time for people, by the clocks of the site: 2027-03-31 22:00 UTC, or 2027-03-31 23:00 (+01:00).
    func moment(_ time: String?) -> String {
        guard let time, time.utf8.count == 20, time.utf8.last == UInt8(ascii: "Z"),
            time.utf8.dropFirst(10).first == UInt8(ascii: "T")
        else { return time ?? "" }
        let clock = setting.clock
        guard let seconds = try? Timestamp(time).seconds else { return time }
        let shown = clock.shown(seconds)
        let day = String(decoding: shown.utf8.prefix(10), as: UTF8.self)
        let minute = String(decoding: shown.utf8.dropFirst(11).prefix(5), as: UTF8.self)
        let zone =
            clock.isUniversal || !clock.isShown(seconds)
            ? "UTC" : "(\(clock.offsetText(at: seconds)))"
        return "\(self.day(day)) \(minute) \(zone)"
    }
}
