import CardModel
import CardStore

/// This process's row among those that write the file: two counters from which the other processes tell what changed.
struct WriterPresence {
    /// Long enough for every other process to have looked.
    private static let rememberedSeconds = 3600.0

    let id: Int64
    private var catalogChanges: Int64 = 0
    private var userChanges: Int64 = 0
    private var cleansUp = true

    init() { id = Int64.random(in: 1...Int64.max) }

    /// Writes, within the group's transaction, that it changed something apps may see.
    mutating func note(_ changes: GroupChanges, at now: UnixTime, with statements: WriteStatements) throws {
        guard changes.catalog || !changes.users.isEmpty else { return }
        // Counters that run ahead of a transaction that is rolled back only make the next one count for two.
        if changes.catalog { catalogChanges += 1 }
        if !changes.users.isEmpty { userChanges += 1 }
        try statements.noteWriter.use { statement in
            statement.bind(1, id)
            statement.bind(2, catalogChanges)
            statement.bind(3, userChanges)
            statement.bind(4, now)
            try statement.run()
        }
        if cleansUp {
            try statements.forgetWriters.use { statement in
                statement.bind(1, now - Self.rememberedSeconds)
                try statement.run()
            }
            cleansUp = false
        }
    }
}
