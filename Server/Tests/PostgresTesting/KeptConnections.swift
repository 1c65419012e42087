import CPostgreSQL
import Synchronization

/// A connection on which statements of tests run, one after another.
///
/// Sendable without a check because ``KeptConnections`` gives it to one thread at a time.
final class TestConnection: @unchecked Sendable {
    private let handle: OpaquePointer?

    /// Connects; where that fails, the first statement says so.
    init(_ url: String) { handle = PQconnectdb(url) }

    deinit { PQfinish(handle) }

    /// Whether the server is there, as far as is known, and no transaction is open.
    var isIdle: Bool { PQstatus(handle) == CONNECTION_OK && PQtransactionStatus(handle) == PQTRANS_IDLE }

    /// Whether the server has ended the connection, as one does that was stopped in the meantime.
    func hasEnded() -> Bool { PQconsumeInput(handle) != 1 || PQstatus(handle) != CONNECTION_OK }

    /// Runs statements.
    func execute(_ sql: String) throws {
        let result = PQexec(handle, sql)
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: break
        default:
            let message = PQerrorMessage(handle).map { String(cString: $0) }
            throw PostgresCluster.Failure(description: message ?? "failed")
        }
    }
}

/// A few connections to one database that are kept from one statement to the next.
final class KeptConnections: Sendable {
    private static let limit = 4

    private let url: String
    private let idle = Mutex<[TestConnection]>([])

    init(_ url: String) { self.url = url }

    /// Runs statements on a connection that nothing else uses at the time.
    func execute(_ sql: String) throws {
        let connection = take() ?? TestConnection(url)
        defer { giveBack(connection) }
        try connection.execute(sql)
    }

    /// Returns the connection that was used last and hasn't ended since.
    private func take() -> TestConnection? {
        while let connection = idle.withLock({ $0.popLast() }) {
            if !connection.hasEnded() { return connection }
        }
        return nil
    }

    private func giveBack(_ connection: TestConnection) {
        guard connection.isIdle else { return }
        idle.withLock { if $0.count < Self.limit { $0.append(connection) } }
    }
}
