public import CardModel
public import CardStore

extension PostgresCardStore {
    /// Adds an import whose file is to be uploaded.
    public func insertImport(_ job: ImportJob) async throws -> ImportJob? {
        try await writer.writeAlone { session in
            let connection = session.connection
            // Nodes that add imports at once take turns, so that all together stay below the limit.
            try connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('placard-imports', 0))")
            let open = try ImportRow.open(in: connection)
            switch job.admission(among: open) {
            case .present(let same): return same
            case .full: return nil
            case .added:
                try ImportRow.insert(job, into: connection)
                return job
            }
        }
    }

    /// Appends a piece to the file of an import.
    public func appendImportBytes(_ bytes: [UInt8], at offset: Int, to id: String) async throws -> Int? {
        try await writer.writeAlone { session in
            let connection = session.connection
            guard let job = try ImportRow.lock(id, in: connection) else { return nil }
            switch job.upload(bytes, at: offset) {
            case .refused: return nil
            case .ignored(let received): return received
            case .appended(let received):
                try ImportRow.append(bytes, to: job, received: received, in: connection)
                return received
            }
        }
    }

    /// Reads an import, or `nil` where there is none of that id.
    public func importJob(_ id: String) async throws -> ImportJob? {
        try await read { try $0.row("SELECT * FROM imports WHERE id = $1", [id]).map(ImportJob.init) }
    }

    /// Reads imports by their ids.
    public func findImports(_ ids: [String]) async throws -> [String: ImportJob] {
        let wanted = Array(ids.prefix(PageLimit.highest))
        return try await read { connection in
            let jobs = try connection.rows("SELECT * FROM imports WHERE id = ANY ($1)", [wanted]).map(ImportJob.init)
            return Dictionary(jobs.map { ($0.id, $0) }) { first, _ in first }
        }
    }

    /// Reads imports, the newest first.
    public func importJobs(offset: Int, limit: Int) async throws -> [ImportJob] {
        let limit = PageLimit.clamp(limit)
        return try await read { connection in
            try connection.rows(
                "SELECT * FROM imports ORDER BY created_at DESC, id DESC LIMIT $1 OFFSET $2",
                [limit, max(0, offset)]
            ).map(ImportJob.init)
        }
    }

    /// Reads a part of the file of an import.
    public func importBytes(_ id: String, in range: Range<Int>) async throws -> [UInt8] {
        let range = ImportPieces.bounded(range)
        return try await read { try ImportRow.bytes(of: id, in: range, $0) }
    }

    /// Starts an import whose file is complete.
    public func startImport(_ id: String, plan: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.writeAlone { session in
            guard let job = try ImportRow.lock(id, in: session.connection)?.started(plan, at: now) else { return false }
            try session.connection.execute(
                "UPDATE imports SET status = $1, plan = $2, started_at = $3 WHERE id = $4",
                [job.status.rawValue, job.plan, job.startedAt, id]
            )
            session.audit("user.import", of: id, details: job.startDetails, at: now, by: actor)
            return true
        }
    }

    /// Ends an import that was not finished, and removes its file.
    public func cancelImport(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.writeAlone { session in
            guard let job = try ImportRow.lock(id, in: session.connection)?.canceled(at: now) else { return false }
            try ImportRow.end(job, in: session.connection)
            session.audit("user.import-cancel", of: id, details: job.endDetails, at: now, by: actor)
            return true
        }
    }

    /// Leases the import that was started first to a worker, by the time of the database server.
    public func claimImport(for worker: String, seconds: Double) async throws -> ImportJob? {
        // Where none runs, nothing is written.
        let next =
            "SELECT id FROM imports WHERE status = 'running' AND ended_at IS NULL ORDER BY started_at, id LIMIT 1"
        guard try await read({ try $0.row(next) != nil }) else { return nil }
        return try await writer.writeAlone { session in
            try session.connection.changing(
                """
                UPDATE imports SET worker = $1, leased_until = extract(epoch FROM clock_timestamp()) + $2
                WHERE id = (\(next) FOR UPDATE)
                    AND (worker = $1 OR leased_until <= extract(epoch FROM clock_timestamp()))
                RETURNING *
                """,
                [worker, seconds]
            ).first.map(ImportJob.init)
        }
    }

    /// Does a step of an import that a worker has.
    public func applyImport(
        _ step: ImportStep,
        to id: String,
        by worker: String,
        seconds: Double,
        at now: UnixTime
    ) async throws -> ImportJob? {
        try await writer.write(step.users.map(\.update.id)) { session in
            guard var job = try ImportRow.lock(id, of: worker, in: session.connection) else { return nil }
            let users = step.users.map(\.update.id)
            let accepted = step.refusing(try FormerUserRows.erased(among: users, since: job.createdAt, session))
            let outcomes = try session.update(accepted.users.map(\.update), at: now)
            try session.note(accepted, outcomes, of: &job, seconds: seconds, at: now)
            return job
        }
    }

    /// Reads lines of an import's file that were rejected.
    public func importRejects(_ id: String, after line: Int, limit: Int) async throws -> [ImportReject] {
        let limit = PageLimit.clamp(limit)
        return try await read { connection in
            try connection.rows(
                "SELECT * FROM import_rejects WHERE import_id = $1 AND line > $2 ORDER BY line LIMIT $3",
                [id, line, limit]
            ).map { ImportReject(line: try $0.count("line"), reason: try $0.text("reason")) }
        }
    }

    /// Ends imports that have lasted too long, and removes those that ended long ago.
    public func removeOldImports(at now: UnixTime) async throws -> Int {
        try await writer.writeAlone { session in
            let connection = session.connection
            var count = 0
            for found in try ImportRow.open(in: connection).compactMap({ $0.expired(at: now) }) {
                // Another node may have been quicker.
                guard let job = try ImportRow.lock(found.id, in: connection)?.expired(at: now) else { continue }
                try ImportRow.end(job, in: connection)
                session.audit("user.import-end", of: job.id, details: job.endDetails, at: now, by: .server)
                count += 1
            }
            let removed = try connection.execute(
                "DELETE FROM imports WHERE ended_at <= $1",
                [now - ImportJob.Retention.list]
            )
            // safe: counts of rows
            return count + removed
        }
    }
}
