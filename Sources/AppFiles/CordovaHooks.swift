/// The scripts that Cordova runs while it makes the projects (Cordova, "Hooks Guide"), and that may change them.
struct CordovaHooks {
    private(set) var ofManifest = [UnreadSource]()
    private(set) var ofEntitlements = [UnreadSource]()

    /// Whether further hooks would not be named any more.
    var isFull: Bool { ofManifest.count == Self.most && ofEntitlements.count == Self.most }

    private static let most = AppFileLimits.unreadMax + 1

    /// - Parameter text: that of the script; nil if it cannot be read.
    mutating func take(_ name: String, _ text: String?) {
        let hook = UnreadSource(name, "it is a hook of Cordova, which runs", isRead: text != nil)
        func isAbout(_ words: [StaticString]) -> Bool {
            text.map { text in words.contains { holds($0, in: text) } } ?? true
        }
        if ofManifest.count < Self.most, isAbout(["AndroidManifest"]) { ofManifest.append(hook) }
        if ofEntitlements.count < Self.most, isAbout(["ntitlements", "ssociated-domain"]) {
            ofEntitlements.append(hook)
        }
    }

    /// The paths of the scripts that a widget names.
    static func names(in widget: XMLNode) -> [String] {
        let platforms = widget.children.filter { $0.name == "platform" }
        return ([widget] + platforms).flatMap(\.children).filter { $0.name == "hook" }
            .compactMap { $0.plain("src")?.value }
    }
}
