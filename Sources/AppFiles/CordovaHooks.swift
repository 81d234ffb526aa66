/// The scripts that Cordova runs while it makes the projects (Cordova, "Hooks Guide"), and that may change them.
struct CordovaHooks {
    private(set) var ofManifest = [UnreadSource]()
    private(set) var ofEntitlements = [UnreadSource]()

    /// - Parameter hooks: with their texts; nil for one that cannot be read.
    init(_ hooks: [(name: String, text: String?)]) {
        for (name, text) in hooks {
            let hook = UnreadSource(
                name, "it is a hook of Cordova, which runs", isRead: text != nil)
            if text.map({ holds("AndroidManifest", in: $0) }) ?? true { ofManifest.append(hook) }
            if text.map({ holds("ntitlements", in: $0) || holds("ssociated-domain", in: $0) })
                ?? true
            {
                ofEntitlements.append(hook)
            }
        }
    }

    /// The paths of the scripts that a widget names.
    static func names(in widget: XMLNode) -> [String] {
        let platforms = widget.children.filter { $0.name == "platform" }
        return ([widget] + platforms).flatMap(\.children).filter { $0.name == "hook" }
            .compactMap { $0.plain("src")?.value }
    }
}
