import AppFiles
import Files
import SiteConfiguration

/// The files of a project, without those in directories with packages of others, and in too deep ones.
func findProject(under directory: String, depthMax: Int) -> FileTree {
    findTree(
        under: directory, depthMax: depthMax, leavesOutDeeper: true, isOfProject: true,
        including: hiddenCheckoutDirectories)
}

/// Says once which directories of a project were passed over.
func printPassedOver(_ tree: FileTree, in directory: String) {
    guard let first = tree.passedOver.first else { return }
    let more = tree.passedOver.count - 1
    printMessage(
        "waymark: passed over: \(shownName("\(directory)/\(first)"))"
            + (more > 0 ? " and \(more) more" : "")
            + ", with packages of others; name a directory to read it")
}

/// Says which manifests have links and are of no release, such as those of other build types.
func printOtherManifests(_ names: [String], in directory: String) {
    guard let first = names.first else { return }
    let more = names.count - 1
    printMessage(
        "waymark: not compared: \(shownName("\(directory)/\(first)"))"
            + (more > 0 ? " and \(more) more" : "")
            + ": its source set is of no release; name the file to read it")
}

/// Says which tables of a directory have no redirects, as far as their first rows show.
func printOtherTables(_ paths: [String]) {
    guard let first = paths.first else { return }
    let more = paths.count - 1
    printMessage(
        "waymark: not read: \(shownName(first))" + (more > 0 ? " and \(more) more" : "")
            + ": no destinations in the second column; name a table behind --from to read it")
}

/// Says which configurations of an Xcode project are of no release by their names. The store's build can be one.
func printOtherConfigurations(_ names: [String]) {
    for name in names.prefix(4) {
        printMessage(
            "waymark: not compared: \(name): of no release by name; give its .ipa to compare it"
        )
    }
    if names.count > 4 { printMessage("waymark: not compared: \(names.count - 4) more targets") }
}

/// Says what of a project could not be looked at, because a file of an app may be there.
func printUnread(_ tree: FileTree, in directory: String) {
    func shown(_ path: String) -> String {
        shownName(path.isEmpty ? directory : "\(directory)/\(path)")
    }
    if let first = tree.deeper.first {
        let more = tree.deeper.count - 1
        printMessage(
            "waymark: not read: \(shown(first))" + (more > 0 ? " and \(more) more" : "")
                + ": at most \(AppFileLimits.directoriesMax) directories within each other are read"
        )
    }
    let faults = tree.unreadFaults
    for fault in faults.prefix(4) {
        printMessage("waymark: not read: \(shown(fault.path)): \(fault.factOfApp)")
        if let advice = fault.advice { printMessage("    \(advice)") }
    }
    if faults.count > 4 { printMessage("waymark: not read: \(faults.count - 4) more") }
}

extension FileTree {
    /// The faults for which a file of an app may have been missed.
    fileprivate var unreadFaults: [FileTreeError] {
        faults.filter { fault in
            switch fault {
            case .unreadableEntry(_, let error): !error.isLoop
            case .notUTF8, .tooMany: true
            case .dangling(let path), .escapes(let path, _), .hidden(let path, _):
                mayBeOfBuild(path) { index(of: Array($0.utf8)) != nil }
            default: false
            }
        }
    }

    /// The parts of a project that could not be looked at, so that the verdicts of its apps stay open.
    var unreadSources: [UnreadSource] {
        deeper.sorted().map { path in
            UnreadSource(
                path,
                "at most \(AppFileLimits.directoriesMax) directories within each other are read")
        } + unreadFaults.map { UnreadSource($0.path.isEmpty ? "." : $0.path, $0.factOfApp) }
    }
}

extension FileTree {
    /// Whether it has files of apps.
    var holdsApp: Bool {
        let files = BundleFiles(names: files.map(\.relativePath)) { _ in ByteSource([]) }
        return !Checkout(files).apps.isEmpty
    }
}

extension FileTreeError {
    /// The same fact of a directory that is no public one.
    fileprivate var factOfApp: String {
        switch self {
        case .dangling: "it is a symbolic link to nothing"
        case .escapes: "it is a symbolic link out of the directory"
        case .hidden: "it is a symbolic link to what is hidden"
        default: fact
        }
    }
}
