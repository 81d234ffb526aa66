private import CLinux
internal import Glibc

/// A program that is run to its end, with a limit of time and of output. It gets nothing of this
/// process's: no descriptor, no variable of the environment, no blocked or ignored signal.
package struct ChildProcess: Sendable {
    package let path: String
    package var arguments = [String]()
    /// Each as NAME=VALUE.
    package var environment = [String]()
    package var milliseconds = 60_000
    /// Of its output and errors together; the rest is read and dropped.
    package var outputBytesMax = 4_096
    /// Kills it when it was woken, also before the start. Nobody waits for it otherwise.
    package var cancellation: Wakeup?

    package init(path: String) { self.path = path }

    /// A program's end, and the beginning of what it has written to standard output and standard error.
    package struct End: Hashable, Sendable {
        package let reason: Reason
        package let output: [UInt8]
    }

    package enum Reason: Hashable, Sendable, CustomStringConvertible {
        case status(Int)
        case signal(Int)
        /// It was killed, because it had not ended in time.
        case timeout(milliseconds: Int)
        case cancelled
        case notStarted(SystemError)

        package var description: String {
            switch self {
            case .status(let number): "exit status \(number)"
            case .signal(let number): "ended by signal \(number)"
            case .timeout(let milliseconds): "not done after \(milliseconds / 1_000) s, and killed"
            case .cancelled: "killed, because this process stops"
            case .notStarted(let error): "not started: \(error)"
            }
        }
    }

    /// Runs it, and waits for it: for a thread of its own. With its end, or when it is killed, all
    /// processes of its group are killed.
    package func run() -> End {
        var ends: [CInt] = [-1, -1]
        guard unsafe waymark_pipe(&ends) == 0 else {
            return End(reason: .notStarted(SystemError("pipe2")), output: [])
        }
        let output = Descriptor(ends[0])
        let started = start(writing: Descriptor(ends[1]))
        switch started {
        case .failure(let error): return End(reason: .notStarted(error), output: [])
        case .success(let child): return wait(for: child, reading: output)
        }
    }

    /// - Parameter output: is closed here when the program has it.
    private func start(writing output: consuming Descriptor) -> Result<pid_t, SystemError> {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output.number, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, output.number, 2)
        unsafe waymark_close_from(&actions, 3)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        // A group of its own, whose number is that of the program.
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        unsafe posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var child = pid_t()
        let status = unsafe posix_spawn(&child, path, &actions, &attributes, &words, &variables)
        return status == 0
            ? .success(child) : .failure(SystemError("posix_spawn", number: status))
    }

    private func wait(for child: pid_t, reading pipe: borrowing Descriptor) -> End {
        let deadline = Clock.monotonicMilliseconds + milliseconds
        let end = Descriptor(waymark_process(child))
        var output = [UInt8]()
        var isOpen = true
        var killed: Reason?
        while killed == nil, !hasEnded(child) {
            let left = deadline - Clock.monotonicMilliseconds
            // Without a descriptor of the process, its end is looked for.
            let pause = end.number >= 0 ? left : min(left, Self.lookMilliseconds)
            var waiting = [
                pollfd(fd: isOpen ? pipe.number : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: cancellation?.number ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&waiting, 3, CInt(clamping: max(0, pause)))
            if waiting[0].revents != 0 { isOpen = read(pipe, into: &output) }
            if waiting[2].revents != 0 {
                killed = .cancelled
            } else if Clock.monotonicMilliseconds >= deadline {
                killed = .timeout(milliseconds: milliseconds)
            }
        }
        // It was not waited for yet, so its number, which is the group's, is no other process's.
        kill(-child, SIGKILL)
        var status: CInt = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        // Who has left the group can go on writing, and is not waited for.
        var rest = 0
        while isOpen, rest < Self.restReads, hasContent(pipe) {
            isOpen = read(pipe, into: &output)
            rest += 1
        }
        let signal = Int(status & 0x7F)
        return End(
            reason: killed ?? (signal == 0 ? .status(Int(status >> 8 & 0xFF)) : .signal(signal)),
            output: output)
    }

    private func hasEnded(_ child: pid_t) -> Bool {
        var info = unsafe siginfo_t()
        guard unsafe waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 else {
            return errno != EINTR
        }
        return unsafe info.si_signo != 0
    }

    private func hasContent(_ pipe: borrowing Descriptor) -> Bool {
        var waiting = pollfd(fd: pipe.number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&waiting, 1, 0) > 0
    }

    /// - Returns: whether there may be more.
    private func read(_ pipe: borrowing Descriptor, into output: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe Glibc.read(pipe.number, &buffer, buffer.count)
        guard count > 0 else { return count < 0 && errno == EINTR }
        output += buffer[..<min(count, max(0, outputBytesMax - output.count))]
        return true
    }

    private static let lookMilliseconds = 20
    /// More than a pipe holds.
    private static let restReads = 64
}
