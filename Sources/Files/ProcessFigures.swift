internal import Glibc

/// The kernel's statistics of this process (proc(5)). Reading them waits for no disk.
package struct ProcessFigures: Sendable {
    /// The time in user and system mode, in microseconds.
    package let processorMicroseconds: Int
    package let residentBytes: Int
    package let virtualBytes: Int
    package let openDescriptors: Int
    package let descriptorsMax: Int
    /// In seconds since 1970.
    package let startSeconds: Int

    /// Reads the statistics now. Values that cannot be read are 0.
    package init() {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        processorMicroseconds = microseconds(usage.ru_utime) + microseconds(usage.ru_stime)
        let memory = words("/proc/self/statm")
        let pageBytes = sysconf(CInt(_SC_PAGESIZE))
        virtualBytes = (memory.first ?? 0) * pageBytes
        residentBytes = (memory.dropFirst().first ?? 0) * pageBytes
        openDescriptors = countDescriptors()
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        descriptorsMax = Int(clamping: limit.rlim_cur)
        startSeconds = startTime
    }
}

private func microseconds(_ time: timeval) -> Int { time.tv_sec * 1_000_000 + Int(time.tv_usec) }

private func words(_ path: String) -> [Int] {
    text(path).split(separator: " ").map { Int($0) ?? 0 }
}

/// The number that a kernel setting has, such as `fs/inotify/max_user_watches` (proc(5)); nil where
/// there is no such setting.
package func kernelSetting(_ name: String) -> Int? {
    text("/proc/sys/\(name)").split(separator: "\n").first.flatMap { Int($0) }
}

private func text(_ path: String) -> String { String(decoding: kernelFile(path), as: UTF8.self) }

/// The content of a kernel file, which is read in pieces; empty if there is none.
func kernelFile(_ path: String) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: pieceBytes)
    var filled = 0
    while filled < kernelFileBytesMax {
        if bytes.count - filled < pieceBytes { bytes += [UInt8](repeating: 0, count: bytes.count) }
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe read(file, buffer.baseAddress.map { unsafe $0 + filled }, pieceBytes)
        }
        guard count > 0 else { break }
        filled += count
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
}

/// Kernels since 6.2 have the number in the directory's size; otherwise the entries are counted.
private func countDescriptors() -> Int {
    var status = stat()
    if unsafe stat("/proc/self/fd", &status) == 0, status.st_size > 0 { return status.st_size }
    guard let directory = unsafe opendir("/proc/self/fd") else { return 0 }
    defer { unsafe closedir(directory) }
    var count = 0
    while unsafe readdir(directory) != nil { count += 1 }
    // Without `.` and `..`, and without the descriptor of this read.
    return max(0, count - 3)
}

/// The process started this many ticks after the machine, which started at `btime`.
private let startTime: Int = {
    // The program's name, in parentheses, can contain spaces.
    let fields = text("/proc/self/stat").split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = fields.count > 19 ? Int(fields[19]) ?? 0 : 0
    let boot = bootSeconds()
    return boot == 0 ? 0 : boot + ticks / sysconf(CInt(_SC_CLK_TCK))
}()

private func bootSeconds() -> Int {
    var (real, boot) = (timespec(), timespec())
    unsafe clock_gettime(CLOCK_REALTIME, &real)
    unsafe clock_gettime(CLOCK_BOOTTIME, &boot)
    return real.tv_sec - boot.tv_sec
}

/// The bytes of one read, and of all: there can be thousands of mounts.
private let pieceBytes = 8192
private let kernelFileBytesMax = 1 << 20
