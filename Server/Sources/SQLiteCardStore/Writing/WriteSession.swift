import CardModel
import CardStore
import GRDB
import WireJSON

/// The writer's connection, its statements, and what the present group has changed so far.
///
/// Sendable without a check because it is only touched on GRDB's writer queue, which runs one block at a time.
final class WriteSession: @unchecked Sendable {
    let statements: WriteStatements
    /// The connection as GRDB has it, for what is rare; only within a group.
    private(set) var database: Database
    private let files: OpenFiles
    let secrets: StoreSecrets
    let now: @Sendable () -> UnixTime
    /// Decides what is recorded, and adds up what the present group has counted.
    var recorder = Recorder()
    private var settings = KnownSettings()
    var conversionRules = KnownConversionRules()
    var changes = GroupChanges()
    /// Whether any user's events are in the log under the id of a user who was merged into them; asked once in a group.
    var hasMergedLogs: Bool?
    private var presence: WriterPresence
    private var knownPseudonyms: UserPseudonyms?

    init(
        on database: Database,
        files: OpenFiles,
        secrets: StoreSecrets,
        now: @escaping @Sendable () -> UnixTime
    ) throws {
        guard let connection = database.sqliteConnection else { throw StoreError.closed }
        self.database = database
        self.files = files
        self.secrets = secrets
        self.now = now
        statements = try WriteStatements(on: connection)
        presence = WriterPresence()
    }

    /// The number by which other processes tell this one's changes from theirs.
    var writerID: Int64 { presence.id }

    /// Writes a group and tells each caller what became of their job.
    func run(_ jobs: [GroupWriter.WriteJob], in database: Database, announcingTo listeners: ChangeListeners) {
        self.database = database
        files.lookIntoFile(database)
        if files.isOverwritten, let loss = files.loss {
            for job in jobs { job.fail(loss) }
            return
        }
        do {
            let completions = try commit(jobs)
            files.noteWritten()
            files.lookIntoFile(database)
            if let loss = files.loss {
                // What was written where nobody finds it isn't acknowledged, though all of it may be rescued.
                if !files.isOverwritten { _ = try? database.checkpoint(.full) }
                // Where the files come back it counts, and this process has to know of it.
                listeners.announce(changes)
                for job in jobs { job.fail(loss) }
                return
            }
            listeners.announce(changes)
            for complete in completions { complete() }
        } catch is JobError where jobs.count > 1 {
            // One job in the way must not take the others down, so each is tried by itself.
            for job in jobs { run([job], in: database, announcingTo: listeners) }
        } catch {
            let reason = StoreError((error as? JobError)?.reason ?? error)
            for job in jobs { job.fail(reason) }
        }
    }

    /// Commits a group, and returns what lets each of its callers go on.
    private func commit(_ jobs: [GroupWriter.WriteJob]) throws -> [GroupWriter.WriteCompletion] {
        changes = GroupChanges()
        recorder.counts = RecordedCounts()
        hasMergedLogs = nil
        try database.beginTransaction(.immediate)
        do {
            let completions = try attempt(jobs)
            try flush()
            try database.commit()
            return completions
        } catch {
            try? database.rollback()
            settings = KnownSettings()
            conversionRules = KnownConversionRules()
            recorder.conversions = .none
            throw error
        }
    }

    /// Writes what the jobs of a group leave to its end.
    ///
    /// One of them may be in the way here, too, such as by a count that can't be read.
    private func flush() throws(JobError) {
        do {
            try flushCounts()
            try flushUserCount()
            try flushAuditChain()
            try presence.note(changes, at: now(), with: statements)
        } catch {
            throw JobError(reason: error)
        }
    }

    private func attempt(_ jobs: [GroupWriter.WriteJob]) throws -> [GroupWriter.WriteCompletion] {
        var completions: [GroupWriter.WriteCompletion] = []
        completions.reserveCapacity(jobs.count)
        for job in jobs {
            let before = database.totalChangesCount
            do {
                completions.append(try job.attempt(self))
            } catch let refusal as StoreError where database.totalChangesCount == before {
                completions.append { job.fail(refusal) }
            } catch {
                throw JobError(reason: error)
            }
        }
        return completions
    }

    /// Returns the texts that stand for users; their key is the same for as long as the store is open.
    func pseudonyms() throws -> UserPseudonyms {
        if let known = knownPseudonyms { return known }
        let pseudonyms = try StoreRow.pseudonyms(database)
        knownPseudonyms = pseudonyms
        return pseudonyms
    }

    /// The days on which something at that time counts.
    func day(of time: UnixTime) throws -> CountingDay {
        try readSettings()
        return recorder.calendar.day(of: time)
    }

    /// Reads the settings that the recorder needs, once in a group.
    func readSettings() throws {
        guard changes.readsSettings else { return }
        changes.readsSettings = false
        try statements.settings.use { statement in
            guard try statement.step() else { return }
            try settings.follow(statement.text(0))
        }
        recorder.calendar.follow(zone: settings.value.timeZone)
        recorder.limits = settings.value.deviceLimits.user
    }

    private func flushUserCount() throws {
        guard changes.newUsers != 0 else { return }
        try statements.addUsers.use { statement in
            statement.bind(1, changes.newUsers)
            try statement.run()
        }
    }
}

/// A job that failed other than by refusing.
private struct JobError: Error {
    let reason: any Error
}
