private import Diagnostics

/// A request of a person who has a session. Its handler has found the session, and has checked that a POST comes from a
/// page of the console.
package struct ConsoleRequest: Sendable {
    /// The methods that pages have; HEAD is answered like GET.
    package enum Method: Sendable {
        case get, post
    }

    package let method: Method
    /// The segments of the path below the console's, decoded; none for its first page.
    package let path: [String]
    /// The items of the query, decoded, in their order.
    package let query: [(name: String, value: String)]
    /// The items of a POST's content, decoded, in their order.
    package let form: [(name: String, value: String)]
    package let person: ConsolePerson
    package var setting: ConsoleSetting
    /// Seconds since 1970, by the clock that decides which links are served now.
    package let now: Int
    /// The same by the store's clock, by which invitations and tokens end.
    package var storeNow: Int
    /// Whether the browser says that the answer fills a window or a tab (`Sec-Fetch-Dest`).
    package var isTopLevel = false

    package init(
        _ method: Method, _ path: [String], query: [(name: String, value: String)] = [],
        form: [(name: String, value: String)] = [], person: ConsolePerson,
        setting: ConsoleSetting, now: Int
    ) {
        (self.method, self.path, self.query, self.form) = (method, path, query, form)
        (self.person, self.setting, self.now, storeNow) = (person, setting, now, now)
    }

    /// The value of the query's first item with this name, unless it is empty.
    func item(_ name: String) -> String? {
        query.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// Whether a form is only to be shown again, in the language that it names.
    var isShowing: Bool { !value("language").isEmpty }

    /// Whether an item of the form has none of the values that pages offer; one that is not there is none.
    func isForeign(_ name: String, _ offered: [String]) -> Bool {
        let value = value(name)
        return !value.isEmpty && !offered.contains { $0.isScalarwise(value) }
    }

    /// The value of the form's first item with this name; an empty text if it has none.
    func value(_ name: String) -> String { form.first { $0.name == name }?.value ?? "" }
}
