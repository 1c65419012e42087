public import CardModel
public import CardStore
import GRDB

extension SQLiteCardStore {
    /// Adds an import whose file is to be uploaded.
    public func insertImport(_ job: ImportJob) async throws -> ImportJob? {
        try await writer.write { session in
            let open = try ImportRow.open(in: session.database)
            switch job.admission(among: open) {
            case .present(let same): return same
            case .full: return nil
            case .added:
                try ImportRow.insert(job, into: session.database)
                return job
            }
        }
    }

    /// Appends a piece to the file of an import.
    public func appendImportBytes(_ bytes: [UInt8], at offset: Int, to id: String) async throws -> Int? {
        try await writer.write { session in
            guard let job = try ImportRow.find(id, in: session.database) else { return nil }
            switch job.upload(bytes, at: offset) {
            case .refused: return nil
            case .ignored(let received): return received
            case .appended(let received):
                try ImportRow.append(bytes, to: job, received: received, in: session.database)
                return received
            }
        }
    }

    /// Reads an import, or `nil` where there is none of that id.
    public func importJob(_ id: String) async throws -> ImportJob? {
        try await read { try ImportRow.find(id, in: $0) }
    }

    /// Reads imports by their ids.
    public func findImports(_ ids: [String]) async throws -> [String: ImportJob] {
        try await read { database in
            var found: [String: ImportJob] = [:]
            for id in ids.prefix(PageLimit.highest) { found[id] = try ImportRow.find(id, in: database) }
            return found
        }
    }

    /// Reads imports, the newest first.
    public func importJobs(offset: Int, limit: Int) async throws -> [ImportJob] {
        let limit = PageLimit.clamp(limit)
        return try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM imports ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?",
                arguments: [limit, max(0, offset)]
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
        try await writer.write { session in
            guard let job = try ImportRow.find(id, in: session.database)?.started(plan, at: now) else { return false }
            try session.database.execute(
                sql: "UPDATE imports SET status = ?, plan = ?, started_at = ? WHERE id = ?",
                arguments: [job.status.rawValue, job.plan, job.startedAt, id]
            )
            try session.audit("user.import", of: id, details: job.startDetails, at: now, by: actor)
            return true
        }
    }

    /// Ends an import that was not finished, and removes its file.
    public func cancelImport(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await writer.write { session in
            guard let job = try ImportRow.find(id, in: session.database)?.canceled(at: now) else { return false }
            try ImportRow.end(job, in: session.database)
            try session.audit("user.import-cancel", of: id, details: job.endDetails, at: now, by: actor)
            return true
        }
    }

    /// Leases the import that was started first to a worker.
    public func claimImport(for worker: String, seconds: Double) async throws -> ImportJob? {
        // Where none runs, nothing is written.
        guard try await read({ try ImportRow.next(in: $0) != nil }) else { return nil }
        return try await writer.write { session in
            guard let row = try ImportRow.next(in: session.database) else { return nil }
            let lease = ImportLease(of: try row.optionalText("worker"), until: try row.double("leased_until"))
            guard lease.admits(worker, at: session.now()) else { return nil }
            let job = try ImportJob(row)
            try ImportRow.lease(job.id, to: worker, until: session.now() + seconds, in: session.database)
            return job
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
        try await writer.write { session in
            let database = session.database
            guard var job = try ImportRow.find(id, of: worker, in: database) else { return nil }
            let users = step.users.map(\.update.id)
            let accepted = step.refusing(try ErasedUserRow.users(among: users, since: job.createdAt, in: database))
            let outcomes = try session.update(accepted.users.map(\.update), at: now)
            let rejects = job.apply(accepted, outcomes, at: now)
            try ImportRow.insert(rejects, of: id, into: database)
            try ImportRow.save(job, until: session.now() + seconds, in: database)
            guard !job.status.isOpen else { return job }
            try ImportRow.end(job, in: database)
            try session.audit("user.import-end", of: id, details: job.endDetails, at: now, by: .server)
            return job
        }
    }

    /// Reads lines of an import's file that were rejected.
    public func importRejects(_ id: String, after line: Int, limit: Int) async throws -> [ImportReject] {
        let limit = PageLimit.clamp(limit)
        return try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM import_rejects WHERE import_id = ? AND line > ? ORDER BY line LIMIT ?",
                arguments: [id, line, limit]
            ).map { ImportReject(line: try $0.count("line"), reason: try $0.text("reason")) }
        }
    }

    /// Ends imports that have lasted too long, and removes those that ended long ago.
    public func removeOldImports(at now: UnixTime) async throws -> Int {
        try await writer.write { session in
            let expired = try ImportRow.open(in: session.database).compactMap { $0.expired(at: now) }
            for job in expired {
                try ImportRow.end(job, in: session.database)
                try session.audit("user.import-end", of: job.id, details: job.endDetails, at: now, by: .server)
            }
            try session.database.execute(
                sql: "DELETE FROM imports WHERE ended_at <= ?",
                arguments: [now - ImportJob.Retention.list]
            )
            // safe: counts of rows
            return expired.count + session.database.changesCount
        }
    }
}
