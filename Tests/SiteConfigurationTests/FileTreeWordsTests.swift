import Files
import SiteConfiguration
import Testing

@Suite("What is wrong with a directory")
struct FileTreeWordsTests {
    static let faults: [(FileTreeError, String, String?)] = [
        (
            .unreadable(path: "d", .missing), "the directory does not exist",
            "create it, or name another directory"
        ),
        (
            .unreadableEntry(path: "x", .noPermission), "\"x\": no permission to read it",
            "give the user that runs waymark read permission, for example through a group"
        ),
        (
            .dangling(path: "x"), "\"x\" is a symbolic link to nothing",
            "create its target, or remove the link"
        ),
        (
            .cycle(path: "x", to: ".."), "\"x\" is a symbolic link to \"..\", which contains it",
            "remove the link, or link to the files that it is for"
        ),
        (
            .escapes(path: "x", to: "/y"), "\"x\" is a symbolic link out of it, to \"/y\"",
            "copy the target"
        ),
        (
            .hidden(path: "x", to: ".y"),
            "\"x\" is a symbolic link to \".y\", which is hidden, because a name in it begins with "
                + "a full stop", "copy the target, or rename it"
        ),
        (
            .notUTF8(path: "\u{FFFD}"), "the name of \"\u{FFFD}\" is not UTF-8",
            "rename it; bytes that are not UTF-8 are shown as \u{FFFD} here"
        ),
        (
            .tooDeep(path: "x", limit: 6), "\"x\" is more than 6 directories deep",
            "move its files up, or look for symbolic links that lead to each other"
        ),
        (
            .tooMany(limit: 9), "it has more than 9 files and directories",
            "look for symbolic links to parent directories"
        ),
    ]

    @Test("is said with its place, its limit and the cure", arguments: faults)
    func words(_ fault: FileTreeError, _ fact: String, _ advice: String?) {
        #expect(fault.fact == fact)
        #expect(fault.advice == advice)
    }
}
