import WireJSON

/// A batch of events while it is recorded: what the user has by now, and what is to be written of it.
struct EventRecording {
    let batch: EventBatch
    let plan: RecordingPlan
    var state: RecordingState
    var writes: EventWrites
    /// The size of the user's attributes, once an event has changed some.
    var attributeUsage: AttributeUsage?
    var areAttributesChanged = false
    /// The conversions whose times changed, and those whose spending did.
    var changedConversions: Set<ChangedConversion> = []
    var changedSpending: Set<SpendingPlace> = []
    /// The cards of which an earlier impression came, with their campaigns, in whose windows is to be counted again.
    var reopened: [CardID: CampaignID] = [:]
    /// The order in which the cards of a campaign were given, once it was asked for.
    var timelines: [CampaignID: CardTimeline] = [:]
    /// The card that converted first, or that none did, once it was asked for.
    var firstConversions: [ConversionPlace: FirstConversion?] = [:]
    /// The campaigns whose cards ended, as far as there were any.
    var endedCampaigns: Set<CampaignID> = []
    /// Triggers and cards that changed for another reason than that the device said so.
    var isFeedChanged = false

    struct ChangedConversion: Hashable {
        let place: ConversionPlace
        let card: CardID
    }

    init(_ batch: EventBatch, _ plan: RecordingPlan, in state: consuming RecordingState) {
        self.batch = batch
        self.plan = plan
        writes = EventWrites(after: state.version)
        self.state = state
    }

    // MARK: Refusals

    mutating func reject(_ rejection: EventRejection) { writes.outcome.receipt.rejected.append(rejection) }

    /// Takes an event back that is in the log already.
    mutating func withdraw(_ event: DeviceEvent, at place: Int, _ excess: UserLimits.Excess) {
        writes.withdrawn.append(event.id)
        writes.outcome.excesses[place] = excess
        reject(.limitReached(event.id, excess))
    }

    // MARK: The end

    /// Returns the rows to write, once all events have been recorded.
    mutating func finish() -> EventWrites {
        writes.cards = state.cards.known.filter { $0.isMarked || $0.isTouched }
        let parts = finishHistories()
        finishConversions()
        if areAttributesChanged { writes.profile = state.profile }
        writes.outcome.bringsNews = isFeedChanged || areAttributesChanged
        let isTouched = writes.cards.contains(where: \.isTouched)
        writes.outcome.historyParts = parts.union(isTouched ? .contacts : [])
        if writes.outcome.bringsNews || !parts.isEmpty || writes.cards.contains(where: \.isMarked)
            || !writes.testCards.isEmpty
        {
            writes.outcome.versionAfter = writes.version
            writes.knowingDevice = writes.outcome.bringsNews ? nil : batch.device
        }
        return writes
    }

    private mutating func finishHistories() -> UserHistory.Parts {
        var parts: UserHistory.Parts = []
        for (key, record) in state.histories where record.isChanged {
            guard let summary = record.summary else { continue }
            parts.formUnion(key.part)
            writes.histories.append(EventWrites.History(key: key, summary: summary, isStored: record.isStored))
        }
        return parts
    }

    private mutating func finishConversions() {
        for changed in changedConversions {
            let counted = state.conversions[changed.place]?[changed.card]
            writes.conversions.append(
                EventWrites.ConversionWrite(place: changed.place, card: changed.card, counted: counted)
            )
        }
        for changed in changedSpending {
            let spending = state.spending[changed.place]?[changed.currency]
            writes.spending.append(
                EventWrites.Spent(place: changed.place, currency: changed.currency, spending: spending)
            )
        }
    }
}

extension EventRejection {
    static func unknownCard(_ id: EventID) -> EventRejection {
        EventRejection(id: id.description, code: .cardUnknown, message: "This user has no such card.")
    }

    fileprivate static func limitReached(_ id: EventID, _ excess: UserLimits.Excess) -> EventRejection {
        EventRejection(id: id.description, code: .limitReached, message: excess.message + ".")
    }
}
