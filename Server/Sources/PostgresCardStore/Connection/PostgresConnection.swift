import CPostgreSQL
import CardStore

/// One connection to PostgreSQL.
///
/// Every call waits for the server, so none is made on a thread of Swift's pool. Sendable without a check because only
/// the queue that it was made on uses it: `ConnectionPool`, `GroupWriter` and `SignalListener` each own theirs.
final class PostgresConnection: @unchecked Sendable {
    let handle: OpaquePointer
    private var roundTrips: RoundTrips?
    private var prepared: [String: PreparedStatement] = [:]
    /// The number of names that were given to statements.
    private var names = 0
    /// Statements that are sent with the next one that is waited for.
    private var deferred: [PostgresQuery] = []
    /// Whether statements are prepared by name, which a pooler that hands out connections by transaction can't follow.
    let usesPreparedStatements: Bool
    /// The history that the connection shows, as it was when it was made.
    let history: ServerHistory
    /// The statement that asks for the history.
    let historyQuery: String
    /// The number of statements that can change something that were run so far.
    private(set) var writes = 0

    private struct PreparedStatement {
        let name: String
        var columns: PostgresColumns?
    }

    /// More statements than a store has; those beyond it, such as with many clauses, are parsed each time.
    private static let preparedLimit = 512

    /// Connects, and waits for it no longer than the settings say.
    init(_ settings: ConnectionSettings, counting roundTrips: RoundTrips? = nil) throws(PostgresError) {
        guard let handle = Self.connect(settings) else { throw .lost }
        if let problem = Self.problem(of: handle) {
            PQfinish(handle)
            throw PostgresError(problem)
        }
        _ = PQsetNoticeProcessor(handle, { _, _ in }, nil)
        // A pooler gives out process ids of its own.
        let backend = PQbackendPID(handle)
        let identity = Self.identity(of: handle)
        usesPreparedStatements = identity?.backend == Int64(backend)
        history = identity?.history ?? ServerHistory(timeline: "", database: "")
        historyQuery = identity?.query ?? ""
        self.handle = handle
        self.roundTrips = roundTrips
        guard identity != nil else {
            let kind: ConnectionProblem.Kind = PQstatus(handle) == CONNECTION_OK ? .standby : .silent
            throw PostgresError(ConnectionProblem(kind, server: Self.server(of: handle)))
        }
        guard usesPreparedStatements else { return }
        let statements = settings.sessionSettings(besides: Self.setting("options", of: handle))
        if !statements.isEmpty { try simple(statements) }
    }

    deinit { PQfinish(handle) }

    /// Counts in another place what it does from now on.
    func count(in roundTrips: RoundTrips?) { self.roundTrips = roundTrips }

    /// The socket, to wait for notifications.
    var socket: Int32 { PQsocket(handle) }
    /// Whether the server has not gone, as far as is known.
    var isOpen: Bool { PQstatus(handle) == CONNECTION_OK }
    /// Whether a transaction is open, or has failed and not ended.
    var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

    /// The protection of what is sent.
    struct Security {
        /// Whether the server is on this machine.
        let isLocal: Bool
        /// Whether the connection is encrypted.
        let isEncrypted: Bool
        /// libpq's `sslmode`.
        let mode: String
    }

    /// The protection of what is sent.
    var security: Security {
        let host = PQhost(handle).map { String(cString: $0) } ?? ""
        let isLocal = host.isEmpty || host.hasPrefix("/") || ["localhost", "127.0.0.1", "::1"].contains(host)
        let mode = Self.setting("sslmode", of: handle)
        return Security(isLocal: isLocal, isEncrypted: PQsslInUse(handle) == 1, mode: mode)
    }

    /// The host and port of the server, or the folder of its socket and the port.
    var server: String { Self.server(of: handle) }

    static func server(of handle: OpaquePointer) -> String {
        let (host, port) = (PQhost(handle).map { String(cString: $0) }, PQport(handle).map { String(cString: $0) })
        return [host, port].compactMap { $0?.isEmpty == false ? $0 : nil }.joined(separator: ":")
    }

    /// A setting of libpq that the connection was made with.
    private static func setting(_ keyword: String, of handle: OpaquePointer) -> String {
        guard let options = PQconninfo(handle) else { return "" }
        defer { PQconninfoFree(options) }
        var option = options
        while let name = option.pointee.keyword {
            if String(cString: name) == keyword { return option.pointee.val.map { String(cString: $0) } ?? "" }
            option = option.successor()
        }
        return ""
    }

    // MARK: Statements

    /// Runs a statement and returns its rows.
    func rows(_ sql: String, _ values: [any PostgresEncodable] = []) throws -> [PostgresRow] {
        try run(sql, values).rows
    }

    /// Runs a statement and returns its first row, or `nil` where there is none.
    func row(_ sql: String, _ values: [any PostgresEncodable] = []) throws -> PostgresRow? {
        try run(sql, values).first
    }

    /// Runs a statement that changes something, and returns how many rows it concerned.
    @discardableResult
    func execute(_ sql: String, _ values: [any PostgresEncodable] = []) throws -> Int {
        writes += 1
        return try run(sql, values).changed
    }

    /// Runs a statement that changes something before the next one that is waited for.
    ///
    /// Where it fails, that one does.
    func later(_ sql: String, _ values: [any PostgresEncodable] = []) {
        writes += 1
        deferred.append(PostgresQuery(sql, values))
    }

    /// Begins a transaction with the next statement.
    func begin(_ statements: [String]) { deferred = statements.map(PostgresQuery.command) }

    /// Runs statements at once, and returns the rows of each; waits for nothing where there are none.
    func rows(of queries: [PostgresQuery]) throws -> [[PostgresRow]] {
        guard !queries.isEmpty else { return [] }
        let waiting = takeDeferred()
        return try pipeline(waiting + queries).dropFirst(waiting.count).map(\.rows)
    }

    /// Runs what was to run with a later statement.
    private func runDeferred() throws(PostgresError) {
        let waiting = takeDeferred()
        if !waiting.isEmpty { _ = try pipeline(waiting) }
    }

    private func takeDeferred() -> [PostgresQuery] {
        defer { deferred = [] }
        return deferred
    }

    /// Forgets what was to run with a later statement, and ends the transaction.
    func rollBack() throws(PostgresError) {
        deferred = []
        try simple("ROLLBACK")
    }

    /// Runs a statement that changes something, and returns its rows.
    func changing(_ sql: String, _ values: [any PostgresEncodable] = []) throws -> [PostgresRow] {
        writes += 1
        return try run(sql, values).rows
    }

    /// Runs statements without parameters, such as those that begin and end transactions.
    func simple(_ sql: String) throws(PostgresError) {
        try runDeferred()
        roundTrips?.add()
        PQclear(try check(PQexec(handle, sql)))
    }

    /// Commits a transaction, together with what was to run with a later statement.
    ///
    /// PostgreSQL answers the commit of a transaction that has failed with a rollback, which is no error to libpq.
    func commit() throws(PostgresError) {
        let result = try pipeline(takeDeferred() + [.command("COMMIT")]).last
        guard result?.command == "COMMIT" else { throw PostgresError(state: "25P02") }
    }

    /// Runs `COPY … FROM STDIN` with rows in PostgreSQL's text format.
    func copy(_ sql: String, _ rows: [UInt8]) throws(PostgresError) {
        try runDeferred()
        let result = PQexec(handle, sql)
        guard PQresultStatus(result) == PGRES_COPY_IN else {
            PQclear(try check(result))
            throw .lost
        }
        PQclear(result)
        let isSent = rows.withUnsafeBytes { send(rows: $0) } && PQputCopyEnd(handle, nil) == 1
        let end = PQgetResult(handle)
        while isOpen, let other = PQgetResult(handle) { PQclear(other) }
        PQclear(try check(end))
        if !isSent { throw .lost }
    }

    private func send(rows: UnsafeRawBufferPointer) -> Bool {
        let piece = 1 << 20
        return stride(from: 0, to: rows.count, by: piece).allSatisfy { start in
            // safe: within the rows
            let part = UnsafeRawBufferPointer(rebasing: rows[start..<min(start + piece, rows.count)])
            let address = part.bindMemory(to: CChar.self).baseAddress
            return PQputCopyData(handle, address, Int32(clamping: part.count)) == 1
        }
    }

    private func run(_ sql: String, _ values: [any PostgresEncodable]) throws -> PostgresResult {
        let waiting = takeDeferred()
        if !waiting.isEmpty, let last = try pipeline(waiting + [PostgresQuery(sql, values)]).last { return last }
        roundTrips?.add()
        let parameters = PostgresParameters(values)
        guard usesPreparedStatements, let statement = try prepare(sql, parameters.types) else {
            return try PostgresResult(check(send(sql, parameters)), columns: nil)
        }
        let name = StatementName(text: statement.name, isNew: false, columns: statement.columns)
        return result(try check(send(prepared: statement.name, parameters)), of: sql, name)
    }

    /// The result of a statement, whose columns are found out once.
    func result(_ handle: OpaquePointer, of sql: String, _ name: StatementName?) -> PostgresResult {
        guard let name else { return PostgresResult(handle, columns: nil) }
        // Statements are long, so that finding one costs more than the rest.
        if let columns = name.columns ?? prepared[sql]?.columns { return PostgresResult(handle, columns: columns) }
        let result = PostgresResult(handle, columns: nil)
        prepared[sql]?.columns = result.columns
        return result
    }

    private func prepare(_ sql: String, _ types: [UInt32]) throws(PostgresError) -> PreparedStatement? {
        if let statement = prepared[sql] { return statement }
        guard let name = name(of: sql) else { return nil }
        roundTrips?.add()
        do {
            PQclear(try check(PQprepare(handle, name.text, sql, Int32(clamping: types.count), types)))
        } catch {
            forget(sql)
            throw error
        }
        return prepared[sql]
    }

    /// A name by which a statement is prepared.
    struct StatementName {
        let text: String
        /// Whether the statement has to be prepared first.
        let isNew: Bool
        /// The columns of its rows, if they are known.
        var columns: PostgresColumns?
    }

    /// Returns the name by which a statement is prepared, or `nil` for one that is parsed each time.
    func name(of sql: String) -> StatementName? {
        guard usesPreparedStatements else { return nil }
        if let statement = prepared[sql] {
            return StatementName(text: statement.name, isNew: false, columns: statement.columns)
        }
        guard prepared.count < Self.preparedLimit else { return nil }
        names += 1
        let name = "s\(names)"
        prepared[sql] = PreparedStatement(name: name)
        return StatementName(text: name, isNew: true)
    }

    /// Forgets a statement that could not be prepared.
    func forget(_ sql: String) { prepared[sql] = nil }

    func countRoundTrip() { roundTrips?.add() }

    private func send(_ sql: String, _ parameters: PostgresParameters) -> OpaquePointer? {
        parameters.withPointers { count, values, lengths, formats in
            PQexecParams(handle, sql, count, parameters.types, values, lengths, formats, 1)
        }
    }

    private func send(prepared name: String, _ parameters: PostgresParameters) -> OpaquePointer? {
        parameters.withPointers { count, values, lengths, formats in
            PQexecPrepared(handle, name, count, values, lengths, formats, 1)
        }
    }

    /// Returns a result that is one, and frees one that is an error.
    func check(_ result: OpaquePointer?) throws(PostgresError) -> OpaquePointer {
        guard let result else { throw .lost }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return result
        default:
            // The letters are PG_DIAG_SQLSTATE and PG_DIAG_SOURCE_FUNCTION, macros that Swift doesn't import.
            let state = Self.field(UInt8(ascii: "C"), of: result)
            let function = Self.field(UInt8(ascii: "R"), of: result)
            PQclear(result)
            // An error without a state is libpq's own: the answer ended, though the connection is not known to be
            // closed yet. What a server doesn't support has the state of an outdated plan, and another function.
            throw PostgresError(
                state: state,
                isConnectionLost: !isOpen || state.isEmpty,
                isPlanOutdated: state == "0A000" && function == "RevalidateCachedQuery"
            )
        }
    }

    /// A field of an error, or an empty text where it has none.
    private static func field(_ letter: UInt8, of result: OpaquePointer) -> String {
        PQresultErrorField(result, Int32(letter)).map { String(cString: $0) } ?? ""
    }

    // MARK: Notifications

    /// Takes what has arrived, and returns whether a notification was among it.
    func takeNotifications() throws(PostgresError) -> Bool {
        guard PQconsumeInput(handle) == 1 else { throw .lost }
        var isNotified = false
        while let notification = PQnotifies(handle) {
            isNotified = true
            PQfreemem(notification)
        }
        return isNotified
    }
}

extension PostgresParameters {
    typealias Call<Result> = (
        Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> Result

    /// Calls a function of libpq with the addresses of the values.
    func withPointers<Result>(_ body: Call<Result>) -> Result {
        bytes.withUnsafeBytes { buffer in
            let start = buffer.bindMemory(to: CChar.self).baseAddress
            // safe: offsets of values within the buffer
            let values = offsets.map { offset in offset < 0 ? nil : start.map { $0 + offset } }
            let formats = [Int32](repeating: 1, count: offsets.count)
            return body(Int32(clamping: offsets.count), values, lengths, formats)
        }
    }
}
