import AppFiles

/// The way in which a manifest's parts are written in advice: in XML, or in the JSON of Expo, which makes the XML.
struct ManifestNotation {
    private let isJSON: Bool

    init(_ app: AndroidDeclaration) { isJSON = app.isOfExpo }

    /// The name of an attribute.
    func name(_ attribute: String) -> String { isJSON ? attribute : "android:\(attribute)" }

    /// An attribute with its value.
    func attribute(_ attribute: String, _ value: String) -> String {
        isJSON
            ? "\"\(attribute)\": \(value == "true" ? value : "\"\(value)\"")"
            : "android:\(attribute)=\"\(value)\""
    }

    /// An element that adds a host or a path to a filter.
    func data(_ attribute: String, _ value: String) -> String {
        isJSON
            ? "{\"scheme\": \"https\", \(self.attribute(attribute, value))}"
            : "<data \(self.attribute(attribute, value))/>"
    }

    /// The place that such an element is added to.
    var filter: String { isJSON ? "data of the filter" : "the filter" }

    /// A whole filter for links.
    var newFilter: String {
        isJSON
            ? "add a filter to intentFilters: \"action\": \"VIEW\", \"category\": [\"BROWSABLE\", \"DEFAULT\"] "
                + "and \"autoVerify\": true"
            : "add an intent-filter with VIEW, BROWSABLE, DEFAULT and android:autoVerify=\"true\""
    }
}
