import CPostgreSQL

/// A statement with the values of its parameters.
struct PostgresQuery: Sendable {
    let sql: String
    let parameters: PostgresParameters
    /// Whether the statement is worth to be prepared.
    var isPrepared = true

    init(_ sql: String, _ values: [any PostgresEncodable] = []) {
        self.sql = sql
        parameters = PostgresParameters(values)
    }

    /// A statement that begins or ends a transaction, or sets something in it.
    static func command(_ sql: String) -> PostgresQuery {
        var query = PostgresQuery(sql)
        query.isPrepared = false
        return query
    }
}

/// Statements that are sent together, so that the server is waited for once.
///
/// They run one after another, as if each had been waited for; the first that fails keeps those after it from running.
extension PostgresConnection {
    /// More at once would keep many results in memory; libpq reads while it sends, so none waits for the other.
    static let pipelineLimit = 2_048

    /// Sends statements at once and returns their results.
    func pipeline(_ queries: [PostgresQuery]) throws(PostgresError) -> [PostgresResult] {
        var results: [PostgresResult] = []
        results.reserveCapacity(queries.count)
        var rest = queries[...]
        while !rest.isEmpty {
            results += try exchange(Array(rest.prefix(Self.pipelineLimit)))
            rest = rest.dropFirst(Self.pipelineLimit)
        }
        return results
    }

    private func exchange(_ queries: [PostgresQuery]) throws(PostgresError) -> [PostgresResult] {
        countRoundTrip()
        guard PQenterPipelineMode(handle) == 1 else { throw .lost }
        defer { PQexitPipelineMode(handle) }
        let names = queries.map { $0.isPrepared ? name(of: $0.sql) : nil }
        var isSent = true
        for (query, name) in zip(queries, names) where isSent {
            if let name, name.isNew { isSent = sendPrepare(query, name.text) }
            isSent = isSent && send(query, name?.text)
        }
        guard isSent, PQpipelineSync(handle) == 1 else { throw .lost }
        return try receive(queries, names)
    }

    /// Reads the results of all statements, and then throws the first failure.
    private func receive(
        _ queries: [PostgresQuery],
        _ names: [StatementName?]
    ) throws(PostgresError) -> [PostgresResult] {
        var (results, failure): ([PostgresResult], PostgresError?) = ([], nil)
        for (query, name) in zip(queries, names) {
            if let name, name.isNew {
                if let answer = next(&failure) { PQclear(answer) } else { forget(query.sql) }
            }
            guard let answer = next(&failure) else { continue }
            results.append(result(answer, of: query.sql, name))
        }
        // The end of the pipeline has a result of its own.
        while isOpen, let end = PQgetResult(handle) {
            let isEnd = PQresultStatus(end) == PGRES_PIPELINE_SYNC
            PQclear(end)
            if isEnd { break }
        }
        if let failure { throw failure }
        guard isOpen else { throw .lost }
        return results
    }

    /// Returns the next statement's result, or `nil` where it or one before it failed.
    private func next(_ failure: inout PostgresError?) -> OpaquePointer? {
        guard isOpen, let result = PQgetResult(handle) else {
            failure = failure ?? .lost
            return nil
        }
        // Each statement's results end with none.
        while isOpen, let other = PQgetResult(handle) { PQclear(other) }
        if PQresultStatus(result) == PGRES_PIPELINE_ABORTED {
            PQclear(result)
            failure = failure ?? .lost
            return nil
        }
        do {
            return try check(result)
        } catch {
            failure = failure ?? error
            return nil
        }
    }

    private func sendPrepare(_ query: PostgresQuery, _ name: String) -> Bool {
        let types = query.parameters.types
        return PQsendPrepare(handle, name, query.sql, Int32(clamping: types.count), types) == 1
    }

    private func send(_ query: PostgresQuery, _ name: String?) -> Bool {
        query.parameters.withPointers { count, values, lengths, formats in
            if let name { return PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1) == 1 }
            let types = query.parameters.types
            return PQsendQueryParams(handle, query.sql, count, types, values, lengths, formats, 1) == 1
        }
    }
}
