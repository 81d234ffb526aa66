import Diagnostics

// What an origin meets while it serves and when it stops: its logs, its limits, its peers.

extension Catalogue {
    static let runningRules = [
        originRule(
            .accessLog, "An access log that cannot be opened",
            "Its directory is missing or read-only, or Waymark's user may not write to it; or it is a file "
                + "that Waymark reads or keeps, such as the configuration.",
            fix: "Create the directory and give it to that user, name a file of its own, or log to "
                + "`stdout`."),
        originRule(
            .logFile, "An access log that cannot be written or reopened",
            "The disk is full, a pipe has no reader, or the directory is gone.",
            fix: "Free space, or create the directory and send USR1.",
            shows: "Requests are answered. Lines wait in a queue; when it is full, they are "
                + "dropped and counted."),
        originRule(
            .logQueue, "Lines of the access log that were dropped",
            "They came faster than they could be written, or the origin stopped before "
                + "they were written.",
            fix: "Check the disk, or the program that reads the lines.", severity: .warning,
            shows: "`waymark_log_dropped_total` counts them."),
        originRule(
            .eventsLost, "Events of the log that were lost",
            "The program that reads standard error has paused, or its disk takes nothing. The origin "
                + "waits for at most a second, and then no longer until it goes on.",
            fix: "Check that program: a stopped terminal, a collector that hangs, or a full disk.",
            severity: .warning,
            shows: "This event reports the number when the program reads again, and "
                + "`waymark_events_dropped_total` counts them."),
        originRule(
            .abandoned, "A stop that did not wait any longer",
            "A thread has not ended in its time: a disk does not answer, or a long operation is under "
                + "way. The process ends all the same.",
            fix: "Look at the disk, and at the kernel's messages (`dmesg`).",
            shows: "Changes of stored links that were acknowledged are in the store. Visits of the "
                + "last seconds may not be counted, and the last lines of the access log may be "
                + "missing."),
        originRule(
            .descriptorLimit, "Fewer descriptors than connections",
            "The limit of this process is lower than `limits.connections` needs.",
            fix: "Raise `LimitNOFILE=` or `ulimit -n`.", severity: .warning,
            shows: "The origin accepts only as many connections as there are descriptors."),
        originRule(
            .memoryLimit, "A small container",
            "The container, or the unit, may take less than 128 MiB of memory.",
            fix: "Raise the container's limit, or `MemoryMax=`.", severity: .warning,
            shows:
                "The origin serves. But the program itself takes a large part, and some loads of which "
                + "each is within its limits can together exceed what is left: then the kernel kills it."
        ),
        originRule(
            .connectionLimit, "The limit on connections is reached",
            "`limits.connections` connections are open.",
            fix: "Raise the limit, or look at `waymark_connections` by `state`.",
            severity: .warning,
            shows: "Further clients get 503, except for association files."),
        originRule(
            .addressLimit, "The limit on connections of an address is reached",
            "An address, or an IPv6 network, has `limits.connections-per-address` "
                + "connections open.",
            fix: "Find the address in the access log. List load balancers in `proxies`.",
            severity: .warning,
            shows: "Further connections from it get 429, except for association files."),
        originRule(
            .outOfDescriptors, "No descriptor for another connection",
            "The limit was lowered, or the system has no descriptors left.",
            fix: "Raise `LimitNOFILE=` or `fs.file-max`.", severity: .warning,
            shows: "Connected clients are served; new connections are reset."),
        originRule(
            .outOfMemory, "No memory for another connection or request",
            "The kernel has no memory for sockets, or this process has reached its limit.",
            fix:
                "Check `process_resident_memory_bytes`, the container's limit, "
                + "`MemoryMax=`, `tcp_mem`, `LimitDATA=` and `ulimit -v`.",
            severity: .warning,
            shows:
                "Connected clients are served; new connections are reset, reloads are refused, "
                + "and requests to the API and the console get 503."),
        originRule(
            .restartNeeded, "A value that a reload cannot change",
            "Tables and queues are allocated at the start, and a process has one store of links.",
            fix: "Restart the origin.",
            severity: .warning, shows: "The old value applies until the next start."),
        originRule(
            .watch, "Directories that cannot be watched",
            "The system's limit on watches for this user is reached.",
            fix: "Raise `fs.inotify.max_user_watches`, or `max_user_instances`.",
            severity: .warning,
            shows: "Changes in these directories are noticed within a minute instead of two "
                + "seconds."),
        originRule(
            .notifySocket, "A service manager that cannot be notified",
            "`NOTIFY_SOCKET` is not a valid socket name, no process listens there, or "
                + "Waymark may not use it.",
            fix: "Add AF_UNIX to the unit's `RestrictAddressFamilies=`. In a container, mount "
                + "the socket, or unset `NOTIFY_SOCKET`.",
            severity: .warning,
            shows: "The origin serves, but a unit with `Type=notify` never becomes active, and "
                + "is stopped after its start timeout."),
        originRule(
            .watchdog, "A loop that hangs",
            "The loop answers no requests, because of an error in Waymark, or because the "
                + "process got no processor time.",
            fix: "Check the processor load. Keep the core file, and report it.",
            shows: "The service manager kills the process and starts it again."),
        originRule(
            .untrustedPeer, "A connection from a peer that is not a trusted proxy",
            "With `protocol: proxy`, only trusted proxies may connect.",
            fix: "Add a new proxy to `trusted`. Block other peers' access to the port.",
            severity: .warning, shows: "The connection is closed."),
        originRule(
            .proxyHeader, "A proxy that sends no PROXY protocol header",
            "A trusted proxy's connection does not begin with the header, or the header "
                + "did not arrive in time.",
            fix: "Configure the proxy to send it, or remove `protocol`.", severity: .warning,
            shows: "The connection is closed."),
        originRule(
            .forwardedField, "A proxy that reports no address",
            "The field in `header` contains something other than an address.",
            fix: "Configure the proxy to write addresses, or set `header` to the field that it "
                + "writes.",
            severity: .warning, shows: "The proxy counts as the client."),
        originRule(
            .proxyWithoutScheme, "A proxy that does not say how the client came",
            "A request comes over http and its fields show a proxy: a trusted one sends no "
                + "`X-Forwarded-Proto`, or one that is not trusted sends `https` in it.",
            fix: "Let the proxy send the field, and have its address in `trusted` and "
                + "`header: x-forwarded-for`; or let it connect to the https listener.",
            severity: .warning,
            shows: "The request is redirected to https. If the proxy terminates TLS, browsers go "
                + "in a circle."),
        originRule(
            .guessedSlugs, "A network that asks for many stored links that do not exist",
            "One network asks for many different slugs that are of no link. This is what guessing "
                + "looks like, and what an import that lacks links looks like.",
            fix:
                "Look at the paths (`GET /v1/misses`). Import what is missing. Block a network that "
                + "guesses.",
            severity: .warning,
            shows:
                "404 as before. Connections that go on asking get 404 for every stored link, but not those of a "
                + "proxy that reports clients in a field."),
    ]
}
