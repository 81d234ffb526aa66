/// The scripts that Cordova runs while it makes the projects (Cordova, "Hooks Guide"), and that may change them.
struct CordovaHooks {
    private(set) var ofManifest = [UnreadSource]()
    private(set) var ofEntitlements = [UnreadSource]()
    private var seen = Set<[UInt8]>()

    /// Whether further hooks would not be named any more.
    private var isFull: Bool {
        ofManifest.count == Self.most && ofEntitlements.count == Self.most
    }

    private static let most = AppFileLimits.unreadMax + 1

    /// Takes a script, and those of the checkout that it uses.
    mutating func take(_ first: String, _ programs: CordovaPrograms) {
        guard seen.insert(Array(first.utf8)).inserted else { return }
        var (names, next) = ([first], 0)
        while next < names.count, !isFull {
            let name = names[next]
            next += 1
            let program = programs.program(name)
            let hook = UnreadSource(
                name, "it is a hook of Cordova, which runs", isRead: program != nil)
            take(hook, program?.isOfManifest ?? true, program?.isOfEntitlements ?? true)
            for used in programs.files(usedBy: name)
            where seen.insert(Array(used.utf8)).inserted {
                guard names.count < AppFileLimits.usedProgramsMax else {
                    let long = UnreadSource(
                        first, "this hook of Cordova uses more than \(names.count) files")
                    return take(long, true, true)
                }
                names.append(used)
            }
        }
    }

    private mutating func take(
        _ hook: UnreadSource, _ isOfManifest: Bool, _ isOfEntitlements: Bool
    ) {
        if ofManifest.count < Self.most, isOfManifest { ofManifest.append(hook) }
        if ofEntitlements.count < Self.most, isOfEntitlements { ofEntitlements.append(hook) }
    }

    /// The paths of the scripts that a widget names.
    static func names(in widget: XMLNode) -> [String] {
        let platforms = widget.children.filter { $0.name == "platform" }
        return ([widget] + platforms).flatMap(\.children).filter { $0.name == "hook" }
            .compactMap { $0.plain("src")?.value }
    }
}
