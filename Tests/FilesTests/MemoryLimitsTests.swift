import Files
import Foundation
import TestSupport
import Testing

@Suite("Limits of memory (cgroups)")
struct MemoryLimitsTests {
    /// Files under a directory that stands for the root, and what they come to: a limit and what is
    /// free, or nil.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var files: [String: String]
        let limit: Int?
        let free: Int

        init(_ name: String, _ files: [String: String], _ limit: Int? = nil, free: Int = 0) {
            testDescription = name
            self.files = files
            (self.limit, self.free) = (limit, free)
        }
    }

    private static let (process, mounts) = ("proc/self/cgroup", "proc/self/mountinfo")
    private static let (two, one) = ("sys/fs/cgroup", "sys/fs/cgroup/memory")
    private static let mountTwo =
        "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
    private static let mountOne =
        "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
        + "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"

    private static func groupTwo(
        _ path: String, max: String, current: String = "600",
        stat: String = "anon 1\nfile 300\ninactive_file 100\nactive_file 50\nslab 7\n"
    ) -> [String: String] {
        [
            "\(two)\(path)/memory.max": "\(max)\n", "\(two)\(path)/memory.current": "\(current)\n",
            "\(two)\(path)/memory.stat": stat,
        ]
    }

    private static func groupOne(_ path: String, limit: String) -> [String: String] {
        [
            "\(one)\(path)/memory.limit_in_bytes": "\(limit)\n",
            "\(one)\(path)/memory.usage_in_bytes": "600\n",
            "\(one)\(path)/memory.stat":
                "inactive_file 1\nactive_file 1\ntotal_inactive_file 100\ntotal_active_file 50\n",
        ]
    }

    /// The process in group `/a/b` of version 2.
    private static func inTwo(_ groups: [String: String]...) -> [String: String] {
        groups.reduce(into: [
            process: "0::/a/b\n", mounts: "1 2 0:3 / / rw - ext4 x rw\n" + mountTwo,
        ]) { $0.merge($1) { $1 } }
    }

    private static func inOne(_ groups: [String: String]...) -> [String: String] {
        groups.reduce(into: [
            process: "7:pids:/a/b\n4:cpu,memory:/a/b\n0::/a/b\n", mounts: mountOne,
        ]) { $0.merge($1) { $1 } }
    }

    static let rows: [Row] = [
        .init("no files at all", [:]),
        .init("no limit", inTwo(groupTwo("/a/b", max: "max"))),
        .init("version 2", inTwo(groupTwo("/a/b", max: "1000")), 1000, free: 550),
        .init(
            "a group above is narrower",
            inTwo(groupTwo("/a/b", max: "1000"), groupTwo("/a", max: "900")), 900, free: 450),
        .init(
            "a group above is wider",
            inTwo(groupTwo("/a/b", max: "1000"), groupTwo("/a", max: "9000")), 1000, free: 550),
        .init(
            "the root of a container",
            [process: "0::/\n", mounts: mountTwo].merging(groupTwo("", max: "1000")) { $1 },
            1000, free: 550),
        .init(
            "a container that sees its own group alone",
            [
                process: "0::/docker/1234\n",
                mounts: mountTwo.replacing(" / /sys", with: " /docker/1234 /sys"),
            ].merging(groupTwo("", max: "1000")) { $1 }, 1000, free: 550),
        .init(
            "a process outside of its namespace",
            [process: "0::/../x\n", mounts: mountTwo].merging(groupTwo("", max: "1000")) { $1 },
            1000, free: 550),
        .init("version 1", inOne(groupOne("/a/b", limit: "1000")), 1000, free: 550),
        .init(
            "version 1, a group above",
            inOne(groupOne("/a/b", limit: "1000"), groupOne("", limit: "700")), 700, free: 250),
        .init("version 1, no limit", inOne(groupOne("/a/b", limit: "9223372036854771712"))),
        .init("more used than allowed", inTwo(groupTwo("/a/b", max: "300")), 300, free: 0),
        .init(
            "more cached than used", inTwo(groupTwo("/a/b", max: "300", current: "20")), 300,
            free: 300),
        // What is not in its form limits nothing.
        .init("a negative limit", inTwo(groupTwo("/a/b", max: "-1"))),
        .init("no number", inTwo(groupTwo("/a/b", max: "1000 "))),
        .init("two lines", inTwo(groupTwo("/a/b", max: "1000\n2000"))),
        .init("nothing", inTwo(groupTwo("/a/b", max: ""))),
        .init("too large a number", inTwo(groupTwo("/a/b", max: "99999999999999999999"))),
        .init("no usage", inTwo(groupTwo("/a/b", max: "1000", current: "x"))),
        .init("no figures", inTwo(groupTwo("/a/b", max: "1000", stat: ""))),
        .init("half of them", inTwo(groupTwo("/a/b", max: "1000", stat: "active_file 1\n"))),
        .init(
            "a figure that is none",
            inTwo(groupTwo("/a/b", max: "1000", stat: "active_file 1\ninactive_file 0x1\n"))),
        .init(
            "no path", inTwo(groupTwo("/a/b", max: "1000")).merging([process: "0::\n"]) { $1 }),
        .init(
            "no mount", inTwo(groupTwo("/a/b", max: "1000")).merging([mounts: "- - -\n"]) { $1 }),
    ]

    @Test("the narrowest limit counts, and what is no limit does not", arguments: rows)
    func room(_ row: Row) throws {
        try withFiles(row.files) { root in
            let limits = MemoryLimits(root: root)
            let room = limits.room()
            #expect(room?.limitBytes == row.limit && room?.freeBytes ?? 0 == row.free)
            // They change while the process runs.
            guard row.files["\(Self.two)/a/b/memory.max"] != nil, row.limit != nil else { return }
            try write("400\n", to: "\(root)/\(Self.two)/a/b/memory.max")
            let changed = try #require(limits.room())
            #expect(changed.limitBytes == 400 || changed.freeBytes < row.free)
        }
    }

    @Test func `mounts beyond a page are found, and this process has figures or none`() throws {
        let other = "1 2 0:3 / /mnt rw - ext4 /dev/sda rw\n"
        let many = String(repeating: other, count: 5000)
        var files = Self.inTwo(Self.groupTwo("/a/b", max: "1000"))
        files[Self.mounts] = many + Self.mountTwo
        try withFiles(files) { root in #expect(MemoryLimits(root: root).room()?.freeBytes == 550) }
        if let room = MemoryLimits().room() { #expect(room.freeBytes <= room.limitBytes) }
    }

    @Test func `where too little is left, freed memory is given back once a second`() throws {
        // 8 MiB are kept.
        let (left, takeable) = (1_000_000, 1_000_000 - 450)
        try withFiles(Self.inTwo(Self.groupTwo("/a/b", max: "\(left + (8 << 20))"))) { root in
            let limits = MemoryLimits(root: root)
            let free = takeable + (8 << 20)
            var count = 0
            #expect(limits.room(toTake: takeable) { count += 1 }?.freeBytes == free)
            #expect(count == 0)
            try wait {
                #expect(limits.room(toTake: takeable + 1) { count += 1 }?.freeBytes == free)
                return count == 2
            }
            #expect(limits.hasRoom(takeable) && !limits.hasRoom(takeable + 1))
        }
    }

    private func withFiles(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let root = NSTemporaryDirectory() + "waymark-\(UUID().uuidString)"
        try createDirectory(root)
        defer { try? FileManager.default.removeItem(atPath: root) }
        for (path, text) in files {
            var directory = root
            for part in path.split(separator: "/").dropLast() {
                directory += "/\(part)"
                try createDirectory(directory)
            }
            try write(text, to: "\(root)/\(path)")
        }
        try body(root)
    }

    private func write(_ text: String, to path: String) throws {
        removeFile(path)
        _ = try createFile(path, Array(text.utf8), mode: 0o644)
    }
}

@Suite("Settings of the kernel")
struct KernelSettingTests {
    @Test func `a setting has its number, and one that does not exist has none`() {
        #expect(kernelSetting("kernel/pid_max").map { $0 > 0 } == true)
        #expect(kernelSetting("kernel/no_such_setting") == nil)
        #expect(kernelSetting("kernel/ostype") == nil)
    }
}
