private import CLinux
internal import Glibc

/// A thread of the operating system, running one function.
package struct OSThread: ~Copyable {
    private let thread: pthread_t

    /// Starts `body` on a new thread; `name` (at most 15 bytes) is what `top -H` shows.
    package init(
        name: String, _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let box = unsafe Unmanaged.passRetained(Box(name: name, body: body))
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let box = unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue()
                unsafe waymark_name_thread(box.name)
                box.body()
                return nil
            }, box.toOpaque())
        guard status == 0 else {
            unsafe box.release()
            throw SystemError("pthread_create", number: status)
        }
        self.thread = thread
    }

    /// Waits until the function has returned.
    package consuming func join() { pthread_join(thread, nil) }

    private final class Box: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}

/// How many threads can run at once on the processors that this process may use.
package var availableProcessors: Int {
    let count = sysconf(CInt(_SC_NPROCESSORS_ONLN))
    return max(1, count)
}

/// Raises the limit of open descriptors as far as it can be raised and returns it.
package func raiseDescriptorLimit() -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
        return 0
    }
    let before = limit.rlim_cur
    limit.rlim_cur = limit.rlim_max
    if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
        return Int(clamping: before)
    }
    return Int(clamping: limit.rlim_cur)
}
