private import Glibc
private import Synchronization

/// The control groups whose memory limits apply to this process (cgroups(7), both versions): a
/// container's, a unit's, and their parents'. Beyond such a limit, the kernel kills the process.
package struct MemoryLimits: Sendable {
    private let groups: [MemoryGroup]

    /// Finds the groups once, because a process stays in its groups.
    /// - Parameter root: a directory instead of the system's root, without its trailing slash.
    package init(root: String = "") {
        let mounts = lines("\(root)/proc/self/mountinfo").compactMap(Mount.init)
        groups = lines("\(root)/proc/self/cgroup").compactMap(Membership.init).flatMap {
            $0.groups(mounts, root)
        }
    }

    /// Whether there is no limit except the machine's memory.
    package var isEmpty: Bool { groups.isEmpty }

    /// The room within the narrowest limit; nil if there is none. A group whose files are missing
    /// or malformed has no limit.
    package func room() -> MemoryRoom? {
        groups.compactMap { $0.room() }.min { $0.freeBytes < $1.freeBytes }
    }

    /// The same for work that takes so many bytes.
    /// - Parameter giveBack: gives the kernel what the allocator keeps of freed memory, which counts as used: else a load that has gone
    ///   would leave no room for good. It is called where there is less than that, at most once a second.
    package func room(toTake bytes: Int, giveBack: () -> Void) -> MemoryRoom? {
        let room = room()
        guard let room, room.takeableBytes < bytes, Self.mayGiveBack() else { return room }
        giveBack()
        return self.room()
    }

    /// Whether new work may take so many bytes.
    package func hasRoom(_ bytes: Int) -> Bool {
        room().map { $0.takeableBytes >= bytes } ?? true
    }

    private static func mayGiveBack() -> Bool {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return lastGivenBack.exchange(time.tv_sec, ordering: .relaxed) != time.tv_sec
    }

    /// The second of the monotonic clock in which memory was last given back.
    private static let lastGivenBack = Atomic(0)
}

/// A memory limit, and how much of it is free.
package struct MemoryRoom: Equatable, Sendable {
    package let limitBytes: Int
    /// The kernel's file cache counts as free, because the kernel frees it first.
    package let freeBytes: Int

    /// The last sixteenth of the limit, 8 to 32 MiB, is kept for those who are connected, for the kernel's buffers of them, and for what
    /// the threads use for the first time when these ask.
    package var keptBytes: Int { min(max(limitBytes / 16, 8 << 20), 32 << 20) }
    /// The floor: from this limit on, no documented load ends the process.
    package static let floorBytes = 128 << 20
    /// The bytes that the kernel may keep of one connection's that are not read yet: a 4,096th of the limit, and at least 32 KiB.
    package var unreadBytes: Int { max(limitBytes / 4096, 32 << 10) }
    /// The bytes that new work may take.
    package var takeableBytes: Int { freeBytes - keptBytes }
}

/// A group of either version, as a directory.
private struct MemoryGroup: Sendable {
    let path: String
    let isVersion2: Bool

    func room() -> MemoryRoom? {
        guard let limit = number(isVersion2 ? "memory.max" : "memory.limit_in_bytes"),
            limit < unlimitedBytes,
            let usage = number(isVersion2 ? "memory.current" : "memory.usage_in_bytes"),
            let cache = cacheBytes()
        else { return nil }
        let used = usage - min(usage, cache)
        return MemoryRoom(limitBytes: limit, freeBytes: max(0, limit - used))
    }

    private func number(_ file: String) -> Int? {
        let lines = lines("\(path)/\(file)")
        return lines.count == 1 ? decimal(lines[0]) : nil
    }

    /// The cache of the group and the groups below it.
    private func cacheBytes() -> Int? {
        let prefix = isVersion2 ? "" : "total_"
        let names = ["inactive_file", "active_file"].map { Array("\(prefix)\($0)".utf8) }
        var (found, bytes) = (0, 0)
        for line in lines("\(path)/memory.stat") {
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count == 2, names.contains(where: { words[0].elementsEqual($0) }) else {
                continue
            }
            guard let number = decimal(words[1]), number < unlimitedBytes else { return nil }
            (found, bytes) = (found + 1, bytes + number)
        }
        return found == names.count ? bytes : nil
    }
}

/// A line of `/proc/self/cgroup`: `0::PATH`, or `NUMBER:CONTROLLERS:PATH` of version 1.
private struct Membership {
    let isVersion2: Bool
    let path: [ArraySlice<UInt8>]

    init?(_ line: ArraySlice<UInt8>) {
        let parts = line.split(
            separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].first == UInt8(ascii: "/") else { return nil }
        isVersion2 = parts[0].elementsEqual("0".utf8) && parts[1].isEmpty
        guard isVersion2 || hasMemory(parts[1]) else { return nil }
        path = parts[2].split(separator: UInt8(ascii: "/"))
    }

    /// The group and its parents, as far as they are visible: the mount can be the group itself, or
    /// a parent.
    func groups(_ mounts: [Mount], _ root: String) -> [MemoryGroup] {
        guard let mount = mounts.first(where: { $0.isVersion2 == isVersion2 }) else { return [] }
        var below = path[...]
        // A path outside of the mount, which a namespace writes with `..`, is ignored.
        if below.starts(with: mount.root, by: { $0.elementsEqual($1) }),
            !below.contains(where: { $0.elementsEqual("..".utf8) }), below.count < levelsMax
        {
            below.removeFirst(mount.root.count)
        } else {
            below = []
        }
        var directory = root + mount.position
        var groups = [MemoryGroup(path: directory, isVersion2: isVersion2)]
        for name in below {
            directory += "/" + String(decoding: name, as: UTF8.self)
            groups.append(.init(path: directory, isVersion2: isVersion2))
        }
        return groups
    }
}

/// A line of `/proc/self/mountinfo` (proc(5)) that mounts memory groups.
private struct Mount {
    let isVersion2: Bool
    let root: [ArraySlice<UInt8>]
    let position: String

    init?(_ line: ArraySlice<UInt8>) {
        let words = line.split(separator: UInt8(ascii: " "))
        guard let dash = words.firstIndex(where: { $0.elementsEqual("-".utf8) }), dash >= 6,
            words.count > dash + 3
        else { return nil }
        isVersion2 = words[dash + 1].elementsEqual("cgroup2".utf8)
        guard
            isVersion2
                || words[dash + 1].elementsEqual("cgroup".utf8) && hasMemory(words[dash + 3])
        else { return nil }
        root = words[3].split(separator: UInt8(ascii: "/"))
        position = String(decoding: words[4], as: UTF8.self)
    }
}

private func hasMemory(_ controllers: ArraySlice<UInt8>) -> Bool {
    controllers.split(separator: UInt8(ascii: ",")).contains { $0.elementsEqual("memory".utf8) }
}

private func lines(_ path: String) -> [ArraySlice<UInt8>] {
    kernelFile(path).split(separator: UInt8(ascii: "\n"))
}

/// A number with only digits, as the kernel writes it.
private func decimal(_ text: ArraySlice<UInt8>) -> Int? {
    guard text.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
    return Int(String(decoding: text, as: UTF8.self))
}

/// Version 1 writes the largest number of pages if there is no limit.
private let unlimitedBytes = 1 << 60
/// Groups are not nested deeper.
private let levelsMax = 32
