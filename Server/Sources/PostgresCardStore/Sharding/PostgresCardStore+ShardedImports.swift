import CardModel
package import CardStore

/// The steps of an import where users are spread over several databases: they are written first, and then the step is
/// noted at the home.
extension PostgresCardStore {
    /// Returns whether a worker has an import that runs.
    package func holdsImport(_ id: String, worker: String) async throws -> Bool {
        try await read { connection in
            try connection.row(
                "SELECT 1 AS found FROM imports WHERE id = $1 AND worker = $2 AND status = 'running'",
                [id, worker]
            ) != nil
        }
    }

    /// Changes users as lines of a file say, creating those that the store doesn't know, but for those who were deleted
    /// since it was uploaded.
    ///
    /// They are looked for in the same transaction: a user who is deleted at the same time is either deleted after it,
    /// or stays so.
    ///
    /// - Parameters:
    ///   - users: The changes.
    ///   - uploadedAt: The time of the upload.
    ///   - now: The time.
    /// - Returns: The outcome.
    /// - Throws: An error that keeps the store from writing.
    package func importUsers(
        _ users: [UserUpdate],
        uploadedAt: UnixTime,
        at now: UnixTime
    ) async throws -> ImportedUsers {
        try await writer.write(users.map(\.id)) { session in
            let erased = try FormerUserRows.erased(among: users.map(\.id), since: uploadedAt, session)
            let accepted = users.filter { !erased.contains($0.id) }
            return ImportedUsers(excesses: try session.update(accepted, at: now), erased: erased)
        }
    }

    /// Notes a step of which the users were written.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - outcomes: For each user of the step, the limit that kept them from being changed.
    ///   - id: The import.
    ///   - worker: The worker that has it.
    ///   - seconds: The time for which the worker keeps it.
    ///   - now: The time.
    /// - Returns: The import, or `nil` where the worker doesn't have it any more.
    /// - Throws: An error that keeps the store from writing.
    package func noteImport(
        _ step: ImportStep,
        _ outcomes: [UserLimits.Excess?],
        of id: String,
        by worker: String,
        seconds: Double,
        at now: UnixTime
    ) async throws -> ImportJob? {
        try await writer.writeAlone { session in
            guard var job = try ImportRow.lock(id, of: worker, in: session.connection) else { return nil }
            try session.note(step, outcomes, of: &job, seconds: seconds, at: now)
            return job
        }
    }
}

/// The outcome of lines of a file.
package struct ImportedUsers: Sendable, Hashable {
    /// For each of the others, in their order, the limit that kept them from being changed.
    package let excesses: [UserLimits.Excess?]
    /// The users who were deleted since the upload and aren't there again: nothing was written for them.
    package let erased: Set<UserID>
}

extension WriteSession {
    /// Writes how far an import has come.
    func note(
        _ step: ImportStep,
        _ outcomes: [UserLimits.Excess?],
        of job: inout ImportJob,
        seconds: Double,
        at now: UnixTime
    ) throws {
        let rejects = job.apply(step, outcomes, at: now)
        try ImportRow.insert(rejects, of: job.id, into: connection)
        try ImportRow.save(job, seconds: seconds, in: connection)
        guard !job.status.isOpen else { return }
        try ImportRow.end(job, in: connection)
        audit("user.import-end", of: job.id, details: job.endDetails, at: now, by: .server)
    }
}
