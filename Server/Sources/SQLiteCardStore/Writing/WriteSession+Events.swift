import CardModel
import CardStore
import WireJSON

extension WriteSession {
    /// Stores a batch of events, marks the cards, and counts.
    func record(_ batch: EventBatch) throws -> EventOutcome {
        var state = BatchState(batch, version: try versionOrMake(batch))
        bindLog(to: batch)
        for (place, event) in batch.events.enumerated() { try record(event, at: place, in: &state) }
        return try finish(&state)
    }

    private func record(_ event: DeviceEvent, at place: Int, in state: inout BatchState) throws {
        let card = try event.kind.card.map { try find($0, in: &state.cards) }
        if case .some(nil) = card { return state.receipt.rejected.append(.unknownCard(event.id)) }
        guard try append(event, about: card ?? nil) else {
            // safe: counts the events of a request
            state.receipt.duplicate += 1
            return
        }
        if let excess = try keep(event, in: &state) {
            try remove(event, of: state.batch.user)
            state.excesses[place] = excess
            return state.receipt.rejected.append(.limitReached(event.id, excess))
        }
        // safe: counts the events of a request
        state.receipt.accepted += 1
        try convert(event, of: state.batch.user)
        if let card = card ?? nil { try count(event, about: card, in: &state.cards) }
        if try bringAbout(event, of: state.batch, version: state.cards.nextVersion) { state.bringsNews = true }
    }

    /// Adds an event to what is kept of its user beside the log, or returns the limit that it would go beyond.
    private func keep(_ event: DeviceEvent, in state: inout BatchState) throws -> UserLimits.Excess? {
        do {
            try add(event, to: &state.history, of: state.batch.user)
            if case .attributes(let changes) = event.kind { try change(changes, in: &state) }
            return nil
        } catch let excess as UserLimits.Excess {
            return excess
        }
    }

    private func change(_ changes: AttributeChanges, in state: inout BatchState) throws {
        if state.attributes == nil {
            state.attributes = try profile(of: state.batch.user).map { AttributesOfBatch(of: $0.profile) }
        }
        try state.attributes?.apply(changes, within: try userLimits())
    }

    private func finish(_ state: inout BatchState) throws -> EventOutcome {
        let batch = state.batch
        let version = state.cards.nextVersion
        let touched = state.cards.touched
        for card in touched { try touch(card, of: batch.user) }
        try save(state.history, of: batch.user)
        if let attributes = state.attributes, attributes.isChanged {
            try setAttributes(of: attributes.profile, version: version, at: batch.receivedAt)
            state.bringsNews = true
        }
        // safe: the next version is 1 or more
        var outcome = EventOutcome(receipt: state.receipt, versionBefore: version - 1, versionAfter: version - 1)
        outcome.historyParts = state.history.parts.union(touched.isEmpty ? [] : .contacts)
        outcome.bringsNews = state.bringsNews
        outcome.excesses = state.excesses
        guard state.cards.areChanged || state.bringsNews || !state.history.parts.isEmpty else { return outcome }
        try setVersion(version, of: batch.user, by: state.bringsNews ? nil : batch.device)
        outcome.versionAfter = version
        return outcome
    }

    private func versionOrMake(_ batch: EventBatch) throws -> UserVersion {
        if let user = try user(batch.user) { return user.version }
        let profile = UserProfile(id: batch.user, createdAt: batch.receivedAt)
        try insertUser(profile, version: 0, isFromDevice: batch.device != nil)
        return 0
    }

    // MARK: Cards

    private func find(_ id: CardID, in cards: inout CardsOfBatch) throws -> CardOfBatch? {
        if let known = cards[id] { return known }
        let found: CardOfBatch? = try statements.card.use { statement in
            statement.bind(1, cards.user.rawValue)
            statement.bind(2, id.rawValue)
            guard try statement.step() else { return nil }
            return CardOfBatch(
                id: id,
                campaign: CampaignID(rawValue: statement.text(0)),
                variant: VariantID(rawValue: statement.text(1)),
                marks: CardMarks(
                    isViewed: statement.bool(2),
                    isClicked: statement.bool(3),
                    isDismissed: statement.bool(4),
                    viewedAt: statement.optionalDouble(5),
                    clickedAt: statement.optionalDouble(6),
                    dismissedAt: statement.optionalDouble(7)
                ),
                firstViewedAt: statement.optionalDouble(8)
            )
        }
        if let found { cards[id] = found }
        return found
    }

    private func count(_ event: DeviceEvent, about card: CardOfBatch, in cards: inout CardsOfBatch) throws {
        let day = try day(of: event.at)
        var card = card
        let isNew = card.marks.add(event.kind)
        let isFirst = isNew ? try isFirst(event.kind, about: card, of: cards.user) : false
        recorder.counts.add(to: card.campaign, card.variant, on: day) {
            $0.count(event.kind, isNew: isNew, isFirst: isFirst)
        }
        if case .contentError(let problem) = event.kind { try note(problem, about: card, at: event.at) }
        if card.marks.add(event.kind, at: event.at) { card.isTouched = true }
        if case .impression = event.kind { try noteFirstView(of: &card, at: event.at, by: cards.user) }
        guard isNew || card.isTouched else { return }
        if isNew {
            try mark(card, in: cards)
            cards.areChanged = true
        }
        cards[card.id] = card
    }

    /// Whether the user did that with no other card of the campaign before.
    private func isFirst(_ kind: DeviceEvent.Kind, about card: CardOfBatch, of user: UserID) throws -> Bool {
        if case .dismissal = kind { return true }
        return try statements.seenBefore.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, card.campaign.rawValue)
            statement.bind(3, card.id.rawValue)
            guard try statement.step() else { return true }
            switch kind {
            case .impression: return !statement.bool(0)
            case .click: return !statement.bool(1)
            default: return false
            }
        }
    }

    private func mark(_ card: CardOfBatch, in cards: CardsOfBatch) throws {
        try statements.markCard.use { statement in
            statement.bind(1, cards.user.rawValue)
            statement.bind(2, card.id.rawValue)
            statement.bind(3, card.marks.isViewed)
            statement.bind(4, card.marks.isClicked)
            statement.bind(5, card.marks.isDismissed)
            statement.bind(6, cards.nextVersion)
            try statement.run()
        }
    }

    func touch(_ card: CardOfBatch, of user: UserID) throws {
        try statements.touchCard.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, card.id.rawValue)
            statement.bind(3, card.marks.viewedAt)
            statement.bind(4, card.marks.clickedAt)
            statement.bind(5, card.marks.dismissedAt)
            statement.bind(6, card.firstViewedAt)
            try statement.run()
        }
    }

    // MARK: The log

    /// Says whose events follow: SQLite keeps what is bound from one run to the next.
    private func bindLog(to batch: EventBatch) {
        statements.insertEvent.bind(1, batch.user.rawValue)
        statements.insertEvent.bind(5, batch.receivedAt)
    }

    /// Appends an event of the batch, or returns `false` where the user has sent one of that id before.
    private func append(_ event: DeviceEvent, about card: CardOfBatch?) throws -> Bool {
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

    /// Takes back an event that was just appended.
    private func remove(_ event: DeviceEvent, of user: UserID) throws {
        try statements.removeEvent.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, event.id)
            try statement.run()
        }
    }

    // MARK: Problems

    /// More kinds of problem than anybody reads, and a bound to what devices can make the store keep.
    private static let problemLimit: Int64 = 100

    private func note(_ problem: DeviceEvent.ContentError, about card: CardOfBatch, at time: UnixTime) throws {
        func bind(_ statement: PreparedStatement) {
            statement.bind(1, card.campaign.rawValue)
            statement.bind(2, card.variant.rawValue)
            statement.bind(3, problem.classType ?? "")
            statement.bind(4, problem.field ?? "")
            statement.bind(5, time)
        }
        let isKnown = try statements.countProblem.use { statement in
            bind(statement)
            return try statement.run() > 0
        }
        if isKnown { return }
        try statements.insertProblem.use { statement in
            bind(statement)
            statement.bind(6, problem.message)
            statement.bind(7, Self.problemLimit)
            try statement.run()
        }
    }
}

extension EventRejection {
    fileprivate static func unknownCard(_ id: EventID) -> EventRejection {
        EventRejection(id: id.description, code: .cardUnknown, message: "This user has no such card.")
    }

    fileprivate static func limitReached(_ id: EventID, _ excess: UserLimits.Excess) -> EventRejection {
        EventRejection(id: id.description, code: .limitReached, message: excess.message + ".")
    }
}

extension PreparedStatement {
    /// Binds the 16 bytes of an event's id.
    @inline(__always)
    func bind(_ index: Int32, _ id: EventID) {
        let halves = (id.high.bigEndian, id.low.bigEndian)
        withUnsafeBytes(of: halves) { bind(index, blob: $0) }
    }
}
