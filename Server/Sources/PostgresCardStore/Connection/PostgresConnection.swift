import CPostgreSQL
import CardStore

/// One connection to PostgreSQL.
///
/// Every call waits for the server, so none is made on a thread of Swift's pool. Sendable without a check because only the
/// queue that it was made on uses it: `ConnectionPool`, `GroupWriter` and `SignalListener` each own theirs.
final class PostgresConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    private let roundTrips: RoundTrips?
    private var prepared: [String: PreparedStatement] = [:]
    /// Whether statements are prepared by name, which a pooler that hands out connections by transaction can't follow.
    let usesPreparedStatements: Bool
    /// The timeline of the server's log, which changes when a standby is promoted.
    let timeline: String
    /// How many rows were changed so far.
    private(set) var changedRows = 0
    /// How many statements that may change something were run so far.
    private(set) var writes = 0

    private struct PreparedStatement {
        let name: String
        var columns: PostgresColumns?
    }

    /// More statements than a store has; those beyond it, such as with many clauses, are parsed each time.
    private static let preparedLimit = 512

    /// Connects, and waits for it no longer than the settings say.
    init(_ settings: ConnectionSettings, counting roundTrips: RoundTrips? = nil) throws(PostgresFailure) {
        guard let handle = Self.connect(settings) else { throw .lost }
        if let problem = Self.problem(of: handle) {
            PQfinish(handle)
            throw PostgresFailure(problem)
        }
        _ = PQsetNoticeProcessor(handle, { _, _ in }, nil)
        // A pooler gives out process ids of its own.
        let backend = PQbackendPID(handle)
        let identity = Self.identity(of: handle)
        usesPreparedStatements = identity?.backend == Int64(backend)
        timeline = identity?.timeline ?? ""
        self.handle = handle
        self.roundTrips = roundTrips
        guard identity != nil else {
            let kind: ConnectionProblem.Kind = PQstatus(handle) == CONNECTION_OK ? .standby : .silent
            throw PostgresFailure(ConnectionProblem(kind, server: Self.server(of: handle)))
        }
        guard usesPreparedStatements else { return }
        let statements = settings.sessionSettings(besides: Self.setting("options", of: handle))
        if !statements.isEmpty { try simple(statements) }
    }

    deinit { PQfinish(handle) }

    /// The socket, to wait for notifications.
    var socket: Int32 { PQsocket(handle) }
    /// Whether the server has not gone, as far as is known.
    var isOpen: Bool { PQstatus(handle) == CONNECTION_OK }
    /// Whether a transaction is open, or has failed and not ended.
    var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

    /// How what is sent is protected.
    struct Security {
        /// Whether the server is on this machine.
        let isLocal: Bool
        /// Whether the connection is encrypted.
        let isEncrypted: Bool
        /// libpq's `sslmode`.
        let mode: String
    }

    /// How what is sent is protected.
    var security: Security {
        let host = PQhost(handle).map { String(cString: $0) } ?? ""
        let isLocal = host.isEmpty || host.hasPrefix("/") || ["localhost", "127.0.0.1", "::1"].contains(host)
        let mode = Self.setting("sslmode", of: handle)
        return Security(isLocal: isLocal, isEncrypted: PQsslInUse(handle) == 1, mode: mode)
    }

    /// The host and port of the server, or the folder of its socket and the port.
    var server: String { Self.server(of: handle) }

    private static func server(of handle: OpaquePointer) -> String {
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
        // safe: counts of rows
        writes += 1
        let changed = try run(sql, values).changed
        // safe: counts of rows
        changedRows += changed
        return changed
    }

    /// Runs a statement that changes something, and returns its rows.
    func changing(_ sql: String, _ values: [any PostgresEncodable] = []) throws -> [PostgresRow] {
        // safe: counts of statements
        writes += 1
        return try run(sql, values).rows
    }

    /// Runs statements without parameters, such as those that begin and end transactions.
    func simple(_ sql: String) throws(PostgresFailure) {
        roundTrips?.add()
        PQclear(try check(PQexec(handle, sql)))
    }

    /// Commits a transaction.
    ///
    /// PostgreSQL answers the commit of a transaction that has failed with a rollback, which is no error to libpq.
    func commit() throws(PostgresFailure) {
        roundTrips?.add()
        let result = try check(PQexec(handle, "COMMIT"))
        defer { PQclear(result) }
        guard let status = PQcmdStatus(result), String(cString: status) == "COMMIT" else {
            throw PostgresFailure(state: "25P02")
        }
    }

    /// Runs `COPY … FROM STDIN` with rows in PostgreSQL's text format.
    func copy(_ sql: String, _ rows: [UInt8]) throws(PostgresFailure) {
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
        roundTrips?.add()
        let parameters = PostgresParameters(values)
        guard usesPreparedStatements, let statement = try prepare(sql, parameters.types) else {
            return try PostgresResult(check(send(sql, parameters)), columns: nil)
        }
        let handle = try check(send(prepared: statement.name, parameters))
        let result = PostgresResult(handle, columns: statement.columns)
        if statement.columns == nil { prepared[sql]?.columns = result.columns }
        return result
    }

    private func prepare(_ sql: String, _ types: [UInt32]) throws(PostgresFailure) -> PreparedStatement? {
        if let statement = prepared[sql] { return statement }
        guard prepared.count < Self.preparedLimit else { return nil }
        roundTrips?.add()
        let statement = PreparedStatement(name: "s\(prepared.count)")
        PQclear(try check(PQprepare(handle, statement.name, sql, Int32(clamping: types.count), types)))
        prepared[sql] = statement
        return statement
    }

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
    private func check(_ result: OpaquePointer?) throws(PostgresFailure) -> OpaquePointer {
        guard let result else { throw .lost }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return result
        default:
            // 67 is PG_DIAG_SQLSTATE, a macro that Swift doesn't import.
            let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
            PQclear(result)
            // An error without a state is libpq's own: the answer ended, though the connection is not known to be closed yet.
            throw PostgresFailure(state: state, isConnectionLost: !isOpen || state.isEmpty)
        }
    }

    // MARK: Notifications

    /// Takes what has arrived, and returns whether a notification was among it.
    func takeNotifications() throws(PostgresFailure) -> Bool {
        guard PQconsumeInput(handle) == 1 else { throw .lost }
        var isNotified = false
        while let notification = PQnotifies(handle) {
            isNotified = true
            PQfreemem(notification)
        }
        return isNotified
    }

    // MARK: Connecting

    private static func connect(_ settings: ConnectionSettings) -> OpaquePointer? {
        withPointers(settings.parameters.map(\.keyword.utf8CString)) { keywords in
            withPointers(settings.parameters.map(\.value.utf8CString)) { values in
                PQconnectdbParams(keywords, values, 1)
            }
        }
    }

    private static func withPointers(
        _ texts: [ContiguousArray<CChar>],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> OpaquePointer?
    ) -> OpaquePointer? {
        let all = texts.flatMap { $0 }
        return all.withUnsafeBufferPointer { buffer in
            guard var place = buffer.baseAddress else { return nil }
            var pointers: [UnsafePointer<CChar>?] = []
            for text in texts {
                pointers.append(place)
                // safe: the texts are one after the other
                place += text.count
            }
            pointers.append(nil)
            return pointers.withUnsafeBufferPointer { $0.baseAddress.flatMap(body) }
        }
    }

    /// Why a connection was not made, or `nil` where it was.
    ///
    /// A server that speaks another language is asked again for the SQLSTATE, which libpq passes on in this way alone.
    private static func problem(of handle: OpaquePointer) -> ConnectionProblem? {
        func problem() -> ConnectionProblem? {
            let message = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
            return ConnectionProblem(message: message, user: PQuser(handle).map { String(cString: $0) } ?? "")
        }
        guard PQstatus(handle) != CONNECTION_OK else { return nil }
        if let problem = problem() { return problem }
        _ = PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE)
        PQreset(handle)
        guard PQstatus(handle) != CONNECTION_OK else { return nil }
        return problem() ?? ConnectionProblem(.unreachable, server: server(of: handle))
    }

    /// Returns the process that serves the connection and the server's timeline, or `nil` where it is no primary server.
    private static func identity(of handle: OpaquePointer) -> (backend: Int64, timeline: String)? {
        let sql = """
            SELECT pg_backend_pid() AS backend, left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline
            """
        guard let result = PQexecParams(handle, sql, 0, nil, nil, nil, nil, 1) else { return nil }
        guard let row = PostgresResult(result, columns: nil).first,
            let backend = try? row.integer("backend"), let timeline = try? row.text("timeline")
        else { return nil }
        return (backend, timeline)
    }
}

extension PostgresParameters {
    fileprivate typealias Call = (
        Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> OpaquePointer?

    /// Calls a function of libpq with the addresses of the values.
    fileprivate func withPointers(_ body: Call) -> OpaquePointer? {
        bytes.withUnsafeBytes { buffer in
            let start = buffer.bindMemory(to: CChar.self).baseAddress
            // safe: offsets of values within the buffer
            let values = offsets.map { offset in offset < 0 ? nil : start.map { $0 + offset } }
            let formats = [Int32](repeating: 1, count: offsets.count)
            return body(Int32(clamping: offsets.count), values, lengths, formats)
        }
    }
}
