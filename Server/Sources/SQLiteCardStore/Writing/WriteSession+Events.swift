import CardModel
import CardStore
import WireJSON

extension WriteSession {
    /// Records a batch of events: loads what they depend on, and applies what the recorder decides.
    func record(_ batch: EventBatch) throws -> EventOutcome {
        var batch = batch
        var state = RecordingState(for: batch, version: try turn(&batch))
        try loadCards(of: batch, into: &state)
        try append(batch, into: &state)
        if state.dependsOnConversions(batch) { try readConversionRules() }
        let plan = recorder.plan(batch, in: state)
        try load(plan, of: batch, into: &state)
        if plan.needsSettings || state.lacksHistory { try readSettings() }
        let writes = recorder.record(batch, plan, in: consume state)
        try apply(writes, of: batch)
        return writes.outcome
    }

    /// Turns a batch to the user whose it is, creates one who is missing, and returns the version.
    private func turn(_ batch: inout EventBatch) throws -> UserVersion {
        let named = batch.user
        let owner = try batch.owner(known: user(named)) {
            guard let id = try MergedUserRow.identity(of: named, in: database) else { return nil }
            return try user(id).map { (id: id, user: $0) }
        }
        switch owner {
        case .known(let version): return version
        case .identity(let user, let version):
            batch.user = user
            return version
        case .creation(let profile):
            try insertUser(profile, version: 0, isFromDevice: batch.isFromDevice)
            return 0
        }
    }

    /// Reads the conversions that the recorder needs, once in a group.
    private func readConversionRules() throws {
        guard changes.readsConversionRules else { return }
        changes.readsConversionRules = false
        let generation = try statements.generation.use { try $0.step() ? $0.integer(0) : 0 }
        guard generation != conversionRules.generation else { return }
        let known = KnownCampaigns(conversionRules.campaigns)
        // What can't be read is named when the catalog is read.
        var reader = RowReader()
        let campaigns = try known.fetch(SQL.convertingCampaigns, from: database, &reader)
        conversionRules = KnownConversionRules(generation: generation, campaigns: campaigns)
        recorder.conversions = campaigns.isEmpty ? .none : ConversionRules(campaigns)
    }

    // MARK: The log

    /// Appends a batch to the log, and marks the events that the user has sent before.
    private func append(_ batch: EventBatch, into state: inout RecordingState) throws {
        // SQLite keeps what is bound from one run to the next.
        statements.insertEvent.bind(1, batch.user.rawValue)
        statements.insertEvent.bind(5, batch.receivedAt)
        let formerIDs = try formerIDs(of: batch.user)
        for (place, event) in batch.events.enumerated() where state.isLogged(eventAt: place) {
            let isKnown = try formerIDs.contains { try isLogged(event.id, of: $0) }
            if try isKnown || !append(event, about: state.cards[ofEventAt: place]) { state.duplicates.insert(place) }
        }
    }

    /// Returns the ids under which a user's events are in the log, beside the user's own.
    func formerIDs(of user: UserID) throws -> [UserID] {
        let isAny = try hasMergedLogs ?? statements.hasMergedLogs.use { try $0.step() }
        hasMergedLogs = isAny
        guard isAny else { return [] }
        return try statements.formerIDs.use { statement in
            statement.bind(1, user.rawValue)
            var ids: [UserID] = []
            while try statement.step() { ids.append(UserID(rawValue: statement.text(0))) }
            return ids
        }
    }

    private func isLogged(_ event: EventID, of user: UserID) throws -> Bool {
        try statements.isLogged.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, event)
            return try statement.step()
        }
    }

    private func append(_ event: DeviceEvent, about card: RecordedCard?) throws -> Bool {
        try statements.insertEvent.use { statement in
            statement.bind(2, event.id)
            statement.bind(3, event.kind.name)
            statement.bind(4, event.at)
            statement.bind(6, card?.id.rawValue)
            statement.bind(7, card?.campaign.rawValue)
            statement.bind(8, card?.variant.rawValue)
            statement.bind(9, utf8: event.details)
            return try statement.run() > 0
        }
    }
}

/// The campaigns' conversions, kept for as long as the catalog stays at its generation.
struct KnownConversionRules {
    var generation: CatalogGeneration = -1
    /// Those that have any.
    var campaigns: [Campaign] = []
}

extension PreparedStatement {
    /// Binds the 16 bytes of an event's id.
    @inline(__always)
    func bind(_ index: Int32, _ id: EventID) {
        let halves = (id.high.bigEndian, id.low.bigEndian)
        withUnsafeBytes(of: halves) { bind(index, blob: $0) }
    }
}
