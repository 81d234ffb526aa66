internal import Glibc

/// PostgreSQL's own client library, libpq, which is loaded when a store needs it: a program without such a
/// store neither links nor loads it. It stays loaded until the process ends.
///
/// Its functions may be called by several threads at once, each with a connection of its own.
@safe
package final class PostgreSQLLibrary: Sendable {
    /// As `PQlibVersion` has it: 150020 for version 15.20.
    package let version: Int

    /// Loads the library.
    /// - Parameter name: of the file, which the system finds as it finds others.
    /// - Throws: an error of the class `library` if there is none, or one before version 14, which cannot
    ///   send several statements together.
    package init(_ name: String = "libpq.so.5") throws(PostgreSQLError) {
        guard let file = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            let reason = unsafe dlerror().map { unsafe String(cString: $0) }
            throw .library("PostgreSQL's client library cannot be loaded: \(reason ?? name)")
        }
        let functions = unsafe SymbolTable(file)
        let libraryVersion: Version = try functions.find("PQlibVersion")
        version = Int(libraryVersion())
        guard version >= Self.versionMin else {
            throw .library(
                "\(name) is of version \(version / 10_000), and 14 is the first that will do")
        }
        unsafe connectStart = try functions.find("PQconnectStartParams")
        unsafe connectPoll = try functions.find("PQconnectPoll")
        unsafe defaults = try functions.find("PQconndefaults")
        unsafe freeDefaults = try functions.find("PQconninfoFree")
        unsafe finish = try functions.find("PQfinish")
        unsafe socket = try functions.find("PQsocket")
        unsafe status = try functions.find("PQstatus")
        unsafe usesTLS = try functions.find("PQsslInUse")
        unsafe transactionStatus = try functions.find("PQtransactionStatus")
        unsafe backend = try functions.find("PQbackendPID")
        unsafe serverVersion = try functions.find("PQserverVersion")
        unsafe parameter = try functions.find("PQparameterStatus")
        unsafe errorMessage = try functions.find("PQerrorMessage")
        unsafe setVerbosity = try functions.find("PQsetErrorVerbosity")
        unsafe setNoticeReceiver = try functions.find("PQsetNoticeReceiver")
        unsafe setNonblocking = try functions.find("PQsetnonblocking")
        unsafe enterPipeline = try functions.find("PQenterPipelineMode")
        unsafe exitPipeline = try functions.find("PQexitPipelineMode")
        unsafe pipelineSync = try functions.find("PQpipelineSync")
        unsafe sendScript = try functions.find("PQsendQuery")
        unsafe sendStatement = try functions.find("PQsendQueryParams")
        unsafe flush = try functions.find("PQflush")
        unsafe consumeInput = try functions.find("PQconsumeInput")
        unsafe isBusy = try functions.find("PQisBusy")
        unsafe getResult = try functions.find("PQgetResult")
        unsafe clear = try functions.find("PQclear")
        unsafe resultStatus = try functions.find("PQresultStatus")
        unsafe resultField = try functions.find("PQresultErrorField")
        unsafe commandStatus = try functions.find("PQcmdStatus")
        unsafe rows = try functions.find("PQntuples")
        unsafe columns = try functions.find("PQnfields")
        unsafe columnName = try functions.find("PQfname")
        unsafe value = try functions.find("PQgetvalue")
        unsafe valueLength = try functions.find("PQgetlength")
        unsafe isNull = try functions.find("PQgetisnull")
        unsafe putCopyData = try functions.find("PQputCopyData")
        unsafe putCopyEnd = try functions.find("PQputCopyEnd")
        unsafe getCopyData = try functions.find("PQgetCopyData")
        unsafe notifies = try functions.find("PQnotifies")
        unsafe freeMemory = try functions.find("PQfreemem")
        unsafe tlsSession = try functions.find("PQsslStruct")
        // Of the OpenSSL that the library itself uses.
        unsafe decryptedBytes = try functions.find("SSL_pending")
    }

    private static let versionMin = 140_000

    // MARK: Its functions

    typealias Connection = OpaquePointer
    typealias Answer = OpaquePointer
    typealias Text = UnsafePointer<CChar>
    typealias Texts = UnsafePointer<Text?>
    typealias Version = @convention(c) @Sendable () -> CInt
    typealias OfConnection = @convention(c) @Sendable (Connection?) -> CInt
    typealias EndOf = @convention(c) @Sendable (OpaquePointer?) -> Void
    typealias OfAnswer = @convention(c) @Sendable (Answer?) -> CInt
    typealias TextOf = @convention(c) @Sendable (OpaquePointer?) -> Text?
    typealias Field = @convention(c) @Sendable (Answer?, CInt, CInt) -> CInt
    typealias NoticeReceiver = @convention(c) (UnsafeMutableRawPointer?, Answer?) -> Void

    let connectStart: @convention(c) @Sendable (Texts?, Texts?, CInt) -> Connection?
    let connectPoll: OfConnection
    let defaults: @convention(c) @Sendable () -> UnsafeMutableRawPointer?
    let freeDefaults: @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void
    let finish: EndOf
    let socket: OfConnection
    let status: OfConnection
    let usesTLS: OfConnection
    let transactionStatus: OfConnection
    let backend: OfConnection
    let serverVersion: OfConnection
    let parameter: @convention(c) @Sendable (Connection?, Text?) -> Text?
    let errorMessage: TextOf
    let setVerbosity: @convention(c) @Sendable (Connection?, CInt) -> CInt
    let setNoticeReceiver:
        @convention(c) @Sendable (Connection?, NoticeReceiver?, UnsafeMutableRawPointer?) ->
            UnsafeMutableRawPointer?
    let setNonblocking: @convention(c) @Sendable (Connection?, CInt) -> CInt
    let enterPipeline: OfConnection
    let exitPipeline: OfConnection
    let pipelineSync: OfConnection
    let sendScript: @convention(c) @Sendable (Connection?, Text?) -> CInt
    let sendStatement:
        @convention(c) @Sendable (
            Connection?, Text?, CInt, UnsafePointer<UInt32>?, Texts?, UnsafePointer<CInt>?,
            UnsafePointer<CInt>?, CInt
        ) -> CInt
    let flush: OfConnection
    let consumeInput: OfConnection
    let isBusy: OfConnection
    let getResult: @convention(c) @Sendable (Connection?) -> Answer?
    let clear: EndOf
    let resultStatus: OfAnswer
    let resultField: @convention(c) @Sendable (Answer?, CInt) -> Text?
    let commandStatus: TextOf
    let rows: OfAnswer
    let columns: OfAnswer
    let columnName: @convention(c) @Sendable (Answer?, CInt) -> Text?
    let value: @convention(c) @Sendable (Answer?, CInt, CInt) -> UnsafeRawPointer?
    let valueLength: Field
    let isNull: Field
    let putCopyData: @convention(c) @Sendable (Connection?, UnsafeRawPointer?, CInt) -> CInt
    let putCopyEnd: @convention(c) @Sendable (Connection?, Text?) -> CInt
    let getCopyData:
        @convention(c) @Sendable (
            Connection?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?, CInt
        ) -> CInt
    let notifies: @convention(c) @Sendable (Connection?) -> UnsafeMutableRawPointer?
    let freeMemory: @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void
    private let tlsSession: @convention(c) @Sendable (Connection?, Text?) -> OpaquePointer?
    private let decryptedBytes: @convention(c) @Sendable (OpaquePointer?) -> CInt

    /// Whether OpenSSL has decrypted more of a connection than the library has taken.
    func hasDecrypted(_ connection: Connection) -> Bool {
        guard let session = unsafe tlsSession(connection, "OpenSSL") else { return false }
        return unsafe decryptedBytes(session) > 0
    }
}

/// The functions of a library that was loaded.
@safe
private struct SymbolTable: ~Copyable {
    private let file: UnsafeMutableRawPointer

    init(_ file: UnsafeMutableRawPointer) { unsafe self.file = file }

    /// - Parameter name: of a function with the parameters of `Function`, which nothing checks.
    func find<Function>(_ name: String) throws(PostgreSQLError) -> Function {
        guard let symbol = unsafe dlsym(file, name) else {
            throw .library("PostgreSQL's client library has no function \(name)")
        }
        return unsafe unsafeBitCast(symbol, to: Function.self)
    }
}
