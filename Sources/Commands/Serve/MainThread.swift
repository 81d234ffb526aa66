import Diagnostics
import EventLog
import Files
import Logging
import Origin
import Services
import Sockets

/// The events that the main thread waits for, from the first snapshot to the end: signals, events
/// of loops, and results of other threads. It waits for nothing else.
struct MainThread: ~Copyable {
    let manager: ServiceManager?
    let events: Logger
    /// The events of the server's loops and services.
    let loopEvents: LoopEvents
    let signals: SignalQueue
    /// Woken when another thread has finished its work.
    let workDone: Wakeup
    private(set) var poller: Poller
    var lifecycle = Lifecycle()
    /// A reload that was ordered and has not begun.
    var isReloadOrdered = false
    /// Extends the service manager's timeout for a start, a reload or a stop; nil if there is none.
    var timeExtension: TimeExtension?
    /// Nil while it starts.
    var server: OriginServer?
    private var messages: ManagerMessages
    private var isManagerLost = false
    private var lost = LostEventWatch()

    /// Holds signals from now on, in all threads that are started later.
    /// - Parameter manager: is notified of the start, of reloads and of the end.
    init(_ manager: ServiceManager?, _ events: Logger) throws(SystemError) {
        let signals = try SignalQueue()
        let poller = try Poller(eventsPerTurnMax: 8)
        try signals.register(with: poller, token: Token.signals)
        let loopEvents = try LoopEvents()
        try loopEvents.register(with: poller, token: Token.loopEvents)
        let workDone = try Wakeup()
        try workDone.register(with: poller, token: Token.workDone)
        self.manager = manager
        self.events = events
        self.signals = signals
        self.loopEvents = loopEvents
        self.workDone = workDone
        self.poller = poller
        messages = ManagerMessages(manager)
    }

    /// Builds the first snapshot.
    /// - Returns: nil if a signal has ended the start.
    mutating func build(_ source: SnapshotSource) -> SnapshotAttempt? {
        timeExtension = TimeExtension(manager, atMost: extensionMilliseconds)
        defer { timeExtension = nil }
        return wait(for: Background(name: "waymark-start", waking: workDone) { source.attempt() })
    }

    /// Waits for what another thread finds during the start. The thread has to wake this one.
    /// - Returns: nil if a signal has ended the start.
    mutating func wait<Value: Sendable>(for work: Background<Value>) -> Value? {
        while goesOn() {
            if let value = work.found { return value }
            _ = wait(until: .max)
        }
        return nil
    }

    /// Whether no signal has ended the start; checked before each of its steps.
    mutating func goesOn() -> Bool {
        while let signal = signals.next() {
            switch lifecycle.react(to: .signal(signal)) {
            case .giveUp?:
                events.info(
                    "stopped before anything was served",
                    metadata: ["signal": .string(signal.name)])
            case .reload?: isReloadOrdered = true
            default: break
            }
        }
        return lifecycle.stage == .starting
    }

    /// Waits for work. Meanwhile it logs the events of loops, and sends the messages that the
    /// service manager has not taken yet.
    /// - Parameter end: in milliseconds of the monotonic clock.
    /// - Returns: whether something has changed in a directory.
    mutating func wait(until end: Int) -> Bool {
        let next = min(end, messages.retryAt, timeExtension?.next ?? .max, lost.lookAt)
        let milliseconds = max(0, next - Clock.monotonicMilliseconds)
        let count = poller.wait(milliseconds: next == .max ? -1 : milliseconds)
        var isNoted = false
        for index in 0..<count {
            switch poller.token(index) {
            case Token.directories: isNoted = true
            case Token.workDone: workDone.clear()
            default: break
            }
        }
        tellLoopEvents()
        lost.look(events)
        timeExtension?.extend()
        if Clock.monotonicMilliseconds >= messages.retryAt { sendWaiting() }
        return isNoted
    }

    /// Takes the events of services, on any thread.
    var report: @Sendable (ServiceEvent) -> Void {
        { [loopEvents] event in loopEvents.add(.service(event)) }
    }

    func tellLoopEvents() {
        for event in loopEvents.take() {
            guard case .service(.finding(let finding)) = event else {
                event.report(to: events)
                continue
            }
            events.report(server.map { OldPlaces($0).hiding(finding) } ?? finding)
        }
    }

    // MARK: The service manager

    /// Sends assignments to the service manager, if there are any and there is a manager.
    mutating func notify(_ assignments: [String]) {
        guard !assignments.isEmpty else { return }
        messages.add(assignments)
        sendWaiting()
    }

    /// Logs once that the manager does not take messages.
    private mutating func sendWaiting() {
        do {
            try messages.send()
        } catch {
            if !isManagerLost { events.report(Diagnostic(lostManager: error)) }
            isManagerLost = true
        }
    }

    /// The tokens of the poller's events.
    enum Token {
        static var signals: UInt64 { 0 }
        static var directories: UInt64 { 1 }
        static var loopEvents: UInt64 { 2 }
        static var workDone: UInt64 { 3 }
    }
}

/// The time that a start or a reload may take before the service manager may kill the process: 10
/// minutes.
let extensionMilliseconds = 600_000

extension Diagnostic {
    /// Without this event, the log would not show why a unit never becomes active.
    init(lostManager error: SystemError) {
        self.init(
            .warning, .notifySocket, at: nil,
            "the service manager cannot be notified: \(error)",
            advice:
                "NOTIFY_SOCKET is \(quoted(ServiceManager.namedSocket ?? "")); it must be a path "
                + "or @NAME that this user may write to, and in a unit RestrictAddressFamilies= "
                + "must hold AF_UNIX")
    }
}
