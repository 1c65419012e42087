import CPostgreSQL
import CardStore

extension PostgresConnection {
    static func connect(_ settings: ConnectionSettings) -> OpaquePointer? {
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

    /// Returns the reason why a connection was not made, or `nil` where it was.
    ///
    /// A server that speaks another language is asked again for the SQLSTATE, which libpq passes on in this way alone.
    static func problem(of handle: OpaquePointer) -> ConnectionProblem? {
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

    /// Returns the process that serves the connection, whose history it shows, and the statement that says so; `nil`
    /// where it is no primary server.
    static func identity(of handle: OpaquePointer) -> (backend: Int64, history: ServerHistory, query: String)? {
        let cluster = "(SELECT system_identifier FROM pg_control_system())"
        // A server may keep its users from the function.
        return identity(of: handle, cluster: cluster) ?? identity(of: handle, cluster: "0::BIGINT")
    }

    private static func identity(
        of handle: OpaquePointer,
        cluster: String
    ) -> (backend: Int64, history: ServerHistory, query: String)? {
        let sql = """
            SELECT pg_backend_pid() AS backend, left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline,
                concat_ws(
                    '/', \(cluster), (SELECT oid FROM pg_database WHERE datname = current_database()),
                    to_regclass('store')::OID
                ) AS database
            """
        guard let result = PQexecParams(handle, sql, 0, nil, nil, nil, nil, 1) else { return nil }
        guard let row = PostgresResult(result, columns: nil).first,
            let backend = try? row.integer("backend"), let history = try? ServerHistory(row)
        else { return nil }
        return (backend, history, sql)
    }

    /// Throws where another server answers than the one with which the connection was made, or a database that was
    /// restored in its place.
    ///
    /// A pooler keeps a connection while the server behind it fails over; without one, the connection ends. For
    /// transactions, each of which is served by one server.
    func requireSameHistory() throws {
        guard !usesPreparedStatements else { return }
        let row: PostgresRow?
        do {
            row = try rows(of: [PostgresQuery(historyQuery)]).first?.first
        } catch let failure as PostgresError where failure.state == "55000" {
            // A standby writes no log of its own.
            throw PostgresError.lost
        }
        guard let row, try ServerHistory(row) == history else { throw PostgresError.lost }
    }
}

extension ServerHistory {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(timeline: try row.text("timeline"), database: try row.text("database"))
    }
}
