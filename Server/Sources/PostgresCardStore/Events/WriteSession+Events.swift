import CardModel
import CardStore
import WireJSON

extension WriteSession {
    /// Records a batch of events: loads what they depend on, and applies what the recorder decides.
    func record(_ batch: EventBatch) throws -> EventOutcome {
        var batch = batch
        var state = RecordingState(for: batch, version: try versionOrMake(&batch))
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

    /// Returns the version of a batch's user, who is created where there is none.
    ///
    /// What a device still sends for a user who was merged into another is that user's.
    private func versionOrMake(_ batch: inout EventBatch) throws -> UserVersion {
        if let user = try user(batch.user) { return user.version }
        if batch.device != nil, let identity = try FormerUserRows.identity(of: batch.user, self),
            let user = try user(identity)
        {
            batch.user = identity
            return user.version
        }
        let profile = UserProfile(id: batch.user, createdAt: batch.receivedAt)
        try insertUser(profile, version: 0, isFromDevice: batch.device != nil)
        return 0
    }

    /// Reads the conversions that the recorder needs, once in a group.
    private func readConversionRules() throws {
        guard changes.readsConversionRules else { return }
        changes.readsConversionRules = false
        let generation = try connection.row("SELECT generation FROM store WHERE id = 1")?.integer("generation") ?? 0
        guard generation != conversionRules.generation else { return }
        let campaigns = try connection.rows(SQL.convertingCampaigns).map(Campaign.init)
        conversionRules = KnownConversionRules(generation: generation, campaigns: campaigns)
        recorder.conversions = campaigns.isEmpty ? .none : ConversionRules(campaigns)
    }

    // MARK: The log

    /// Appends a batch to the log, and marks the events that the user has sent before.
    ///
    /// The user's row is locked, so no other node appends the same user's events.
    private func append(_ batch: EventBatch, into state: inout RecordingState) throws {
        let logged = batch.events.enumerated().filter { state.isLogged(eventAt: $0.offset) }
        guard !logged.isEmpty else { return }
        let known = try connection.rows(
            SQL.knownEvents,
            [batch.user.rawValue, logged.map(\.element.id.bytes)]
        ).map { try $0.bytes("id") }
        let isKnown = Set(known)
        for (place, event) in logged {
            let entry = PendingWrites.Event(
                user: batch.user,
                event: event,
                receivedAt: batch.receivedAt,
                card: state.cards[ofEventAt: place]
            )
            if isKnown.contains(event.id.bytes) || !pending.append(entry) { state.duplicates.insert(place) }
        }
    }
}
