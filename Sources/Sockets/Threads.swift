private import CLinux
internal import Glibc

/// Runs `body` on a new thread. The process's signals are never delivered to it.
/// - Parameter name: the name in `top -H`; at most 15 bytes.
package func startThread(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let work = unsafe Unmanaged.passRetained(ThreadWork(name: name, body: body))
    var thread = pthread_t()
    // A thread inherits the signal mask of the thread that starts it.
    var (mask, before) = (sigset_t(), sigset_t())
    unsafe sigfillset(&mask)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] {
        unsafe sigdelset(&mask, fault)
    }
    unsafe pthread_sigmask(SIG_SETMASK, &mask, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    let status = unsafe pthread_create(&thread, nil, runThread, work.toOpaque())
    guard status == 0 else {
        unsafe work.release()
        // The C library says the same where there is no memory for the stack.
        let lacksMemory = status == EAGAIN && !hasFreeMemory(bytes: threadStackBytes)
        throw SystemError("pthread_create", number: lacksMemory ? ENOMEM : status)
    }
    pthread_detach(thread)
}

private final class ThreadWork: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

private let runThread: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    argument in
    guard let argument = unsafe argument else { return nil }
    let work = unsafe Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue()
    unsafe waymark_name_thread(work.name)
    work.body()
    return nil
}

/// The number of threads that can run at once on the processors that this process may use.
package var availableProcessors: Int {
    let count = Int(waymark_processors())
    return count > 0 ? count : max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
}

/// Raises the limit on open descriptors as far as possible, and returns it.
package func raiseDescriptorLimit() -> Int {
    guard var limit = processLimit(RLIMIT_NOFILE) else { return 0 }
    let before = limit.rlim_cur
    limit.rlim_cur = limit.rlim_max
    if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
        return Int(clamping: before)
    }
    return Int(clamping: limit.rlim_cur)
}

extension SystemError {
    /// The advice where no thread can be started; nil for another error.
    package var threadAdvice: String? {
        guard call == "pthread_create" else { return nil }
        if number == EAGAIN {
            return "raise the limit on tasks (TasksMax=, the pids limit of a container, ulimit -u)"
        }
        guard number == ENOMEM else { return nil }
        let limits = [("LimitDATA=", RLIMIT_DATA), ("LimitAS=", RLIMIT_AS)].compactMap {
            name, resource in
            processLimit(resource).flatMap {
                $0.rlim_cur == .max ? nil : "\(name) is \($0.rlim_cur) bytes"
            }
        }
        return "the stack of a thread takes \(threadStackBytes) bytes: "
            + (limits.isEmpty
                ? "add memory (vm.overcommit_memory)"
                : "raise the limit, \(limits.joined(separator: ", "))")
    }
}

private func processLimit(_ resource: __rlimit_resource) -> rlimit? {
    var limit = rlimit()
    return unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 ? limit : nil
}

/// The address space that the C library takes for the stack of a thread.
private var threadStackBytes: Int {
    let limit = processLimit(RLIMIT_STACK)?.rlim_cur ?? .max
    return limit == .max ? 2 << 20 : Int(clamping: limit)
}
