import CardModel
import CardStore
import WireJSON

extension WriteSession {
    /// Records a batch of events: loads what they depend on, and applies what the recorder decides.
    func record(_ batch: EventBatch) throws -> EventOutcome {
        var batch = batch
        var state = RecordingState(for: batch, version: try turn(&batch))
        // Nearly always it was loaded with the group, and the statements needn't be made again.
        let rows = try takeLoaded() ?? connection.rows(of: EventLoads.queries(for: batch, isSharded: isSharded))
        let loads = try EventLoads(rows, of: batch)
        for card in loads.cards { state.cards[card.id] = card }
        try loadTestCards(of: batch, into: &state)
        append(batch, loads.known, into: &state)
        if state.dependsOnConversions(batch) { try readConversionRules() }
        let plan = recorder.plan(batch, in: state)
        try load(plan, beside: loads, of: batch, into: &state)
        if plan.needsSettings || state.lacksHistory { try readSettings() }
        let writes = recorder.record(batch, plan, in: consume state)
        try apply(writes, of: batch)
        return writes.outcome
    }

    /// Turns a batch to the user whose it is, creates one who is missing, and returns the version.
    private func turn(_ batch: inout EventBatch) throws -> UserVersion {
        let named = batch.user
        let owner = try batch.owner(known: user(named)) {
            if absent[named] == false { return nil }
            if let id = try FormerUserRows.identity(of: named, self), let known = try user(id) {
                return (id: id, user: known)
            }
            // Nothing was changed so far: whoever knows all databases asks the one of the identity.
            if let identity = try FormerUserRows.departed(named, self) { throw StoreError.departed(to: identity) }
            return nil
        }
        switch owner {
        case .known(let version): return version
        case .identity(let user, let version):
            batch.user = user
            turnElsewhere()
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
        let generation = try store()?.integer("generation") ?? 0
        guard generation != conversionRules.generation else { return }
        // What can't be read is named when the catalog is read.
        var reader = RowReader()
        let campaigns = reader.values(of: try connection.rows(SQL.convertingCampaigns), .campaign) { try Campaign($0) }
        conversionRules = KnownConversionRules(generation: generation, campaigns: campaigns)
        recorder.conversions = campaigns.isEmpty ? .none : ConversionRules(campaigns)
    }

    // MARK: The log

    /// Appends a batch to the log, and marks the events that the user has sent before.
    ///
    /// The user's row is locked, so no other node appends the same user's events.
    ///
    /// - Parameters:
    ///   - batch: The batch.
    ///   - known: The ids that are in the log.
    ///   - state: Gets the places of the events that were sent before.
    private func append(_ batch: EventBatch, _ known: Set<EventID>, into state: inout RecordingState) {
        for (place, event) in batch.events.enumerated() where state.isLogged(eventAt: place) {
            let entry = PendingWrites.Event(
                user: batch.user,
                event: event,
                receivedAt: batch.receivedAt,
                card: state.cards[ofEventAt: place]
            )
            if known.contains(event.id) || !pending.append(entry) { state.duplicates.insert(place) }
        }
    }
}
