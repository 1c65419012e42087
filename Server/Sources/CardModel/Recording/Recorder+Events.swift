import WireJSON

extension Recorder {
    /// Records a batch of events: marks the cards, adds to the history, counts, and does what the events entail.
    ///
    /// - Parameters:
    ///   - batch: The events.
    ///   - plan: What the events depend on.
    ///   - state: What the user has, loaded by the plan.
    /// - Returns: What to write.
    public mutating func record(
        _ batch: EventBatch,
        _ plan: RecordingPlan,
        in state: consuming RecordingState
    ) -> EventWrites {
        var recording = EventRecording(batch, plan, in: state)
        for (place, event) in batch.events.enumerated() { record(event, at: place, in: &recording) }
        recountReopened(in: &recording)
        return recording.finish()
    }

    private mutating func record(_ event: DeviceEvent, at place: Int, in recording: inout EventRecording) {
        guard recording.state.accepts(eventAt: place) else { return recording.reject(.unknownCard(event.id)) }
        if recording.markTestCard(of: event, at: place) { return }
        guard !recording.state.duplicates.contains(place) else {
            recording.writes.outcome.receipt.duplicate += 1
            return
        }
        if let excess = add(event, to: &recording) { return recording.withdraw(event, at: place, excess) }
        recording.writes.outcome.receipt.accepted += 1
        convert(event, at: place, in: &recording)
        if let card = recording.state.cards[ofEventAt: place] { count(event, about: card, at: place, in: &recording) }
        if let consequences = recording.plan.consequences[place] { recording.apply(consequences, of: event) }
    }

    // MARK: What is kept beside the log

    /// Adds an event to the history and the attributes, or returns the limit that it would go beyond.
    private func add(_ event: DeviceEvent, to recording: inout EventRecording) -> UserLimits.Excess? {
        if case .attributes(let changes) = event.kind { return apply(changes, to: &recording) }
        guard let key = HistoryKey(event.kind) else { return nil }
        if recording.state.histories[key]?.summary == nil, key.part != .sessions {
            guard recording.state.historyCount < limits.eventNames else {
                return UserLimits.Excess(.eventNames, limit: limits.eventNames)
            }
            // safe: below the limit
            recording.state.historyCount += 1
        }
        recording.state.histories[key, default: HistoryRecord(nil)].add(event, now: recording.batch.receivedAt)
        return nil
    }

    private func apply(_ changes: AttributeChanges, to recording: inout EventRecording) -> UserLimits.Excess? {
        let known = recording.attributeUsage ?? recording.state.profile.map(AttributeUsage.init)
        guard var usage = known else { return nil }
        do throws(UserLimits.Excess) {
            let isChanged =
                try recording.state.profile?.apply(changes, within: limits, &usage, from: .device) ?? false
            if isChanged { recording.areAttributesChanged = true }
            recording.attributeUsage = usage
            return nil
        } catch {
            return error
        }
    }

    // MARK: Cards

    private mutating func count(
        _ event: DeviceEvent,
        about card: RecordedCard,
        at place: Int,
        in recording: inout EventRecording
    ) {
        var card = card
        let isNew = card.marks.add(event.kind)
        let isFirst = isNew && recording.isFirst(event.kind, about: card)
        counts.add(to: card.campaign, card.variant, on: calendar.day(of: event.at)) {
            $0.count(event.kind, isNew: isNew, isFirst: isFirst)
        }
        if case .contentError(let error) = event.kind { recording.add(error, about: card, at: event.at) }
        if card.marks.add(event.kind, at: event.at) { card.isTouched = true }
        if case .impression = event.kind { recordFirstView(of: &card, at: event.at, in: &recording) }
        if isNew { recording.mark(&card) }
        if isNew || card.isTouched { recording.state.cards[ofEventAt: place] = card }
    }
}

extension EventRecording {
    /// Marks the test card that an event is about, and returns whether it is about one; nothing of it is counted.
    fileprivate mutating func markTestCard(of event: DeviceEvent, at place: Int) -> Bool {
        guard let id = state.cards.unknown(ofEventAt: place), var test = state.testCards[id] else { return false }
        writes.outcome.receipt.accepted += 1
        if test.add(event.kind) {
            test.changedAt = writes.version
            state.testCards[id] = test
            writes.testCards[id] = test
        }
        return true
    }

    /// Whether the user did that with no other card of the campaign before.
    fileprivate func isFirst(_ kind: DeviceEvent.EventKind, about card: RecordedCard) -> Bool {
        let others = state.campaigns[card.campaign]?.lazy.filter { $0.convertible.card != card.id }
        switch kind {
        case .dismissal: return true
        case .impression: return others?.contains(where: \.isViewed) != true
        case .click: return others?.contains(where: \.isClicked) != true
        case .custom, .purchase, .sessionStart, .contentError, .attributes: return false
        }
    }

    fileprivate mutating func mark(_ card: inout RecordedCard) {
        card.isMarked = true
        let id = card.id
        guard let place = state.campaigns[card.campaign]?.firstIndex(where: { $0.convertible.card == id }) else {
            return
        }
        state.campaigns[card.campaign]?[place].isViewed = card.marks.isViewed
        state.campaigns[card.campaign]?[place].isClicked = card.marks.isClicked
    }

    fileprivate mutating func add(_ error: DeviceEvent.ContentError, about card: RecordedCard, at time: UnixTime) {
        writes.problems.append(
            EventWrites.DecodingErrorReport(campaign: card.campaign, variant: card.variant, error: error, at: time)
        )
    }
}
