private import Diagnostics
package import Files

extension FileTreeError {
    /// The fault of a directory, without its path.
    package var fact: String {
        switch self {
        case .unreadable(let path, .missing) where isSymbolicLink(path):
            "it is a symbolic link to nothing"
        case .unreadable(_, .missing): "the directory does not exist"
        case .unreadable(_, let reason): "\(reason)"
        case .unreadableEntry(let path, let reason): "\(quoted(path)): \(reason)"
        case .dangling(let path): "\(quoted(path)) is a symbolic link to nothing"
        case .cycle(let path, let target):
            "\(quoted(path)) is a symbolic link to \(quoted(target)), which contains it"
        case .escapes(let path, let target):
            "\(quoted(path)) is a symbolic link out of it, to \(quoted(target))"
        case .hidden(let path, let target):
            "\(quoted(path)) is a symbolic link to \(quoted(target)), which is hidden, because a "
                + "name in it begins with a full stop"
        case .notUTF8(let path): "the name of \(quoted(path)) is not UTF-8"
        case .tooDeep(let path, let limit):
            "\(quoted(path)) is more than \(limit) directories deep"
        case .tooMany(let limit): "it has more than \(limit) files and directories"
        }
    }

    /// The advice about it; nil if the system's reason says all that is known.
    package var advice: String? {
        switch self {
        case .unreadable(let path, .missing) where isSymbolicLink(path):
            "create its target, or remove the link"
        case .unreadable(_, .missing): "create it, or name another directory"
        case .unreadable(_, .noPermission), .unreadableEntry(_, .noPermission):
            "give the user that runs waymark read permission, for example through a group"
        case .unreadable, .unreadableEntry: nil
        case .dangling: "create its target, or remove the link"
        case .cycle: "remove the link, or link to the files that it is for"
        case .escapes: "copy the target"
        case .hidden: "copy the target, or rename it"
        case .notUTF8: "rename it; bytes that are not UTF-8 are shown as \u{FFFD} here"
        case .tooDeep: "move its files up, or look for symbolic links that lead to each other"
        case .tooMany: "look for symbolic links to parent directories"
        }
    }
}
