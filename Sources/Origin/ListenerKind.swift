/// The listener that a connection came from.
enum ListenerKind: String, CaseIterable, Sendable {
    case https, http, admin

    var index: Int {
        switch self {
        case .https: 0
        case .http: 1
        case .admin: 2
        }
    }
}
