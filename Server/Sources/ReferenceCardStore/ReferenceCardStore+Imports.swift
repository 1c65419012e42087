public import CardModel
public import CardStore

/// A file of users, with the worker that has it.
struct ReferenceImport: Sendable {
    var job: ImportJob
    var bytes: [UInt8] = []
    var rejects: [ImportReject] = []
    var worker: String?
    var leasedUntil: UnixTime = 0

    mutating func close() {
        bytes = []
        worker = nil
    }
}

extension ReferenceCardStore {
    /// Adds an import whose file is to be uploaded.
    public func insertImport(_ job: ImportJob) async throws -> ImportJob? {
        try write { state in
            let open = state.imports.map(\.job).filter(\.status.isOpen)
            switch job.admission(among: open) {
            case .present(let same): return same
            case .full: return nil
            case .added:
                state.imports.append(ReferenceImport(job: job))
                return job
            }
        }
    }

    /// Appends a piece to the file of an import.
    public func appendImportBytes(_ bytes: [UInt8], at offset: Int, to id: String) async throws -> Int? {
        try write { state in
            guard let place = state.place(ofImport: id) else { return nil }
            switch state.imports[place].job.upload(bytes, at: offset) {
            case .refused: return nil
            case .ignored(let received): return received
            case .appended(let received):
                state.imports[place].bytes += bytes
                state.imports[place].job.received = received
                return received
            }
        }
    }

    /// Reads an import, or `nil` where there is none of that id.
    public func importJob(_ id: String) async throws -> ImportJob? {
        try read { state in state.place(ofImport: id).map { state.imports[$0].job } }
    }

    /// Reads imports by their ids.
    public func findImports(_ ids: [String]) async throws -> [String: ImportJob] {
        let wanted = Set(ids.prefix(PageLimit.highest))
        return try read { state in
            let jobs = state.imports.map(\.job).filter { wanted.contains($0.id) }
            return Dictionary(jobs.map { ($0.id, $0) }) { first, _ in first }
        }
    }

    /// Reads imports, the newest first.
    public func importJobs(offset: Int, limit: Int) async throws -> [ImportJob] {
        try read { state in
            state.imports.map(\.job).sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }.page(limit, after: offset)
        }
    }

    /// Reads a part of the file of an import.
    public func importBytes(_ id: String, in range: Range<Int>) async throws -> [UInt8] {
        try read { state in
            guard let place = state.place(ofImport: id) else { return [] }
            return ImportPieces.bytes([(0, state.imports[place].bytes)], in: ImportPieces.bounded(range))
        }
    }

    /// Starts an import whose file is complete.
    public func startImport(_ id: String, plan: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try write { state in
            guard let place = state.place(ofImport: id),
                let job = state.imports[place].job.started(plan, at: now)
            else { return false }
            state.imports[place].job = job
            state.appendAudit("user.import", of: id, details: job.startDetails, at: now, by: actor)
            return true
        }
    }

    /// Ends an import that was not finished, and removes its file.
    public func cancelImport(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try write { state in
            guard let place = state.place(ofImport: id), let job = state.imports[place].job.canceled(at: now) else {
                return false
            }
            state.imports[place].job = job
            state.imports[place].close()
            state.appendAudit("user.import-cancel", of: id, details: job.endDetails, at: now, by: actor)
            return true
        }
    }

    /// Leases the import that was started first to a worker.
    public func claimImport(for worker: String, seconds: Double) async throws -> ImportJob? {
        let now = now()
        return try write { state in
            let running = state.imports.indices.filter { state.imports[$0].job.status == .running }
            let first = running.min { left, right in
                let (left, right) = (state.imports[left].job, state.imports[right].job)
                return (left.startedAt ?? 0, left.id) < (right.startedAt ?? 0, right.id)
            }
            guard let first else { return nil }
            let lease = ImportLease(of: state.imports[first].worker, until: state.imports[first].leasedUntil)
            guard lease.admits(worker, at: now) else { return nil }
            state.imports[first].worker = worker
            state.imports[first].leasedUntil = now + seconds
            return state.imports[first].job
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
        let present = self.now()
        return try write { state in
            guard let place = state.place(ofImport: id), state.imports[place].job.status == .running,
                state.imports[place].worker?.hasSameBytes(as: worker) == true
            else { return nil }
            let (erased, uploadedAt) = (state.erased, state.imports[place].job.createdAt)
            let gone = step.users.map(\.update.id).filter { erased[$0].map { $0 >= uploadedAt } ?? false }
            let accepted = step.refusing(Set(gone))
            let outcomes = try accepted.users.map { entry in
                let write = state.recorder.record(entry.update, over: state.knownProfile(entry.update.id), at: now)
                return try state.apply(write, at: now)
            }
            let rejects = state.imports[place].job.apply(accepted, outcomes, at: now)
            let known = Set(state.imports[place].rejects.map(\.line))
            state.imports[place].rejects += rejects.filter { !known.contains($0.line) }
            state.imports[place].leasedUntil = present + seconds
            let job = state.imports[place].job
            guard !job.status.isOpen else { return job }
            state.imports[place].close()
            state.appendAudit("user.import-end", of: id, details: job.endDetails, at: now, by: .server)
            return job
        }
    }

    /// Reads lines of an import's file that were rejected.
    public func importRejects(_ id: String, after line: Int, limit: Int) async throws -> [ImportReject] {
        try read { state in
            guard let place = state.place(ofImport: id) else { return [] }
            return state.imports[place].rejects.filter { $0.line > line }.sorted { $0.line < $1.line }.page(limit)
        }
    }

    /// Ends imports that have lasted too long, and removes those that ended long ago.
    public func removeOldImports(at now: UnixTime) async throws -> Int {
        try write { state in
            var count = 0
            for place in state.imports.indices {
                guard let job = state.imports[place].job.expired(at: now) else { continue }
                state.imports[place].job = job
                state.imports[place].close()
                state.appendAudit("user.import-end", of: job.id, details: job.endDetails, at: now, by: .server)
                count += 1
            }
            let before = state.imports.count
            state.imports.removeAll { ($0.job.endedAt ?? now) <= now - ImportJob.Retention.list }
            // safe: what is left of as many
            return count + before - state.imports.count
        }
    }
}

extension ReferenceState {
    fileprivate func place(ofImport id: String) -> Int? {
        imports.firstIndex { $0.job.id.hasSameBytes(as: id) }
    }
}
