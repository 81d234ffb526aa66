/// The files of tools that make an Xcode project, or build an app without one: XcodeGen, Tuist and Bazel. Such a tool decides
/// which entitlements an app has, and may write their file.
struct ProjectGenerators {
    private let bytes: (String) -> [UInt8]?
    /// The tools of files, by their paths; nil for a file that is none of a tool's.
    private var known = [String: String?]()

    /// - Parameter bytes: those of a file; nil if there is none.
    init(_ bytes: @escaping (String) -> [UInt8]?) { self.bytes = bytes }

    /// The nearest file of a tool in the directory of a file, or in one above it.
    mutating func generator(of path: String) -> UnreadSource? {
        var directory = pathParts(path)
        while directory.popLast() != nil {
            for file in Self.files {
                let name = (directory + [file]).joined(separator: "/")
                let tool = known[name] ?? bytes(name).flatMap { Self.tool($0, file) }
                known[name] = .some(tool)
                guard let tool else { continue }
                let fact =
                    "\(tool) makes the project or the app of it, and says which entitlements these have"
                return UnreadSource(name, fact, isRead: true)
            }
        }
        return nil
    }

    private static let files = [
        "project.yml", "project.yaml", "project.json", "Project.swift", "BUILD", "BUILD.bazel",
    ]

    private static func tool(_ bytes: [UInt8], _ file: String) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        switch file {
        case "Project.swift": return holds("ProjectDescription", in: text) ? "Tuist" : nil
        case "BUILD", "BUILD.bazel": return holds("entitlements", in: text) ? "Bazel" : nil
        default:
            // Tools for JavaScript have targets in a `project.json`, too.
            return holds("targets", in: text) && holds("platform", in: text) ? "XcodeGen" : nil
        }
    }
}
