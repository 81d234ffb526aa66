/// The apps of a file with which a site is compared.
struct ComparedApps {
    private var ofApple = Side()
    private var ofAndroid = Side()

    private struct Side {
        var identifiers = [String]()
        /// The identifiers that begin one of them, up to a full stop.
        var beginnings = Set<[UInt8]>()
        /// Whether all are builds for developers.
        var isForDevelopers = true
    }

    init(_ apps: [SourceApp]) {
        for app in apps {
            // Moved out and back, so that nothing is copied.
            var side = app.isOfApple ? ofApple : ofAndroid
            if app.isOfApple { ofApple = Side() } else { ofAndroid = Side() }
            side.identifiers.append(app.identifier)
            let bytes = Array(app.identifier.utf8.prefix(Self.bytesMax))
            for index in bytes.indices where bytes[index] == UInt8(ascii: ".") {
                side.beginnings.insert(Array(bytes[..<index]))
            }
            if !app.isForDevelopers { side.isForDevelopers = false }
            if app.isOfApple { ofApple = side } else { ofAndroid = side }
        }
    }

    /// Whether an app that the site does not list is probably the one that people have: the site lists only builds for
    /// developers, or an app whose identifier begins with that of this one.
    func miss(_ app: SourceApp, _ elsewhere: Set<String>) -> Bool {
        let side = app.isOfApple ? ofApple : ofAndroid
        guard app.isOfPeople, !side.identifiers.isEmpty, !elsewhere.contains(app.identifier)
        else { return false }
        return side.beginnings.contains(Array(app.identifier.utf8))
            || side.isForDevelopers && !app.isForDevelopers
    }

    /// The identifiers that are compared in the place of an app's, for people.
    func names(insteadOf app: SourceApp) -> String {
        var seen = Set<String>()
        let all = (app.isOfApple ? ofApple : ofAndroid).identifiers
        return but(all.filter { seen.insert($0).inserted })
    }

    /// No system installs an app with a longer identifier.
    private static let bytesMax = 255
}
