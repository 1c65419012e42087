import Testing
import WireJSON

@testable import CardModel

@Suite("What a recorder decides of batches, requests and ends")
struct RecorderDecisionTests {
    private let ann = UserID(rawValue: "ann")

    private func custom(_ number: UInt64, _ name: String = "x", at time: UnixTime = 10) -> DeviceEvent {
        DeviceEvent(id: EventID(high: 1, low: number), kind: .custom(name: ByteString(name)), at: time)
    }

    private func batch(_ events: [DeviceEvent], device: String? = nil) -> EventBatch {
        EventBatch(user: ann, events: events, receivedAt: 100, device: device)
    }

    @Test("Kinds of events have names that filters know, and only what users do is history")
    func kinds() {
        let card = CardID(rawValue: "c")
        let problem = DeviceEvent.ContentError(card: card, classType: nil, field: nil, message: "m")
        let purchase = DeviceEvent.Purchase(productID: "p", currency: "EUR", price: 2, quantity: 3)
        let kinds: [(DeviceEvent.EventKind, isAboutCard: Bool, HistoryKey?)] = [
            (.impression(card), true, nil), (.click(card), true, nil), (.dismissal(card), true, nil),
            (.custom(name: "x"), false, HistoryKey(.events, name: "x")),
            (.purchase(purchase), false, HistoryKey(.purchases, name: "p", currency: "EUR")),
            (.sessionStart, false, HistoryKey(.sessions)), (.contentError(problem), true, nil),
            (.attributes(AttributeChanges()), false, nil),
        ]
        #expect(kinds.map(\.0.name) == EventFilter.typeNames)
        for (kind, isAboutCard, key) in kinds {
            #expect(kind.card == (isAboutCard ? card : nil))
            #expect(HistoryKey(kind) == key && kind.isHistory == (key != nil))
        }
        #expect(purchase.amount == 6)
        #expect(HistoryKey(.events, name: "caf\u{E9}") != HistoryKey(.events, name: "cafe\u{301}"))
    }

    @Test("Amounts of the largest purchases end at what an amount holds, and nothing overflows")
    func amounts() {
        let most = Amount(billionths: .max)
        func amount(_ price: Amount, _ quantity: Int64) -> Amount {
            DeviceEvent.Purchase(productID: "p", currency: "EUR", price: price, quantity: quantity).amount
        }
        #expect(amount(most, 2) == most && amount(most, .max) == most && amount(-most, 2) == -most)
        #expect(amount(most, -1) == -most && amount(Amount.largestPrice, 0) == 0)
        #expect(Amount.largestPrice.isPrice && (-Amount.largestPrice).isPrice)
        #expect(!(Amount.largestPrice + Amount(billionths: 1)).isPrice)
        var record = PurchaseRecord(of: most, at: 1)
        record.add(most, at: 2, now: 3)
        #expect(record.revenue == most && record.recentAmounts == [most, most])
    }

    @Test("A plan asks for no more than its events need")
    func plans() throws {
        var campaign = try Sample.launched("c")
        campaign.content.conversions = [
            Campaign.Conversion(id: "paid", goal: .event(EventCondition(.purchase(product: nil)))),
            Campaign.Conversion(id: "came", goal: .sessionStart),
        ]
        var recorder = Recorder()
        recorder.conversions = ConversionRules([campaign])
        func plan(_ events: [DeviceEvent], duplicates: Set<Int> = []) -> RecordingPlan {
            let batch = batch(events)
            var state = RecordingState(for: batch, version: 0)
            state.duplicates = duplicates
            return recorder.plan(batch, in: state)
        }
        let nothing = plan([])
        #expect(nothing.histories.isEmpty && nothing.campaigns.isEmpty && !nothing.needsProfile && nothing.log == nil)
        let event = plan([custom(1), custom(2, "y")])
        #expect(event.histories == [HistoryKey(.events, name: "x"), HistoryKey(.events, name: "y")])
        #expect(event.campaigns.isEmpty && !event.needsSettings && !event.needsWaitingCount)
        let session = DeviceEvent(id: EventID(high: 1, low: 3), kind: .sessionStart, at: 5)
        let came = plan([session])
        #expect(came.conversions == [ConversionPlace(campaign: campaign.id, conversion: "came")])
        #expect(came.campaigns == [campaign.id] && came.spending.isEmpty && came.needsSettings)
        let purchase = DeviceEvent.Purchase(productID: "p", currency: "EUR", price: 1)
        let paid = plan([DeviceEvent(id: EventID(high: 1, low: 4), kind: .purchase(purchase), at: 5)])
        #expect(paid.spending == [ConversionPlace(campaign: campaign.id, conversion: "paid")])
        // What was recorded before needs nothing.
        #expect(plan([session], duplicates: [0]).campaigns.isEmpty)
        let attributes = DeviceEvent(id: EventID(high: 1, low: 5), kind: .attributes(AttributeChanges()), at: 5)
        let changed = plan([attributes])
        #expect(changed.needsProfile && changed.needsSettings && changed.histories.isEmpty)
    }

    @Test("A campaign that isn't launched, or is archived, counts no conversions")
    func listeners() throws {
        func campaign(_ id: String) throws -> Campaign {
            var campaign = try Sample.launched(id)
            let goal = Campaign.Conversion.Goal.sessionStart
            campaign.content.conversions = [Campaign.Conversion(id: "came", goal: goal, opening: .impression)]
            return campaign
        }
        let session = DeviceEvent(id: EventID(high: 1, low: 1), kind: .sessionStart, at: 5)
        let active = try campaign("active")
        let stopped = try campaign("stopped").applying(.stop(withdraw: true), at: 1)
        let archived = try campaign("archived").applying(.stop(withdraw: false), at: 1).applying(.archive, at: 2)
        var draft = Sample.campaign("draft")
        draft.content.conversions = active.content.conversions
        let rules = ConversionRules([active, stopped, archived, draft])
        #expect(rules.matches(session).map(\.campaign.rawValue) == ["active", "stopped"])
        for campaign in [active, stopped, archived, draft] {
            let isOpened = campaign.id == active.id || campaign.id == stopped.id
            #expect(rules.isOpenedByImpression(of: campaign.id) == isOpened)
            #expect(rules.openedByImpression(of: campaign.id).isEmpty == !isOpened)
        }
        #expect(ConversionRules.none.matches(session).isEmpty && rules.matches(custom(1)).isEmpty)
    }

    @Test("A conversion is within its window from the delivery or from the first impression, to the second")
    func windows() {
        func covers(_ time: UnixTime, _ opening: Campaign.Conversion.Opening, viewedAt: UnixTime?) -> Bool {
            let conversion = Campaign.Conversion(id: "x", goal: .sessionStart, window: 60, opening: opening)
            let card = ConvertibleCard(
                card: CardID(rawValue: "c"),
                variant: VariantID(rawValue: "a"),
                deliveredAt: 100,
                firstViewedAt: viewedAt
            )
            return conversion.covers(time, of: card)
        }
        #expect(!covers(99.9, .delivery, viewedAt: nil) && covers(100, .delivery, viewedAt: nil))
        #expect(covers(159.9, .delivery, viewedAt: 150) && !covers(160, .delivery, viewedAt: 150))
        #expect(!covers(120, .impression, viewedAt: nil) && !covers(149, .impression, viewedAt: 150))
        #expect(covers(150, .impression, viewedAt: 150) && covers(209, .impression, viewedAt: 150))
        #expect(!covers(210, .impression, viewedAt: 150))
    }

    @Test("A recount keeps a conversion that is still within, or takes the first of the events")
    func recounts() {
        let conversion = Campaign.Conversion(id: "x", goal: .sessionStart, window: 60, opening: .impression)
        func convertedAt(_ known: UnixTime?, _ times: [UnixTime], viewedAt: UnixTime? = 100) -> UnixTime? {
            let card = ConvertibleCard(
                card: CardID(rawValue: "c"),
                variant: VariantID(rawValue: "a"),
                deliveredAt: 0,
                firstViewedAt: viewedAt
            )
            let events = times.enumerated().map { custom(UInt64($0.offset), at: $0.element) }
            let recount = ConversionRecount(of: conversion, by: card, convertedAt: known, events: events)
            #expect(recount.events.map(\.at) == times.sorted())
            return recount.convertedAt
        }
        #expect(convertedAt(nil, []) == nil && convertedAt(120, []) == 120)
        #expect(convertedAt(99, []) == nil && convertedAt(160, []) == nil && convertedAt(120, [], viewedAt: nil) == nil)
        #expect(convertedAt(120, [130, 110]) == 110 && convertedAt(120, [130]) == 120)
        #expect(convertedAt(160, [140, 130]) == 130)
    }

    @Test("The events of a request go to each user in one batch, and what is refused to its place")
    func tracking() throws {
        var request = TrackedRequest()
        let bob = UserID(rawValue: "bob")
        func event(_ number: UInt64, of user: UserID) -> TrackedChange {
            TrackedChange(user: .id(user), newUser: user, content: .event(custom(number)))
        }
        let changes = AttributeChanges(custom: ["plan": .set("gold")])
        let attributes = TrackedChange(user: .id(ann), newUser: ann, content: .attributes(changes))
        let kept = [
            request.add(event(1, of: ann), of: ann), request.add(attributes, of: ann), request.add(attributes, of: nil),
            request.add(event(2, of: bob), of: bob), request.add(event(3, of: ann), of: ann),
        ]
        #expect(kept == [nil, changes, nil, nil, nil])
        let batches = request.batches(rules: nil, at: 50)
        #expect(batches.map(\.user) == [ann, bob] && batches.map { $0.events.map(\.id.low) } == [[1, 3], [2]])
        #expect(batches.allSatisfy { !$0.isFromDevice && $0.receivedAt == 50 })
        var outcome = EventOutcome(receipt: EventReceipt(duplicate: 2), versionBefore: 0, versionAfter: 1)
        outcome.excesses = [1: UserLimits.Excess(.eventNames, limit: 9)]
        request.add(outcome, of: batches[0])
        #expect(request.outcome.users == [ann, ann, nil, bob, ann] && request.outcome.duplicates == 2)
        // The last change of the request is the second event of its first user.
        #expect(request.outcome.excesses == [4: UserLimits.Excess(.eventNames, limit: 9)])
        var refused = TrackedRequest()
        _ = refused.add(event(1, of: bob), of: bob)
        _ = refused.add(attributes, of: ann)
        refused.refuse(UserLimits.Excess(.attributes, limit: 1))
        #expect(refused.outcome.excesses == [1: UserLimits.Excess(.attributes, limit: 1)])
    }

    @Test("Whoever merges into a user ends when they merged, and whoever is deleted not before that")
    func ends() {
        let profile = UserProfile(id: ann, createdAt: 50)
        let recorder = Recorder()
        #expect(recorder.delete(profile, aliases: [], at: 40).at == 50)
        let deletion = recorder.delete(profile, aliases: [], at: 60)
        #expect(deletion.end(ofMergedAt: 55) == 60 && deletion.end(ofMergedAt: 70) == 70)
        let merge = UserEnd(merging: profile, into: UserID(rawValue: "id"), at: 60)
        #expect(merge.end(ofMergedAt: 55) == 55 && merge.end(ofMergedAt: 70) == 70)
        #expect(merge.notice.details == ["merged_into": "id"] && merge.auditAction == nil)
        #expect(recorder.beginning(of: 10, after: []) == 10 && recorder.beginning(of: 10, after: [3, 9.5]) == 10)
        #expect(recorder.beginning(of: 10, after: [10, 20]) == 20.001)
    }
}
