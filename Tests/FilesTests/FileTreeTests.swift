import Files
import Foundation
import Testing

@Suite("Files")
final class FileTreeTests {
    let directory: String

    init() throws {
        var template = Array("/tmp/waymark-files-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        directory = String(cString: made)
    }

    deinit { _ = system("rm -rf '\(directory)'") }

    private func make(_ path: String, _ text: String = "x") throws {
        var parent = directory
        for part in path.split(separator: "/").dropLast() {
            parent += "/\(part)"
            try createDirectory(parent)
        }
        #expect(try createFile("\(directory)/\(path)", Array(text.utf8), mode: 0o600))
    }

    private func link(_ path: String, to target: String) {
        #expect(symlink(target, "\(directory)/\(path)") == 0)
    }

    @Test func `files are found in order, hidden ones left out but for well-known`() throws {
        for path in ["b.html", "a/c.html", ".secret", ".git/config", ".well-known/security.txt"] {
            try make(path)
        }
        #expect(
            try findFiles(under: directory).map(\.relativePath) == [
                ".well-known/security.txt", "a/c.html", "b.html",
            ])
    }

    @Test func `a search ends where there is no room to remember more`() throws {
        for number in 100..<400 { try make("a/\(number)") }
        var (asked, bytes) = (0, 0)
        let tree = findTree(under: directory) { entries, pathBytes in
            asked += entries
            bytes += pathBytes
            return asked <= 200
        }
        #expect(tree.lacksRoom && tree.files.isEmpty && tree.faults.isEmpty)
        // The directory, and the first of its files, before they are looked at.
        #expect(asked == 257 && bytes == 1 + 256 * "a/100".utf8.count)
        let whole = findTree(under: directory) { _, _ in true }
        #expect(!whole.lacksRoom && whole.files.count == 300)
    }

    @Test func `hidden directories are looked into only if they are named`() throws {
        for path in [".cordova/hooks/a/b.js", ".git/config"] { try make(path) }
        let found = findTree(under: directory, isOfProject: true, including: [".cordova"])
        #expect(found.files.map(\.relativePath) == [".cordova/hooks/a/b.js"])
        #expect(findTree(under: directory, isOfProject: true).files.isEmpty)
    }

    @Test func `a link inside is followed and one that leads out is refused`() throws {
        try make("a/file.html")
        link("near.html", to: "a/file.html")
        link("dir", to: "a")
        #expect(
            try findFiles(under: directory).map(\.relativePath) == [
                "a/file.html", "dir/file.html", "near.html",
            ])
        link("a/out", to: "/etc/hostname")
        #expect(throws: FileTreeError.self) { try findFiles(under: directory) }
    }

    @Test func `what cannot be followed is named, and not taken for the directory`() throws {
        try make("a/file.html")
        link("a/gone", to: "nowhere")
        #expect(throws: FileTreeError.dangling(path: "a/gone")) {
            try findFiles(under: self.directory)
        }
        // Names that begin with a full stop are nobody's here: editors lock files with such links.
        #expect(rename("\(directory)/a/gone", "\(directory)/a/.#gone") == 0)
        #expect(try findFiles(under: directory).map(\.relativePath) == ["a/file.html"])
        link("self", to: "self")
        let error = #expect(throws: FileTreeError.self) { try findFiles(under: self.directory) }
        guard case .unreadableEntry("self", .system) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(throws: FileTreeError.unreadable(path: "\(directory)/none", .missing)) {
            try findFiles(under: "\(self.directory)/none")
        }
    }

    @Test func `a link may leave the directory when it comes back to it`() throws {
        try make("a/file.html")
        try make("b/file.html")
        let name = String(directory.split(separator: "/").last ?? "")
        link("absolute.html", to: "\(directory)/a/file.html")
        link("around.html", to: "../\(name)/a/../a/file.html")
        link("a/above", to: "/tmp/../tmp/\(name)/a/.././b")
        let real = URL(filePath: directory).resolvingSymlinksInPath().path
        #expect(symlink(directory, "\(real)-alias") == 0)
        defer { unlink("\(real)-alias") }
        link("alias.html", to: "\(real)-alias/a/file.html")
        let tree = findTree(under: directory, depthMax: 4)
        #expect(
            tree.files.map(\.relativePath).filter { !$0.contains("above") } == [
                "a/file.html", "absolute.html", "alias.html", "around.html", "b/file.html",
            ])
        #expect(tree.files.contains { $0.relativePath == "a/above/file.html" })
        let root = try RootDirectory(directory)
        for path in tree.files.map(\.relativePath) {
            #expect(try root.read(path, bytesMax: 9).bytes == [UInt8(ascii: "x")])
        }
    }

    @Test func `links through directories that are exchanged are followed, to hidden files not`()
        throws
    {
        // As Kubernetes mounts a ConfigMap.
        try make("..2026_11/page.html")
        link("..data", to: "..2026_11")
        link("page.html", to: "..data/page.html")
        try make(".env")
        try make(".git/config")
        #expect(findTree(under: directory).files.map(\.relativePath) == ["page.html"])
        link("env.txt", to: ".env")
        link("git", to: ".git")
        #expect(
            findTree(under: directory).faults == [
                .hidden(path: "env.txt", to: ".env"), .hidden(path: "git", to: ".git"),
            ])
    }

    @Test func `everything that is wrong is said, and everything else is found`() throws {
        try make("a/file.html")
        link("a/gone", to: "nowhere")
        link("out", to: "/etc/hostname")
        let name: [CChar] = Array("\(directory)/a/caf".utf8CString.dropLast()) + [-23, 0]
        #expect(creat(name, 0o600) >= 0)
        let hidden: [CChar] = Array("\(directory)/.caf".utf8CString.dropLast()) + [-23, 0]
        #expect(creat(hidden, 0o600) >= 0)
        let tree = findTree(under: directory)
        #expect(tree.files.map(\.relativePath) == ["a/file.html"])
        #expect(
            tree.faults == [
                .notUTF8(path: "a/caf\u{FFFD}"), .dangling(path: "a/gone"),
                .escapes(path: "out", to: "/etc/hostname"),
            ])
    }

    @Test func `a file may be a link that stays in its directory`() throws {
        try make("..data/aasa")
        try make("shared/aasa")
        try createDirectory("\(directory)/ready")
        link("aasa", to: "..data/aasa")
        link("ready/aasa", to: "../shared/aasa")
        link("elsewhere", to: "ready")
        try make("ready/own")
        #expect(try readFileOfItsDirectory("\(directory)/aasa", bytesMax: 9).bytes.count == 1)
        #expect(
            try readFileOfItsDirectory("\(directory)/elsewhere/own", bytesMax: 9).bytes.count == 1)
        #expect(throws: FileError.leadsOut) {
            try readFileOfItsDirectory("\(self.directory)/ready/aasa", bytesMax: 9)
        }
        #expect(throws: FileError.missing) {
            try readFileOfItsDirectory("\(self.directory)/none", bytesMax: 9)
        }
    }

    @Test func `few descriptors are open, however deep or wide a tree is`() throws {
        for number in 0..<20 {
            try make("d\(number)/" + (0..<28).map { "\($0)" }.joined(separator: "/") + "/file")
        }
        var most = 0
        let tree = try RootDirectory(directory).walk(directory) { file in
            let content = try? file.read(bytesMax: 9)
            #expect(content?.bytes.count == 1)
            most = max(most, descriptorsOfDirectory())
        }
        #expect(tree.files.count == 20 && tree.faults.isEmpty)
        #expect((1...4).contains(most))
    }

    /// How many of this process's descriptors are open for what lies in the test's directory.
    private func descriptorsOfDirectory() -> Int {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return all.count { number in
            let path = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(number)")
            return path?.hasPrefix(directory) == true
        }
    }

    @Test func `a directory whose name only begins like the root's is outside`() throws {
        let neighbour = "\(directory)-neighbour"
        try createDirectory(neighbour)
        defer { _ = system("rm -rf '\(neighbour)'") }
        #expect(try createFile("\(neighbour)/x", [1], mode: 0o600))
        link("out", to: neighbour)
        #expect(throws: FileTreeError.self) { try findFiles(under: directory) }
    }

    @Test func `a link to its own directory ends in a limit, not in a loop`() throws {
        try make("a/b")
        link("a/again", to: ".")
        #expect(throws: FileTreeError.self) { try findFiles(under: directory, depthMax: 8) }
    }

    @Test func `reading names what is wrong`() throws {
        try make("small", "1234")
        #expect(try readFile("\(directory)/small", bytesMax: 4).bytes == Array("1234".utf8))
        #expect(throws: FileError.tooLarge(bytes: 4, limit: 3)) {
            try readFile("\(self.directory)/small", bytesMax: 3)
        }
        #expect(throws: FileError.missing) {
            try readFile("\(self.directory)/none", bytesMax: 3)
        }
        #expect(throws: FileError.notARegularFile) {
            try readFile(self.directory, bytesMax: 3)
        }
        link("alias", to: "small")
        #expect(throws: FileError.self) {
            try readFile(["alias"], directlyBeneath: self.directory, bytesMax: 9)
        }
        #expect(
            try readFile(["small"], directlyBeneath: directory, bytesMax: 9).bytes.count == 4)
        #expect(mkfifo("\(directory)/pipe", 0o600) == 0)
        #expect(throws: FileError.notARegularFile) {
            try readFile("\(self.directory)/pipe", bytesMax: 3)
        }
    }

    @Test func `an existing file is never overwritten`() throws {
        try make("file", "old")
        #expect(try !createFile("\(directory)/file", [1], mode: 0o600))
        #expect(try readFile("\(directory)/file", bytesMax: 9).bytes == Array("old".utf8))
    }

    /// A site would be served without the files that come behind the fault.
    @Test func `a directory that cannot be read to its end is not taken for a whole one`() throws {
        // Of a process that has ended, and was not asked how, /proc opens `net` and reads nothing.
        var process = pid_t()
        let status = "/bin/true".withCString { program in
            var arguments = [strdup(program), nil]
            defer { free(arguments[0]) }
            return posix_spawn(&process, program, nil, nil, &arguments, nil)
        }
        try #require(status == 0)
        defer { waitpid(process, nil, 0) }
        var information = siginfo_t()
        try #require(waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) == 0)
        #expect(throws: FileTreeError.self) { try findFiles(under: "/proc/\(process)/net") }
        try make("whole")
        #expect(try findFiles(under: directory).count == 1)
    }
}
