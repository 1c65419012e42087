import CardModel
import CardStore
import WireJSON

extension ReferenceState {
    /// Records a batch of events.
    mutating func record(_ batch: EventBatch) throws(StoreError) -> EventOutcome {
        var (batch, recorder) = (batch, recorder)
        var state = RecordingState(for: batch, version: try turn(&batch))
        loadCards(of: batch, into: &state)
        append(batch, into: &state)
        let plan = recorder.plan(batch, in: state)
        load(plan, of: batch, into: &state)
        let writes = recorder.record(batch, plan, in: state)
        apply(writes, of: batch)
        add(recorder.counts)
        return writes.outcome
    }

    /// Turns a batch to the user whose it is, creates one who is missing, and returns the version.
    private mutating func turn(_ batch: inout EventBatch) throws(StoreError) -> UserVersion {
        let identity = merged[batch.user]?.identity
        let found = identity.flatMap { id in known(id).map { (id: id, user: $0) } }
        switch batch.owner(known: known(batch.user), mergedInto: { found }) {
        case .known(let version): return version
        case .identity(let user, let version):
            batch.user = user
            return version
        case .creation(let profile):
            try insertUser(profile, version: 0, isFromDevice: batch.isFromDevice)
            return 0
        }
    }

    // MARK: Loading

    private func loadCards(of batch: EventBatch, into state: inout RecordingState) {
        guard let user = users[batch.user] else { return }
        for id in state.cards.ids {
            state.cards[id] = user.cards.first { $0.delivery.card == id }?.recorded
            if state.cards[id] == nil { state.testCards[id] = user.testCards.first { $0.card == id } }
        }
    }

    /// Appends a batch to the log, and marks the events that the user has sent before.
    private mutating func append(_ batch: EventBatch, into state: inout RecordingState) {
        var known = Set(users[batch.user]?.log.map(\.stored.id) ?? [])
        for (place, event) in batch.events.enumerated() where state.isLogged(eventAt: place) {
            guard known.insert(event.id).inserted else {
                state.duplicates.insert(place)
                continue
            }
            let card = state.cards[ofEventAt: place]
            // safe: positions count events
            lastPosition += 1
            let stored = StoredEvent(
                position: lastPosition,
                user: batch.user,
                id: event.id,
                type: event.kind.name,
                at: event.at,
                receivedAt: batch.receivedAt,
                card: card?.id,
                campaign: card?.campaign,
                variant: card?.variant,
                details: event.loggedDetails
            )
            users[batch.user]?.log.append(ReferenceEvent(stored: stored, event: event))
        }
    }

    private func load(_ plan: RecordingPlan, of batch: EventBatch, into state: inout RecordingState) {
        guard let user = users[batch.user] else { return }
        for key in plan.histories { state.histories[key] = HistoryRecord(user.histories[key]) }
        state.historyCount = user.histories.keys.filter { $0.part != .sessions }.count
        if plan.needsProfile { state.profile = user.profile }
        for campaign in plan.campaigns {
            state.campaigns[campaign] = user.cards.filter { $0.delivery.campaign == campaign }.map(\.ofCampaign)
        }
        for place in plan.conversions { state.conversions[place] = user.conversions[place] ?? [:] }
        for place in plan.spending { state.spending[place] = user.spending[place] ?? [:] }
        if let times = plan.log {
            let newest = user.log.map(\.event).sorted { ($0.id.high, $0.id.low) > ($1.id.high, $1.id.low) }
            var bytes = 0
            let within = newest.prefix(RecordingState.loggedLimit).prefix { event in
                let details = event.loggedDetails
                // safe: the limit, and one event more
                bytes += details == .null ? 0 : details.bytes.count
                return bytes <= RecordingState.loggedBytes
            }
            state.logged = within.filter { times.contains($0.at) && $0.kind.isHistory }
        }
        state.waitingLoad = user.load { _ in true }
        for campaign in plan.waiting { state.waiting[campaign] = waiting(for: user, campaign, at: batch.receivedAt) }
    }

    private func waiting(for user: ReferenceUser, _ campaign: CampaignID, at now: UnixTime) -> WaitingTriggers {
        func element(_ trigger: Trigger) -> WaitingTriggers.Element {
            .init(id: trigger.id, at: trigger.at, due: trigger.due, until: trigger.until)
        }
        let open = broadcasts.map(\.trigger).filter { broadcast in
            broadcast.campaign == campaign && broadcast.until > now
                && user.triggers[TriggerKey(campaign: campaign, trigger: broadcast.id)]?.outcome != .delivered
        }
        let own = user.triggers.values.filter { $0.trigger.campaign == campaign && $0.outcome == nil }
        return WaitingTriggers(own: own.map { element($0.trigger) }, broadcasts: open.map(element))
    }

    // MARK: Applying

    private mutating func apply(_ writes: EventWrites, of batch: EventBatch) {
        let user = batch.user
        users[user]?.log.removeAll { writes.withdrawn.contains($0.stored.id) }
        for card in writes.cards { update(card, of: user, version: writes.version) }
        for test in writes.testCards.values {
            guard let index = users[user]?.testCards.firstIndex(where: { $0.card == test.card }) else { continue }
            users[user]?.testCards[index].marks = test.marks
            users[user]?.testCards[index].changedAt = test.changedAt
        }
        for problem in writes.problems { count(problem) }
        for history in writes.histories { users[user]?.histories[history.key] = history.summary }
        for conversion in writes.conversions {
            users[user]?.conversions[conversion.place, default: [:]][conversion.card] = conversion.counted
        }
        for spent in writes.spending {
            users[user]?.spending[spent.place, default: [:]][spent.currency] = spent.spending
        }
        for campaign in writes.endedCampaigns { endCards(of: campaign, of: user, version: writes.version) }
        for trigger in writes.triggers { insert(trigger, for: user) }
        for trigger in writes.usedTriggers { use(trigger, for: user) }
        for trigger in writes.covers {
            users[user]?.triggers[TriggerKey(campaign: trigger.campaign, trigger: trigger.id)] = KnownTrigger(trigger)
        }
        switch writes.user {
        case .nothing: break
        case .version: setVersion(writes.version, of: user, by: writes.knowingDevice)
        case .attributes(let profile):
            setAttributes(of: profile, version: writes.version, at: batch.receivedAt)
            changes.touch(user, by: writes.knowingDevice)
        }
    }

    private mutating func update(_ card: RecordedCard, of user: UserID, version: UserVersion) {
        update(card.id, of: user) { known in
            known.delivery.lastViewedAt = card.marks.viewedAt
            known.delivery.lastClickedAt = card.marks.clickedAt
            known.delivery.dismissedAt = card.marks.dismissedAt
            known.firstViewedAt = card.firstViewedAt
            guard card.isMarked else { return }
            known.delivery.isViewed = card.marks.isViewed
            known.delivery.isClicked = card.marks.isClicked
            known.delivery.isDismissed = card.marks.isDismissed
            known.delivery.changedAt = version
        }
    }

    private mutating func endCards(of campaign: CampaignID, of user: UserID, version: UserVersion) {
        for card in users[user]?.cards ?? [] {
            guard card.delivery.campaign == campaign, card.delivery.end != .removalEvent else { continue }
            update(card.delivery.card, of: user) { known in
                known.delivery.end = .removalEvent
                known.delivery.changedAt = version
            }
        }
    }

    private mutating func count(_ problem: EventWrites.DecodingErrorReport) {
        let key = ProblemKey(
            campaign: problem.campaign,
            variant: problem.variant,
            classType: ByteString(problem.error.classType ?? ""),
            field: ByteString(problem.error.field ?? "")
        )
        if let known = problems[key] {
            let message = problem.at >= known.lastAt ? problem.error.message : known.message
            // safe: counts of events
            problems[key] = (message, known.count + 1, max(known.lastAt, problem.at))
        } else if problems.keys.filter({ $0.campaign == problem.campaign }).count
            < EventWrites.DecodingErrorReport.limit
        {
            problems[key] = (problem.error.message, 1, problem.at)
        }
    }

    /// Lets a trigger wait, unless the user has had one of that id.
    mutating func insert(_ trigger: Trigger, for user: UserID, isScheduled: Bool = false) {
        let key = TriggerKey(campaign: trigger.campaign, trigger: trigger.id)
        guard users[user]?.triggers[key] == nil else { return }
        users[user]?.triggers[key] = KnownTrigger(trigger, isScheduled: isScheduled)
    }
}

extension DeviceEvent {
    /// The details of the event beyond its type, card and time, as the log shows them.
    fileprivate var loggedDetails: JSONValue {
        var members: JSONObject = [:]
        switch kind {
        case .impression, .click, .dismissal, .sessionStart: return .null
        case .custom(let name): members["name"] = .string(name.text)
        case .purchase(let purchase):
            members["product_id"] = .string(purchase.productID)
            members["currency"] = .string(purchase.currency)
            members["price"] = .decimal(purchase.price)
            members["quantity"] = .integer(purchase.quantity)
        case .contentError(let error):
            members["class_type"] = error.classType.map { .string($0) }
            members["field"] = error.field.map { .string($0) }
            members["message"] = .string(error.message)
        case .attributes(let changes):
            // The names only: what was said of them is personal.
            let names = changes.standard.keys.map(\.rawValue) + changes.custom.keys
            members["names"] = .array(names.map { .string($0) })
        }
        if kind.card == nil, let properties {
            members["properties"] = try? JSONValue(parsing: String(decoding: properties, as: UTF8.self))
        }
        // As it is read from where it was written: a number may be of another kind.
        return (try? JSONValue(parsing: JSONValue.object(members).text)) ?? .null
    }
}
