import Diagnostics

// What `serve` finds when it starts or reloads. `lint` reads certificates, keys and public files
// when it is asked for an environment; sockets and users are for `serve` alone.

extension Catalogue {
    private static func rule(
        _ name: RuleName, _ title: String, _ wrong: String, fix: String,
        severity: Severity = .error,
        shows: String = "A start ends; a reload keeps what was served."
    ) -> CatalogueRule {
        CatalogueRule(
            name, nil, severity, title, wrong: wrong, shows: shows, fix: fix, source: "README.md",
            .documented)
    }

    /// A certificate's fault.
    private static let takesAway =
        "Its hosts keep the certificate that they were answered with before, or else their TLS "
        + "handshakes are refused; other hosts are served. A start goes on unless there is nothing "
        + "that could be answered."

    static let startingRules = [
        rule(
            .missingCertificate, "No certificate for https", "The environment has no `tls`.",
            fix: "Name a certificate and its key, or pass `--https off`."),
        rule(
            .unusableCertificate, "A certificate or key that cannot be used",
            "It is no PEM, encrypted, too weak, its chain is out of order, or the key is another "
                + "certificate's.",
            fix: "Name the files that belong together; the message says what a file looks like, "
                + "and the command that makes PEM of it.",
            shows: takesAway),
        rule(
            .expiredCertificate, "An expired certificate",
            "Its last day is over, or that of an issuer's in its chain.",
            fix: "Renew it.", shows: takesAway),
        rule(
            .certificateNotYetValid, "A certificate of the future",
            "Its first day is to come.",
            fix: "Look at the clock of the machine. It is taken over within a minute of its first "
                + "moment.", shows: takesAway),
        rule(
            .certificateExpiresSoon, "A certificate that expires within two weeks",
            "Whoever renews it has not.", fix: "Renew it; the new one is taken over by itself.",
            severity: .warning,
            shows: "On its last day every link dies."),
        rule(
            .certificateLacksHost, "A host that no certificate covers",
            "Clients would refuse the connection before they ask for anything.",
            fix: "Add a certificate that names the host, or take the host out.", shows: takesAway),
        rule(
            .hostWithoutCertificate, "A host that cannot be answered over https",
            "No certificate that covers it can be used: it is missing, damaged, expired, or for "
                + "other hosts, which was said before.",
            fix: "Mend that; the certificate is then taken over by itself.",
            shows: "TLS handshakes for it are refused (`unrecognized_name`); plain HTTP, and other "
                + "hosts, are answered."),
        rule(
            .certificateKept, "A host whose new certificate cannot be used",
            "What its certificate's files hold now cannot be used, or they are gone, which was "
                + "said before.",
            fix: "Mend that before the certificate expires that was read earlier.",
            shows: "The host is answered with the certificate that was read before, until that "
                + "expires or the origin is started anew."),
        rule(
            .associationNotSigned, "A signing certificate that cannot be used",
            "`signing` names a certificate or key that cannot be used, which was said before.",
            fix: "Mend that, or take `signing` out: no system since iOS 9 needs it.",
            shows: "The association file is signed with the certificate that was read before, or "
                + "served without a signature."),
        rule(
            .nothingToAnswer, "An origin that could answer nobody",
            "No host has a certificate that can be used, and plain HTTP is off.",
            fix: "Mend what was said of certificates, or let plain HTTP be answered.",
            shows: "A start ends."),
        rule(
            .certificateLacksIssuer, "A certificate without its issuer's",
            "The file holds one certificate, which names another that issued it (RFC 5280 "
                + "§4.2.2.1).",
            fix: "Name the file of the whole chain; certbot's is fullchain.pem.",
            severity: .warning,
            shows: "Phones, and those who fetch association files for them, refuse to connect; "
                + "desktop browsers often do not."),
        rule(
            .unreadableFile, "A file that cannot be read",
            "A certificate, a key, a public file or one of the theme's is missing, too large, or "
                + "not for this user.",
            fix: "Mend the path or the permission.",
            shows:
                "A start ends, and a reload keeps what was served; but a certificate or key takes "
                + "away its own hosts alone."),
        rule(
            .theme, "A theme with a fault",
            "Its directory cannot be read, or a template or style says what would break the page "
                + "or its security policy. A warning where a template or a text is not used.",
            fix: "Mend the template at its place, by docs/landing-page.md; "
                + "`waymark init --theme DIRECTORY` writes those that are good."),
        rule(
            .keyReadableByAll, "A secret that every user may read",
            "A private key or ticket key is readable by all users of the machine.",
            fix: "`chmod 600` it, or `chmod 640` where waymark reads it through a group.",
            severity: .warning,
            shows: "Whoever gets in as any user can be this site."),
        rule(
            .acmeWebroot, "An ACME webroot that is not there",
            "`acme-webroot` names no directory, or one that waymark may not enter.",
            fix: "Make it, or name the directory that the ACME client writes to.",
            severity: .warning,
            shows: "Challenges get 404, and certificates are not renewed."),
        rule(
            .ticketKey, "A ticket key file of another length",
            "It has neither 80 nor 48 bytes.", fix: "`openssl rand -out FILE 80`."),
        rule(
            .missingPage, "A page that is no public file",
            "The path leads to no file of the public directory.",
            fix: "Add the file, or name another; `lint` finds this too."),
        rule(
            .hiddenAction, "An action that a public file hides",
            "A link for one path has a `web`, and the public directory has a file for that path, "
                + "as `index.html` is for `/`. Files come first.",
            fix: "Remove the file, or the action.", severity: .warning,
            shows: "Everybody gets the file."),
        rule(
            .missingFile, "A picture or film that is no public file",
            "A page, or the site, names a path that leads to no file of the public directory.",
            fix: "Add the file, or name it by its whole URL; `lint` says this.",
            severity: .warning, shows: "Previews and pages lack it."),
        rule(
            .noHead, "A page without a head",
            "A link has `page: {insert: true}`, and its public file has no `<head>`.",
            fix: "Give it one, or take `insert` out.", severity: .warning,
            shows: "The page is served as it is, without the link's markup."),
        rule(
            .associationInPublic, "An association file among the public files",
            "There it would be served without being checked.",
            fix: "Name it as `aasa` or `assetlinks`, and move it elsewhere."),
        rule(
            .linkOutOfPublic, "A symbolic link out of the public directory",
            "What it points to was not meant to be public.", fix: "Copy what it points to."),
        rule(
            .linkToHiddenFile, "A symbolic link to a hidden public file",
            "A name in its target begins with a full stop. Such files are not served, whatever "
                + "links to them; names with two full stops, which Kubernetes makes, aside.",
            fix: "Copy what it points to, or rename that."),
        rule(
            .secretInPublic, "A secret among the public files",
            "The configuration, a private key, a ticket key, the theme, or the log that this "
                + "process writes is in the public directory, under whatever name. Keys and logs "
                + "of other environments of the configuration count too.",
            fix: "Name as `public` a directory that holds nothing but what everybody may read."),
        rule(
            .privateKeyInPublic, "A private key among the public files",
            "A public file holds a private key in PEM, whatever its name is.",
            fix: "Move it elsewhere. Replace a key that was served once."),
        rule(
            .fileNameNotUTF8, "A public file whose name is not UTF-8",
            "No URL could name it.", fix: "Rename it."),
        rule(
            .unreachableName, "A public file that no request can name",
            "Its name holds a control character, a backslash or what looks like an escape "
                + "(`%41`), or its path has over 8,192 bytes when it is escaped. Such requests "
                + "get 400 or 414, because servers and proxies read them differently.",
            fix: "Rename it.", severity: .warning,
            shows: "Everybody gets 400, and the sitemap leaves it out."),
        rule(
            .publicTooLarge, "Public files that are too many megabytes",
            "They are kept in memory.", fix: "Serve large media from a host of its own."),
        rule(
            .publicTooDeep, "Public directories nested too deep",
            "They are nested more than 32 deep, or hold more than a million entries. A loop of "
                + "links, perhaps.",
            fix: "Flatten them; remove links to directories above."),
        rule(
            .addressInUse, "A port that another process listens on",
            "Two programs cannot share it.", fix: "Stop the other (`ss -ltnp`), or take another.",
            shows: "A start ends."),
        rule(
            .addressNotHere, "An address that this machine does not have",
            "No interface has it.", fix: "Name one that it has, or the port alone.",
            shows: "A start ends."),
        rule(
            .privilegedPort, "A port that needs a permission",
            "Ports below 1024 need CAP_NET_BIND_SERVICE.", fix: "Take a higher one, or map it.",
            shows: "A start ends."),
        rule(
            .listen, "An address that cannot be listened on",
            "The system refuses it, for the reason that the message gives.",
            fix: "Mend that, or listen elsewhere.", shows: "A start ends."),
        rule(
            .start, "An origin that cannot start",
            "The system or OpenSSL refuses what every start needs: a thread, a descriptor, memory, "
                + "randomness.",
            fix: "See the reason; limits of the unit or container are the usual one."),
        rule(
            .reloadRefused, "A reload that was refused", "What is wrong was said before.",
            fix: "Mend that; it is tried again when a file changes, each minute, and on HUP.",
            shows: "What was served before is served on."),
        rule(
            .filesChange, "Files that change each time they are read",
            "They were read three times, and changed each time: an upload, a copy, or a program "
                + "that writes there all the time.",
            fix:
                "Wait for its end. Keep what is always written out of `public` and the theme.",
            shows: "A start ends with 75; a reload is tried again when files are quiet."),
        rule(
            .reloadPostponed, "A reload that waits for files to be quiet",
            "Files changed while they were read. After a minute of it the reload is refused.",
            fix: "Nothing, if they stop changing: the reload follows by itself.",
            severity: .warning, shows: "What was served before is served on."),
        rule(
            .runsAsRoot, "An origin that runs as root",
            "Every byte that a stranger sends is handled with root's rights.",
            fix: "Give `--user`, or start it as another user; `--allow-root` where it is meant.",
            shows: "Refused for ports below 1024, a warning otherwise."),
        rule(
            .user, "A user that cannot be changed to", "Only root can become another user.",
            fix: "Start as root, or as that user without `--user`.", shows: "A start ends."),
        rule(
            .socketName, "An inherited socket of an unknown name",
            "A service manager handed over a socket that is not called https, http or admin.",
            fix: "`FileDescriptorName=` in the socket unit.", shows: "A start ends."),
        rule(
            .socketKind, "An inherited socket that cannot be used",
            "It is not a listening TCP socket.", fix: "`ListenStream=` in the socket unit.",
            shows: "A start ends."),
        rule(
            .accessLog, "An access log that cannot be opened",
            "Its directory is missing, not writable by the user that runs waymark, or read-only.",
            fix: "Make the directory, and give it to that user; or let `log` go to `stdout`."),
        rule(
            .logFile, "An access log that takes nothing, or cannot be opened anew",
            "A full disk, a pipe that nobody reads, or a directory that is gone.",
            fix: "Make room; make the directory, then send USR1.",
            shows: "Requests are answered; lines wait, and are dropped and counted beyond that."),
        rule(
            .logQueue, "Lines of the access log that were dropped",
            "They come faster than they are taken, or the origin stopped before they were.",
            fix: "Look at the disk, or at the program that reads them.", severity: .warning,
            shows: "`waymark_log_dropped_total` counts them."),
        rule(
            .eventsLost, "Events of the log that were lost",
            "The program that reads standard error took nothing for a while. The origin waits for "
                + "it at most a second, and then no more until it takes something again.",
            fix: "Look at that program: a terminal that is stopped, a collector that hangs, a full "
                + "disk behind it.",
            severity: .warning,
            shows: "It is said once there is room again, and `waymark_events_dropped_total` counts "
                + "them."),
        rule(
            .descriptorLimit, "Fewer descriptors than connections",
            "The limit of this process is lower than `limits.connections` needs.",
            fix: "Raise `LimitNOFILE=` or `ulimit -n`.", severity: .warning,
            shows: "So many connections are taken as there are descriptors for."),
        rule(
            .connectionLimit, "As many connections as may be",
            "`limits.connections` are open.",
            fix: "Raise it, or see by `waymark_connections` what they do.", severity: .warning,
            shows: "Others get 503, and association files."),
        rule(
            .addressLimit, "As many connections of an address as may be",
            "An address, or a network of IPv6, has `limits.connections-per-address` open.",
            fix: "Look in the access log whose it is; name balancers in `proxies`.",
            severity: .warning, shows: "Its others get 429, and association files."),
        rule(
            .outOfDescriptors, "No descriptor for another connection",
            "The limit was lowered, or the system has none left.",
            fix: "Raise `LimitNOFILE=` or `fs.file-max`.", severity: .warning,
            shows: "Who is connected is served; others are reset."),
        rule(
            .outOfMemory, "No memory for another connection",
            "The kernel has none for sockets, or this process may take no more.",
            fix:
                "See `process_resident_memory_bytes`, a container's limit, `MemoryMax=`, "
                + "`tcp_mem`, `LimitDATA=` and `ulimit -v`.",
            severity: .warning,
            shows: "Who is connected is served; others are reset, and reloads are refused."),
        rule(
            .restartNeeded, "A limit that a reload cannot change",
            "Tables and queues are made when the origin starts.", fix: "Restart it.",
            severity: .warning, shows: "The old number holds until then."),
        rule(
            .watch, "Directories that cannot be watched",
            "The system watches no more of them for this user.",
            fix: "Raise `fs.inotify.max_user_watches`, or `max_user_instances`.",
            severity: .warning,
            shows: "Changes there are noticed within a minute instead of two seconds."),
        rule(
            .notifySocket, "A service manager that cannot be told",
            "`NOTIFY_SOCKET` is not the form of a socket's name, nothing listens there, or the "
                + "process may not use it.",
            fix: "`RestrictAddressFamilies=` of the unit must hold AF_UNIX; a container needs the "
                + "socket mounted, or no `NOTIFY_SOCKET`.",
            severity: .warning,
            shows: "The origin serves; a unit of `Type=notify` never becomes active, and is ended "
                + "when its time to start is over."),
        rule(
            .watchdog, "A loop that does not turn",
            "It answers nobody. A fault of Waymark's, or a process that got no processor.",
            fix: "Look at the processor; keep the core file, and report it.",
            shows: "The service manager ends the process, which it then starts again."),
        rule(
            .untrustedPeer, "A connection from somebody who is no trusted proxy",
            "With `protocol: proxy` nobody else may connect.",
            fix: "Add a new proxy to `trusted`; keep the port from anybody else.",
            severity: .warning, shows: "It is closed."),
        rule(
            .proxyHeader, "A proxy that sends no header of the PROXY protocol",
            "What a trusted proxy's connection begins with is none, or none came in time.",
            fix: "Have the proxy send it, or leave out `protocol`.", severity: .warning,
            shows: "The connection is closed."),
        rule(
            .forwardedField, "A proxy that tells no address",
            "The field that `header` names holds something else.",
            fix: "Have the proxy write addresses, or name the field that it writes.",
            severity: .warning, shows: "The proxy is taken for the client."),
    ]
}
