import AppFiles

/// The way in which a manifest's parts are written in advice: in XML, in the JSON of Expo, which makes the XML, or as a host of
/// Cordova's plugin, which does, too.
struct ManifestNotation {
    private enum Form { case xml, json, host }
    private let form: Form

    init(_ app: AndroidDeclaration) {
        form = app.isOfExpo ? .json : app.hostFilters.isEmpty ? .xml : .host
    }

    /// - Parameter filter: the one that the advice is about.
    init(_ app: AndroidDeclaration, _ filter: IntentFilter) {
        form = app.isOfExpo ? .json : app.hostFilters.contains(filter.place) ? .host : .xml
    }

    /// The name of an attribute.
    func name(_ attribute: String) -> String {
        switch form {
        case .xml: "android:\(attribute)"
        case .json: attribute
        case .host: attribute == "host" ? "name" : Self.isOfPath(attribute) ? "url" : attribute
        }
    }

    private static func isOfPath(_ attribute: String) -> Bool {
        attribute.utf8.starts(with: "path".utf8)
    }

    /// An attribute with its value.
    func attribute(_ attribute: String, _ value: String) -> String {
        form == .json
            ? "\"\(attribute)\": \(value == "true" ? value : "\"\(value)\"")"
            : "\(name(attribute))=\"\(value)\""
    }

    /// An element that adds a host or a path, and the place that it is added to.
    func addition(_ attribute: String, _ value: String) -> String {
        // The plugin takes a star for any text.
        let isStart = form == .host && attribute == "pathPrefix"
        let written = self.attribute(attribute, isStart ? "\(value)*" : value)
        return switch form {
        case .xml: "<data \(written)/> to the filter"
        case .json: "{\"scheme\": \"https\", \(written)} to data of the filter"
        case .host where Self.isOfPath(attribute): "<path \(written)/> to <host>"
        case .host: "<host \(written) scheme=\"https\"/> to <universal-links>"
        }
    }

    /// A whole filter for links.
    var newFilter: String {
        form == .json
            ? "add a filter to intentFilters: \"action\": \"VIEW\", \"category\": [\"BROWSABLE\", \"DEFAULT\"] "
                + "and \"autoVerify\": true"
            : "add an intent-filter with VIEW, BROWSABLE, DEFAULT and android:autoVerify=\"true\""
    }
}
