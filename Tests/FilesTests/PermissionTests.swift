import Glibc
import Testing

@testable import Files

@Suite("What this process may do, asked before it is done")
struct PermissionTests {
    private func withDirectory(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/waymark-permission-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        let path = String(cString: made)
        defer {
            removeFile("\(path)/file")
            rmdir(path)
        }
        try body(path)
    }

    @Test func `a file may be made where it is not there, and is not made`() throws {
        try withDirectory { directory in
            let path = "\(directory)/file"
            try checkAppendable(path)
            #expect(FileStamp(of: path) == nil)
            _ = try createFile(path, [], mode: 0o600)
            try checkAppendable(path)
            #expect(throws: FileError.directory) { try checkAppendable(directory) }
            #expect(throws: FileError.missing) { try checkAppendable("\(directory)/none/file") }
            #expect(throws: FileError.missing) { try checkAppendable("\(path)/file") }
            // A slash at the end is the name of a directory, whether there is one or not.
            #expect(throws: FileError.directory) { try checkAppendable("\(directory)/none/") }
            #expect(throws: FileError.missing) { try checkAppendable("\(directory)/none/file/") }
        }
    }

    @Test func `a link to nothing is asked where it leads`() throws {
        try withDirectory { directory in
            let path = "\(directory)/file"
            for (target, fault) in [
                ("other", nil), ("\(directory)/other", nil), ("none/other", FileError.missing),
                ("\(directory)/none/other", .missing), ("other/", .directory),
                ("none/other/", .missing),
                ("file", .failed("Too many levels of symbolic links")),
            ] as [(String, FileError?)] {
                #expect(symlink(target, path) == 0)
                if let fault {
                    #expect { try checkAppendable(path) } throws: { "\($0)" == "\(fault)" }
                } else {
                    try checkAppendable(path)
                }
                removeFile(path)
            }
        }
    }

    @Test func `what keeps files from being made in a directory is known before`() throws {
        try withDirectory { directory in
            func obstacle(_ path: String) -> [String] {
                writingObstacle(in: path).map { [$0.path, "\($0.error)"] } ?? []
            }
            for path in [directory, "\(directory)/new", "\(directory)/new/deep"] {
                #expect(obstacle(path) == [])
                #expect(FileStamp(of: "\(directory)/new") == nil)
            }
            let file = "\(directory)/file"
            _ = try createFile(file, [], mode: 0o600)
            for path in [file, "\(file)/new", "\(file)/new/deep"] {
                #expect(obstacle(path) == [file, "it is not a directory"])
            }
            #expect(throws: FileError.notADirectory) { try createDirectory(file) }
            try createDirectory(directory)
            #expect(obstacle("none") == [] && obstacle("/none") == [])
        }
    }

    @Test(
        "the system's reasons that have an advice of their own are told apart",
        arguments: [
            (ENOENT, FileError.missing), (EACCES, .noPermission), (EROFS, .readOnlyFileSystem),
            (ENOSPC, .system("No space left on device")),
            (EMFILE, .outOfDescriptors("Too many open files")),
            (ENFILE, .outOfDescriptors("Too many open files in system")),
            (EIO, .failed("Input/output error")), (ENOMEM, .failed("Cannot allocate memory")),
        ])
    func reasons(_ number: CInt, _ error: FileError) {
        errno = number
        #expect(FileError.current() == error)
    }

    @Test func `a relative name is one of the working directory`() throws {
        try checkAppendable("waymark-no-such-file")
        #expect(FileStamp(of: "waymark-no-such-file") == nil)
    }

    @Test func `a directory may be searched, a file is none`() throws {
        try withDirectory { directory in
            try checkSearchable(directory)
            _ = try createFile("\(directory)/file", [], mode: 0o600)
            #expect(throws: FileError.notADirectory) { try checkSearchable("\(directory)/file") }
            #expect(throws: FileError.missing) { try checkSearchable("\(directory)/none") }
        }
    }

    /// Root may do everything, so that this takes another user.
    @Test(.enabled(if: geteuid() != 0)) func `what others own is not written`() throws {
        #expect(throws: FileError.noPermission) { try checkAppendable("/etc/waymark-file") }
        #expect(throws: FileError.noPermission) { try checkAppendable("/etc/passwd") }
        #expect(throws: FileError.noPermission) { try checkSearchable("/root") }
    }

    @Test func `the permissions of a file come with its content`() throws {
        try withDirectory { directory in
            let path = "\(directory)/file"
            _ = try createFile(path, [], mode: 0o600)
            for (mode, isReadable) in [(0o640, false), (0o604, true), (0o644, true)] {
                #expect(chmod(path, mode_t(mode)) == 0)
                let content = try readFile(path, bytesMax: 0)
                #expect(content.mode == UInt32(mode))
                #expect(isReadableByAll(mode: content.mode) == isReadable)
            }
        }
    }
}
