public import CardModel
public import CardStore

extension ShardedCardStore {
    /// Adds an import whose file is to be uploaded.
    public func insertImport(_ job: ImportJob) async throws -> ImportJob? { try await home.insertImport(job) }

    /// Appends a piece to the file of an import.
    public func appendImportBytes(_ bytes: [UInt8], at offset: Int, to id: String) async throws -> Int? {
        try await home.appendImportBytes(bytes, at: offset, to: id)
    }

    /// Reads an import, or `nil` where there is none of that id.
    public func importJob(_ id: String) async throws -> ImportJob? { try await home.importJob(id) }

    /// Reads imports by their ids.
    public func findImports(_ ids: [String]) async throws -> [String: ImportJob] { try await home.findImports(ids) }

    /// Reads imports, the newest first.
    public func importJobs(offset: Int, limit: Int) async throws -> [ImportJob] {
        try await home.importJobs(offset: offset, limit: limit)
    }

    /// Reads a part of the file of an import.
    public func importBytes(_ id: String, in range: Range<Int>) async throws -> [UInt8] {
        try await home.importBytes(id, in: range)
    }

    /// Starts an import whose file is complete.
    public func startImport(_ id: String, plan: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await home.startImport(id, plan: plan, at: now, by: actor)
    }

    /// Ends an import that was not finished, and removes its file.
    public func cancelImport(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await home.cancelImport(id, at: now, by: actor)
    }

    /// Leases the import that was started first to a worker.
    public func claimImport(for worker: String, seconds: Double) async throws -> ImportJob? {
        try await home.claimImport(for: worker, seconds: seconds)
    }

    /// Does a step of an import that a worker has.
    ///
    /// Users are written before the step is noted. A step that was interrupted in between is done again, which changes
    /// nothing of users who are as it says.
    public func applyImport(
        _ step: ImportStep,
        to id: String,
        by worker: String,
        seconds: Double,
        at now: UnixTime
    ) async throws -> ImportJob? {
        guard try await home.holdsImport(id, worker: worker), let job = try await home.importJob(id) else { return nil }
        let (accepted, outcomes) = try await write(step, uploadedAt: job.createdAt, at: now)
        return try await home.noteImport(accepted, outcomes, of: id, by: worker, seconds: seconds, at: now)
    }

    /// Writes the users of a step, each in a transaction of their database that sees whether they were deleted.
    ///
    /// - Returns: The step without those who were deleted since the upload, and for each of its users the limit that
    ///   kept them from being changed.
    private func write(
        _ step: ImportStep,
        uploadedAt: UnixTime,
        at now: UnixTime
    ) async throws -> (accepted: ImportStep, outcomes: [UserLimits.Excess?]) {
        let updates = step.users.map(\.update)
        let excesses = PlacedValues<UserLimits.Excess?>(nil, count: updates.count)
        let areGone = PlacedValues<Bool>(false, count: updates.count)
        try await divide(updates.map(\.id)) { store, places in
            let own = places.map { updates[$0] }
            let written = try await store.importUsers(own, uploadedAt: uploadedAt, at: now)
            areGone.set(own.map { written.erased.contains($0.id) }, at: places)
            excesses.set(written.excesses, at: places.filter { !written.erased.contains(updates[$0].id) })
        }
        let gone = areGone.value
        let erased = Set(zip(updates, gone).filter(\.1).map(\.0.id))
        return (step.refusing(erased), zip(excesses.value, gone).filter { !$0.1 }.map(\.0))
    }

    /// Reads lines of an import's file that were rejected.
    public func importRejects(_ id: String, after line: Int, limit: Int) async throws -> [ImportReject] {
        try await home.importRejects(id, after: line, limit: limit)
    }

    /// Ends imports that have lasted too long, and removes those that ended long ago.
    public func removeOldImports(at now: UnixTime) async throws -> Int { try await home.removeOldImports(at: now) }
}
