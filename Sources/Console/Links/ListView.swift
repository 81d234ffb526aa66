private import Diagnostics
private import Markup

/// The order and the columns of the list of links, as its URL has them. They are kept nowhere else, so a bookmark is a view.
struct ListView {
    /// An order that the page offers.
    enum Order: String, CaseIterable {
        case newest, oldest, changed, slug, ending, week, month, quarter

        /// The items of the API's query.
        var query: [(name: String, value: String)] {
            guard let days else { return [("order", rawValue)] }
            return [("order", "visits"), ("days", "\(days)")]
        }

        /// The days whose visits make the order; nil for another order.
        var days: Int? {
            switch self {
            case .week: 7
            case .month: 30
            case .quarter: 90
            default: nil
            }
        }

        /// The order of links that end soon: where nobody has chosen one, the next end is the first.
        var ofEnding: Order { self == .newest || self == .oldest ? .ending : self }

        var label: ConsoleText {
            switch self {
            case .newest: .newestFirst
            case .oldest: .oldestFirst
            case .changed: .lastChangedFirst
            case .slug: .byShortName
            case .ending: .nextToEndFirst
            case .week: .mostVisitedOfWeek
            case .month: .mostVisitedOfMonth
            case .quarter: .mostVisitedOfQuarter
            }
        }
    }

    let order: Order
    /// The order where nobody has chosen one.
    private let usualOrder: Order
    let columns: [ListColumn]

    /// The items of its URL.
    static let items = ["order", "columns"]
    /// The name of a box of the form for one column.
    private static let box = "column"
    /// Stands for no column.
    private static let none = "none"

    /// - Parameter value: of the first item with a name; nil for none.
    /// - Parameter boxes: the columns that a form has sent, one by one.
    init(boxes: [String] = [], _ value: (String) -> String?) {
        let isOfEnding = Self.isOfEnding(value("state"))
        let asked = value("order").flatMap { Order(rawValue: $0) } ?? .newest
        order = isOfEnding ? asked.ofEnding : asked
        usualOrder = isOfEnding ? .ending : .newest
        var names = boxes
        if names.isEmpty {
            names = (value("columns") ?? "").utf8.split(separator: UInt8(ascii: "-"))
                .map { String(decoding: $0, as: UTF8.self) }
        }
        let chosen = ListColumn.allCases.filter { column in
            names.contains { $0.isScalarwise(column.rawValue) }
        }
        let isNone = chosen.isEmpty && !names.contains(Self.none)
        columns = isNone ? ListColumn.usual : chosen
    }

    /// Whether a list has the links alone that end soon.
    /// - Parameter state: of its URL.
    static func isOfEnding(_ state: String?) -> Bool { state == "ending" }

    init(_ request: ConsoleRequest) {
        let boxes = request.query.filter { $0.name == Self.box }.map(\.value)
        self.init(boxes: boxes) { request.item($0) }
    }

    /// The days whose visits are shown.
    var days: Int { order.days ?? 30 }

    /// The heading of the column of visits.
    var visitsLabel: ConsoleText {
        switch order {
        case .week: .visitsOfWeek
        case .quarter: .visitsOfQuarter
        default: .visitsOfMonth
        }
    }

    /// The value of an item of its URL; nil for what is usual.
    func value(of item: String) -> String? {
        switch item {
        case "order": return order == usualOrder ? nil : order.rawValue
        case "columns":
            guard columns != ListColumn.usual else { return nil }
            return columns.isEmpty
                ? Self.none : columns.map(\.rawValue).joined(separator: "-")
        default: return nil
        }
    }

    /// A path of the list, in this view.
    func kept(by path: PagePath) -> PagePath {
        Self.items.reduce(path) { $0.with($1, value(of: $1)) }
    }

    /// The headings of the table.
    var headings: [TableColumn] {
        [.text(.link)]
            + columns.map { $0 == .visits ? .number(visitsLabel) : .text($0.label) }
    }

    /// The field in which somebody chooses another order.
    func writeOrder(_ page: inout PageWriter) {
        page.filter(
            "order", .order, Order.allCases.map { ($0.rawValue, page.filled($0.label)) },
            chosen: order.rawValue)
    }

    /// The boxes with which somebody chooses other columns.
    func writeColumns(_ page: inout PageWriter) {
        page.write("<details><summary>\(.columns)</summary>\n")
        // Without any box, there is no column.
        page.hidden("columns", Self.none)
        page.boxes(
            FormField(Self.box, .shownColumns),
            ListColumn.allCases.map { ($0.rawValue, page.filled($0.label)) },
            chosen: columns.map(\.rawValue))
        page.raw("</details>\n")
    }
}
