import Diagnostics

// What `serve` finds when it starts or reloads. `lint` reads certificates, keys and public files
// when it is asked for an environment; sockets and users are for `serve` alone.

extension Catalogue {
    /// A rule about an origin that starts, serves or stops, which docs/operations.md explains.
    static func originRule(
        _ name: RuleName, _ title: String, _ wrong: String, fix: String,
        severity: Severity = .error,
        shows: String = "A start fails; a reload keeps the previous state."
    ) -> CatalogueRule {
        CatalogueRule(
            name, nil, severity, title, wrong: wrong, shows: shows, fix: fix,
            source: "docs/operations.md",
            .documented)
    }

    /// A certificate's fault.
    private static let takesAway =
        "Its hosts keep the previous certificate, or else their TLS handshakes fail. "
        + "Other hosts are served. A start fails only if nothing could be served."

    static let startingRules = [
        originRule(
            .missingCertificate, "No certificate for https", "The environment has no `tls`.",
            fix: "Add a certificate and its key, or use `--https off`."),
        originRule(
            .unusableCertificate, "A certificate or key that cannot be used",
            "It is not PEM, encrypted or too weak, its chain is out of order, or the key "
                + "does not fit the certificate.",
            fix: "Use files that belong together. The message describes the content of the "
                + "file, and has the command that converts it to PEM.",
            shows: takesAway),
        originRule(
            .expiredCertificate, "An expired certificate",
            "It has expired, or an issuer's certificate in its chain has.",
            fix: "Renew it.", shows: takesAway),
        originRule(
            .certificateNotYetValid, "A certificate that is not valid yet",
            "Its validity begins in the future.",
            fix: "Check the machine's clock. Waymark uses the certificate within a minute of "
                + "the time at which it becomes valid.", shows: takesAway),
        originRule(
            .certificateExpiresSoon, "A certificate that expires within two weeks",
            "It was not renewed in time.",
            fix: "Renew it. Waymark loads the new certificate by itself.",
            severity: .warning,
            shows: "After it expires, links stop working."),
        CatalogueRule(
            .oldCountryFile, nil, .warning, "A country file that is older than 90 days",
            wrong: "The metadata of the file in `countries` say that it was built more than 90 "
                + "days ago. Publishers renew theirs each day or each month.",
            shows: "Visits from networks that have moved since are counted for another country.",
            fix: "Get the current file from its publisher. Write it under another name, and "
                + "rename it. Waymark loads it by itself.",
            source: "docs/configuration.md", .documented),
        originRule(
            .certificateLacksHost, "A host that no certificate covers",
            "Clients would refuse the connection before they send a request.",
            fix: "Add a certificate for the host, or remove the host.", shows: takesAway),
        originRule(
            .hostWithoutCertificate, "A host that cannot be served over https",
            "No certificate that covers it can be used: it is missing, damaged, expired, "
                + "or for other hosts. An earlier message has the reason.",
            fix: "Fix the certificate. Waymark loads it by itself.",
            shows: "TLS handshakes for it fail (`unrecognized_name`). Plain HTTP and other hosts "
                + "are served."),
        originRule(
            .certificateKept, "A host whose new certificate cannot be used",
            "The current files of its certificate cannot be used, or are missing. An "
                + "earlier message has the reason.",
            fix: "Fix the files before the previous certificate expires.",
            shows: "The host keeps the previous certificate until it expires or Waymark is "
                + "restarted."),
        originRule(
            .siteKept, "A site whose new state cannot be used",
            "The site's part of the configuration, its theme or its public files have errors. "
                + "An earlier message has the reason.",
            fix: "Fix the errors. Waymark loads the site by itself.",
            shows: "The site is served as it was before. The other sites are not affected."),
        originRule(
            .siteRefused, "A site that cannot be served",
            "The same, at a start or for a new site: there is no earlier state to serve.",
            fix: "Fix the errors. Waymark loads the site by itself.",
            shows: "Requests for its hosts are answered like those for any unknown host. The "
                + "other sites are not affected."),
        originRule(
            .certificateNotIssued, "An automatic certificate that was not issued",
            "The authority has refused an order, could not see that the host is this origin's, or "
                + "could not be asked. The message has the step and the authority's words.",
            fix:
                "Fix what the authority says; mostly the host's address in DNS is not this "
                + "origin's, or port 80 does not lead to it. It is tried again by itself, and "
                + "`waymark certificates renew HOST` tries it now.",
            shows:
                "A host without a certificate cannot be reached over https. A host with one is "
                + "answered with it until it ends."),
        originRule(
            .certificateState, "A directory of automatic certificates that cannot be used",
            "Waymark cannot write the directory of `--state`, it is lost at the next start, or "
                + "another process keeps certificates in it.",
            fix:
                "Use a directory that stays and that Waymark's user can write, and one process for "
                + "each.",
            shows:
                "Without it, no certificate is requested. If it is lost with each start, so are "
                + "account and certificates, until the authority's limits are reached."),
        originRule(
            .liveCheck, "A host that is not healthy, as fetchers see it",
            "With `watch`, a running origin checks its hosts as `waymark check` does, and one of "
                + "them has a fault that it did not have before.",
            fix: "Do what the message advises; [check.md](check.md#rules) has all that a check can "
                + "find. `GET /check` of the admin listener shows the last results.",
            shows: "What the finding says: mostly, links open the browser, and not the app."),
        originRule(
            .openID, "A provider that signs nobody in",
            "The provider of `console: {openid: …}` does not answer, or what it says is not right; or its client secret "
                + "or `authorities` cannot be read.",
            fix: "Do what the message advises; "
                + "[console-access.md](console-access.md#a-provider-of-openid-connect) has the settings.",
            shows: "Nobody signs in there. Sign-in links and sessions go on working."),
        originRule(
            .associationNotSigned, "A signing certificate that cannot be used",
            "The certificate or key in `signing` cannot be used. An earlier message has "
                + "the reason.",
            fix: "Fix the files, or remove `signing`: no system since iOS 9 needs it.",
            shows: "The association file is signed with the previous certificate, or served "
                + "without a signature."),
        originRule(
            .nothingToAnswer, "Nothing could be served",
            "No host has a usable certificate, and plain HTTP is off.",
            fix: "Fix the certificates, or turn plain HTTP on.",
            shows: "A start fails."),
        originRule(
            .certificateLacksIssuer, "A certificate without its issuer's certificate",
            "The file contains one certificate, which was issued by another (RFC 5280 §4.2.2.1).",
            fix: "Use the file with the whole chain; certbot's is fullchain.pem.",
            severity: .warning,
            shows: "Phones and the fetchers of association files refuse to connect; desktop "
                + "browsers often connect."),
        originRule(
            .unreadableFile, "A file that cannot be read",
            "A certificate, a key, a public file or a file of the theme is missing or too "
                + "large, or this user may not read it.",
            fix: "Fix the path or the permission.",
            shows:
                "A start fails, and a reload keeps the previous state. A certificate or "
                + "key affects only its own hosts."),
        originRule(
            .theme, "An error in the theme",
            "Its directory cannot be read, or a template or style would break the page or "
                + "its security policy. An unused template or text is a warning.",
            fix: "Fix the template at the position of the finding; see docs/pages.md. "
                + "`waymark init --theme DIRECTORY` writes the built-in templates."),
        originRule(
            .keyReadableByAll, "A key that every user can read",
            "All users of the machine can read a private key, a ticket key, or the file of `store-password` or "
                + "`store-secret`.",
            fix: "Run `chmod 600`, or `chmod 640` if Waymark reads it through a group.",
            severity: .warning,
            shows: "Any user of the machine can impersonate this site, or change its links."),
        originRule(
            .acmeWebroot, "An ACME webroot that does not exist",
            "`acme-webroot` is not a directory, or Waymark has no permission to enter it.",
            fix: "Create it, or set `acme-webroot` to the directory that the ACME client "
                + "writes to.",
            severity: .warning,
            shows: "Challenges get 404, and certificates are not renewed."),
        originRule(
            .ticketKey, "A ticket key file of the wrong length",
            "It has neither 80 nor 48 bytes.", fix: "Run `openssl rand -out FILE 80`."),
        originRule(
            .missingPage, "A page that is not a public file",
            "There is no file at the path in the public directory.",
            fix: "Add the file, or use another. `lint` also reports this."),
        originRule(
            .hiddenAction, "An action that another answer hides",
            "A link for exactly one path has a `web`, but the public directory has a file "
                + "for that path, such as `index.html` for `/`. Files come first. Or Waymark answers "
                + "the path itself, as `/robots.txt` and everything below `/.well-known/`.",
            fix: "Remove the file or the action, or use another path.", severity: .warning,
            shows: "All visitors get the file, or 404 below `/.well-known/`."),
        CatalogueRule(
            .wellKnownForm, nil, .error, "A public well-known file that its readers refuse",
            wrong:
                "`.well-known/webauthn` in the public directory has no list of origins, `passkey-endpoints` is no object of URLs of "
                + "https, or `applinking.json` names no app. An origin of `webauthn` that browsers leave out is a warning. The syntax "
                + "of other files of JSON there, such as `nodeinfo`, and public association files are checked, too, by their rules.",
            shows: "Passkeys, password managers or apps behave as if there were no file.",
            fix: "Correct the file, or let the configuration generate it.",
            source: "WebAuthn Level 3 §5.11; W3C, “Passkey Endpoints”; Huawei, “App Linking”",
            .documented),
        CatalogueRule(
            .changePasswordPage, nil, .error, "A page in the place of a redirect",
            wrong:
                "The public directory has a file `.well-known/change-password`. Its path must redirect to the page on which people "
                + "change their passwords. A file without a suffix is sent as bytes.",
            shows: "Browsers and password managers save a file in place of opening the page.",
            fix: "Remove the file, and write `change-password` in the configuration.",
            source: "W3C, “A Well-Known URL for Changing Passwords”", .documented),
        originRule(
            .headerReach, "Response header fields that are never sent",
            "A pattern of `headers` matches no public file and no page of a link. Association "
                + "files, robots.txt, the sitemap, redirects and errors have no configured fields.",
            fix: "Write the path of public files or of links, or remove the rule.",
            severity: .warning, shows: "No response has the fields."),
        originRule(
            .missingFile, "An image or video that is not a public file",
            "A page or the site has a path without a file in the public directory.",
            fix: "Add the file, or write its whole URL. `lint` also reports this.",
            severity: .warning, shows: "Previews and pages do not have it."),
        originRule(
            .noHead, "A page without a head",
            "A link has `page: {insert: true}`, but its public file has no `<head>`.",
            fix: "Add a head, or remove `insert`.", severity: .warning,
            shows: "The page is served unchanged, without the link's tags."),
        originRule(
            .associationInPublic, "An association file among the public files",
            "The origin serves the files that `aasa` and `assetlinks` name, or those that it makes. One of the public "
                + "directory would only seem to be served.",
            fix: "Move it elsewhere, and set `aasa` or `assetlinks` to its path."),
        originRule(
            .linkOutOfPublic, "A symbolic link out of the public directory",
            "Its target is outside of the public directory, and may not be meant to be public.",
            fix: "Copy the target into the directory."),
        originRule(
            .linkToHiddenFile, "A symbolic link to a hidden public file",
            "A name in its target begins with a full stop. Such files are not served, "
                + "except names with two full stops, which Kubernetes creates.",
            fix: "Copy the target, or rename it."),
        originRule(
            .secretInPublic, "A secret among the public files",
            "The configuration, a private key, a ticket key, the theme, the store of links, the log "
                + "that this process writes, or a file beside the store or the log is in the public "
                + "directory, under any name. This includes the files of the configuration's other "
                + "environments. A copy of a store is recognized by its content, when it is read.",
            fix: "Set `public` to a directory that contains only public files."),
        originRule(
            .privateKeyInPublic, "A private key among the public files",
            "A public file contains a private key in PEM, under any name. A start does not read "
                + "public files, so it is found when the file is read: by `lint --env`, or by the "
                + "origin before it sends the file.",
            fix: "Move it elsewhere. If it was served, replace the key.",
            shows: "Requests for the file get 403."),
        originRule(
            .fileNameNotUTF8, "A public file whose name is not UTF-8",
            "No URL can have this name.", fix: "Rename it."),
        originRule(
            .unreachableName, "A public file that no request can reach",
            "Its name contains a control character, a backslash or text that looks like "
                + "an escape (`%41`), or its escaped path has more than 8,192 bytes. Such "
                + "requests get 400 or 414, because servers and proxies interpret them "
                + "differently. Or it is a pipe, a socket or a device, or a directory with the "
                + "name of a file that the origin looks for, such as `robots.txt`.",
            fix: "Rename it, remove it, or replace it with a file.", severity: .warning,
            shows: "Requests for it get 400, 404 or 414, and the sitemap does not list it."),
        originRule(
            .openFiles, "Too many public files sent from the disk at once",
            "Files that are not kept in memory are open while they are sent, 128 different ones at "
                + "most.",
            fix: "Raise `memory-file-bytes` or `memory-files-bytes` under `limits`, so that more "
                + "files are kept in memory.",
            severity: .warning, shows: "Requests for other files on the disk get 503."),
        originRule(
            .publicTooDeep, "Public directories nested too deep",
            "They are nested more than 32 levels deep, or have more than a million "
                + "entries, possibly through a cycle of links.",
            fix: "Reduce the depth, and remove links to parent directories."),
        originRule(
            .addressInUse, "A port that another process uses",
            "Two programs cannot share a port.",
            fix: "Stop the other process (`ss -ltnp`), or use another port.",
            shows: "A start fails."),
        originRule(
            .addressNotHere, "An address that this machine does not have",
            "No network interface has it.",
            fix: "Use an address of this machine, or only the port.",
            shows: "A start fails."),
        originRule(
            .privilegedPort, "A port that needs a permission",
            "Ports below 1024 need CAP_NET_BIND_SERVICE.",
            fix: "Use a higher port, or map the port.",
            shows: "A start fails."),
        originRule(
            .listen, "An address that cannot be bound",
            "The system refuses it; the message has the reason.",
            fix: "Fix the cause, or use another address.", shows: "A start fails."),
        originRule(
            .start, "An origin that cannot start",
            "The system or OpenSSL does not provide what every start needs: a thread, a "
                + "descriptor, memory or random numbers.",
            fix: "See the reason in the message. Usually it is a limit of the unit or container."),
        originRule(
            .reloadRefused, "A refused reload", "Earlier messages have the errors.",
            fix: "Fix the errors. Waymark tries again when a file changes, every minute, and "
                + "on HUP.",
            shows: "The previous state is served."),
        originRule(
            .filesChange, "Files that change while they are read",
            "They were read three times and changed each time, by an upload, a copy, or a "
                + "program that writes continuously.",
            fix:
                "Wait until it ends. Keep files that change continuously out of `public` "
                + "and the theme.",
            shows: "A start exits with 75. A reload is tried again when the files stop changing."),
        originRule(
            .reloadPostponed, "A reload that waits for changing files",
            "Files changed while they were read. After a minute, the reload is refused.",
            fix: "None, if the files stop changing: the reload follows by itself.",
            severity: .warning, shows: "The previous state is served."),
        originRule(
            .runsAsRoot, "An origin that runs as root",
            "Bytes from strangers are processed with root's rights.",
            fix: "Use `--user`, or start it as another user. Use `--allow-root` if root is "
                + "intended.",
            shows: "A start fails on ports below 1024; on other ports it is a warning."),
        originRule(
            .user, "A user to which Waymark cannot change",
            "Only root can change to another user.",
            fix: "Start as root, or as that user without `--user`.", shows: "A start fails."),
        originRule(
            .socketName, "An inherited socket with an unknown name",
            "The service manager passed a socket whose name is not https, http or admin.",
            fix: "Set `FileDescriptorName=` in the socket unit.", shows: "A start fails."),
        originRule(
            .socketKind, "An inherited socket that cannot be used",
            "It is not a listening TCP socket.", fix: "Use `ListenStream=` in the socket unit.",
            shows: "A start fails."),
    ]
}
