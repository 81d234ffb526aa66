import Certificates
import Diagnostics
import LinkStore
import SharedStore
import SiteConfiguration
import TLS

/// The part of a directory of automatic certificates that the nodes of a fleet have together, in their database:
/// encrypted, and each file under its path. It belongs to one thread.
///
/// One node at a time has the turn to request certificates, which is a lease. What it has reached is in the database
/// before it goes on, and the others copy it into their directories, from which they serve as ever.
final class FleetDirectory {
    private let directory: CertificateDirectory
    private let place: PostgreSQLPlace
    private var shared: SharedFiles?
    /// The secrets of the database that is used, and the keys that they give.
    private var secrets = [FileReference]()
    private var keys: FleetKeys?
    /// The names that this node's configuration has a use for.
    private(set) var names = [String: FleetFile]()
    /// The sorted names.
    private var list = [String]()
    /// The hashes of what is in the database, with the numbers of their keys.
    private var known = [String: [UInt8]]()
    /// The last version that was read, the one that the others were told of, and the time of that.
    private(set) var version = 0
    private var told = -1
    private var toldAt = 0
    /// The version that all other nodes have read, and when they are asked again.
    private var othersRead = -1
    private var othersAt = 0
    /// The version in which each account has changed last.
    private(set) var accountVersion = 0
    /// In milliseconds of the monotonic clock: the next look at the database, and the time at which the lease was
    /// renewed.
    private var lookAt = 0
    private var renewedAt = 0
    /// The node whose turn it is; nil if nothing is requested now, or it is not known.
    private(set) var holder: String?
    /// The reason why what others change cannot be read or used; nil if there is none.
    private(set) var fault: Diagnostic?
    /// Whether the fault is that the database is away, so that it is over with the next answer.
    private var isAway = false
    /// Whether the database has files of versions that it does not have itself.
    private var isAhead = false
    /// The seconds by which this node's clock is ahead of that of the database, as of the last look.
    private var clockOffset = 0
    private var written: FleetNote?

    /// A change that another node has made.
    struct Change {
        let file: FleetFile
        /// The file's path in the directory.
        let path: String
        /// The new content of the file; nil if it was removed.
        let content: [UInt8]?
        /// Whether it was read with everything else, such as after the database was away, or restored.
        var isOfWhole = false
    }

    init(_ directory: CertificateDirectory, _ place: PostgreSQLPlace) {
        (self.directory, self.place) = (directory, place)
    }

    /// Takes the hosts of another snapshot, and the secrets of its store. Another store is used after a restart, and its
    /// secrets with it.
    func serve(_ hosts: AutomaticHosts, of store: StoreReference?) {
        if let store, store.path == place.description { secrets = store.secrets }
        serve(hosts, secrets)
    }

    func serve(_ hosts: AutomaticHosts, _ secrets: [FileReference]) {
        let before = (names: names, keys: keys, fault: fault)
        names = FleetFile.all(hosts, in: directory)
        list = names.keys.sorted()
        do throws(Unusable) {
            keys = try secrets.isEmpty ? nil : FleetKeys(secrets)
            fault = keys == nil && !names.isEmpty ? FleetFault.noSecret.diagnostic : nil
        } catch {
            (keys, fault) = (nil, error.diagnostic)
        }
        (isAway, isAhead, clockOffset) = (false, false, 0)
        if !isFollowing {
            shared?.endLease()
            // A connection whose notifications are not read would collect them without end.
            shared = nil
        }
        // Each certificate that is issued is a reload of all nodes, which need not read all the others again.
        let isSame = names == before.names && keys == before.keys && before.fault == nil
        guard !isSame || isLacking(hosts) else { return }
        forget()
    }

    /// Whether somebody has removed a certificate from the directory that the database has.
    private func isLacking(_ hosts: AutomaticHosts) -> Bool {
        names.contains { name, file in
            guard case .certificate(let host) = file else { return false }
            return known[name] != nil && hosts.issued[host] == nil
        }
    }

    /// Whether the database is looked at.
    private var isFollowing: Bool { keys != nil && !names.isEmpty }

    /// Reads everything again with the next look, such as when the directory is this process's from now on.
    func forget() {
        shared?.forget()
        lookAt = 0
    }

    /// Ends a wait when another node has changed something.
    var newsSource: Int? { isFollowing ? shared?.newsSource : nil }

    // MARK: Following

    /// The longest wait until the next look, in milliseconds.
    func pause(_ now: Moment) -> Int { isFollowing ? max(0, lookAt - now.milliseconds) : .max }

    /// Reads what others have changed, if it is time.
    func follow(_ now: Moment) -> [Change] {
        guard isFollowing, now.milliseconds >= lookAt || shared?.takeNotice() == true
        else { return [] }
        var reading = Reading()
        let news = attempt(now) { shared throws(StoreError) in
            try shared.follow(list) { add($0, to: &reading) }
        }
        let changes = news.map { take($0, reading, now) } ?? []
        if let fault { refuse(fault, now) }
        return changes
    }

    /// Uses the database.
    /// - Returns: nil if it cannot be used.
    private func attempt<Value>(
        _ now: Moment, _ body: (SharedFiles) throws(StoreError) -> Value
    ) -> Value? {
        do throws(StoreError) {
            let value = try body(try opened())
            lookAt = now.milliseconds + Self.lookMilliseconds
            if isAway { (fault, isAway) = (nil, false) }
            return value
        } catch {
            lookAt = now.milliseconds + Self.retryMilliseconds
            (fault, isAway) = (FleetFault.store(error).diagnostic, true)
            return nil
        }
    }

    /// The reason why this node requests nothing; nil if there is none. It may be able to follow others.
    var obstacle: Diagnostic? {
        if let fault { return fault }
        if isAhead { return FleetFault.ahead.diagnostic }
        // Others would not believe the times that it notes, or would wait too long.
        if abs(clockOffset) > HostRecord.clockSkewSeconds {
            return FleetFault.clock(offset: clockOffset).diagnostic
        }
        return shared?.writingFault.map { FleetFault.store($0).diagnostic }
    }

    private func opened() throws(StoreError) -> SharedFiles {
        if let shared { return shared }
        let opened = try SharedFiles(place)
        shared = opened
        return opened
    }

    private static let lookMilliseconds = 1_000
    /// An attempt to connect may take seconds.
    private static let retryMilliseconds = 5_000

    /// The files that one look reads.
    private struct Reading {
        var changes = [Change]()
        /// By the names of the files; nil for what was removed, or is damaged.
        var hashes = [String: [UInt8]?]()
        var fault: Diagnostic?
        var hasAccount = false
    }

    private func add(_ files: [SharedFiles.File], to reading: inout Reading) {
        for file in files {
            guard let meaning = names[file.name] else { continue }
            if case .account = meaning { reading.hasAccount = true }
            var content: [UInt8]?
            if let sealed = file.content {
                content = keys?.open(sealed, by: file.key, as: file.name)
                guard content != nil else {
                    reading.fault = refusal(of: file)
                    continue
                }
            }
            // A damaged file counts as one that the database lacks, so that a node that has it writes it again.
            let hash = content.flatMap { meaning.accepts($0) ? sha256($0) + file.key : nil }
            reading.hashes.updateValue(hash, forKey: file.name)
            reading.changes.append(Change(file: meaning, path: path(file.name), content: content))
        }
    }

    private func take(_ news: SharedFiles.News, _ reading: Reading, _ now: Moment) -> [Change] {
        clockOffset = now.seconds - news.time / 1_000
        (version, holder, isAhead) = (news.version, news.holder, news.isAhead)
        (fault, isAway) = (reading.fault, false)
        if reading.hasAccount { accountVersion = news.version }
        if news.isWhole { known = [:] }
        for (name, hash) in reading.hashes { known[name] = hash }
        guard news.isWhole else { return reading.changes }
        return reading.changes.map {
            Change(file: $0.file, path: $0.path, content: $0.content, isOfWhole: true)
        }
    }

    private func path(_ name: String) -> String { "\(directory.root)/\(name)" }

    private func refusal(of file: SharedFiles.File) -> Diagnostic {
        guard let keys, !keys.has(file.key) else { return FleetFault.changed(file.name).diagnostic }
        return FleetFault.secret(FleetKeys.name(file.key), own: keys.names).diagnostic
    }

    /// Whether what was read could not be used, so that it is read again.
    func refuse(_ fault: Diagnostic, _ now: Moment) {
        forget()
        (self.fault, lookAt) = (fault, now.milliseconds + Self.retryMilliseconds)
    }

    /// The name of a file; nil if the configuration has no use for it.
    func name(of file: FleetFile) -> String? { names.first { $0.value == file }?.key }

    /// Whether the database has a file that can be used.
    func knows(_ name: String) -> Bool { known[name] != nil }

    /// Whether the database has no such file of use, or has it with an older key.
    func lacks(_ name: String) -> Bool {
        known[name]?.dropFirst(Self.hashBytes).elementsEqual(keys?.id ?? []) != true
    }

    private static let hashBytes = 32

    /// Lets the next turn write what this node has, because what was read is older.
    func replace(_ change: Change) {
        known[String(decoding: change.path.utf8.dropFirst(path("").utf8.count), as: UTF8.self)] =
            nil
    }

    /// Whether the other nodes do not know yet what this one has read, or may have forgotten it: its row among the nodes
    /// is made again after it was away.
    func mustTell(_ now: Moment) -> Bool {
        fault == nil
            && (told != version || now.milliseconds - toldAt >= Self.renewalMilliseconds)
    }

    /// Tells the other nodes what this one has read.
    func tellRead(_ now: Moment) {
        guard mustTell(now), shared != nil else { return }
        let version = version
        let isTold = attempt(now) { shared throws(StoreError) in try shared.tellRead(version) }
        if isTold == true { (told, toldAt) = (version, now.milliseconds) }
    }

    /// Whether all other nodes that are there have told that they have read this version. Many orders wait for that
    /// together, and one answer is for all of them.
    func areAllTold(_ version: Int, _ now: Moment) -> Bool {
        if now.milliseconds >= othersAt {
            let read = attempt(now) { shared throws(StoreError) in
                try shared.readByOthers() ?? Int.max
            }
            (othersRead, othersAt) = (read ?? -1, now.milliseconds + Self.askMilliseconds)
        }
        return othersRead >= version
    }

    private static let askMilliseconds = 100

    // MARK: The turn

    /// Whether it is this node's turn.
    var hasTurn: Bool { shared?.hasLease == true }

    /// Takes the turn, unless another node has it.
    /// - Returns: what others have changed before.
    func takeTurn(_ now: Moment) -> [Change] {
        guard keys != nil, obstacle == nil else { return [] }
        var reading = Reading()
        let news = attempt(now) { shared throws(StoreError) in
            try shared.takeLease(list) { add($0, to: &reading) }
        }
        let changes = news.map { take($0, reading, now) } ?? []
        renewedAt = now.milliseconds
        if obstacle != nil { endTurn() }
        if let fault { refuse(fault, now) }
        return changes
    }

    /// Renews the lease each minute, and when the connection has ended.
    /// - Returns: false if it is over, or may be.
    func goOn(_ now: Moment) -> Bool {
        guard let shared, shared.hasLease else { return false }
        // This node's own changes are notified, too. They are no news, but would end each wait until they are read.
        _ = shared.takeNotice()
        let isLost = shared.newsSource == nil
        let age = now.milliseconds - renewedAt
        guard age >= Self.renewalMilliseconds || isLost else { return true }
        // This process, or its machine, was stopped.
        let isOver = age >= SharedFiles.leaseMilliseconds - Self.renewalMilliseconds
        let isRenewed =
            isOver ? nil : attempt(now) { shared throws(StoreError) in try shared.renewLease() }
        guard isRenewed == true else {
            endTurn()
            return false
        }
        renewedAt = now.milliseconds
        return true
    }

    private static let renewalMilliseconds = 60_000

    /// Lets another node have the turn.
    func endTurn() { shared?.endLease() }

    enum Outcome: Equatable {
        /// All of it is in the database, the last change in this version.
        case kept(version: Int)
        /// The turn is another node's.
        case refused
        /// It is not known whether it is there.
        case failed
    }

    /// Writes what has changed of these files; nil removes one. The key of the accounts is never replaced: a node that
    /// has another one has lost its directory, and reads everything again.
    func keep(_ contents: [String: [UInt8]?], _ now: Moment) -> Outcome {
        guard let keys, hasTurn else { return .refused }
        let isOther = contents.contains { name, content in
            guard case .account? = names[name], let content, let before = known[name]
            else { return false }
            return !before.starts(with: sha256(content))
        }
        guard !isOther else {
            endTurn()
            return .refused
        }
        var files = [SharedFiles.File](), hashes = [String: [UInt8]?]()
        for (name, content) in contents.sorted(by: { $0.key < $1.key }) {
            let hash = content.map { sha256($0) + keys.id }
            guard hash != known[name], names[name] != nil, content?.count ?? 0 <= 1 << 20
            else { continue }
            let sealed = content.flatMap { keys.seal($0, as: name) }
            guard (sealed == nil) == (content == nil) else { return .failed }
            files.append(SharedFiles.File(name, key: keys.id, content: sealed))
            hashes[name] = hash
        }
        for start in stride(from: 0, to: files.count, by: Self.filesMax) {
            let some = Array(files[start..<min(start + Self.filesMax, files.count)])
            let version = attempt(now) { shared throws(StoreError) in try shared.write(some) }
            guard let version else {
                endTurn()
                return .failed
            }
            guard let version else { return .refused }
            (self.version, renewedAt) = (version, now.milliseconds)
            for file in some {
                known[file.name] = hashes[file.name] ?? nil
                if case .account? = names[file.name] { accountVersion = version }
            }
        }
        return .kept(version: version)
    }

    /// With a key and a chain each, these are some hundred kilobytes.
    private static let filesMax = 50

    // MARK: For `waymark certificates`

    /// Notes in the directory whose turn it is, and what keeps this node from one.
    func note() {
        let obstacle = obstacle
        let note = FleetNote(
            node: place.node, holder: holder, fault: obstacle?.message, advice: obstacle?.advice)
        guard note != written else { return }
        try? keepFile(directory.fleetFile, note.json)
        written = note
    }
}
