import CardModel
import CardStore
import WireJSON

extension WriteSession {
    /// Loads the test cards that events are about, where events name cards that aren't the user's.
    func loadTestCards(of batch: EventBatch, into state: inout RecordingState) throws {
        let unknown = Set(state.cards.ids.filter { state.cards[$0] == nil })
        guard !unknown.isEmpty else { return }
        for row in try connection.rows(SQL.testCards, [batch.user.rawValue]) {
            let test = try TestCard(row)
            if unknown.contains(test.card) { state.testCards[test.card] = test }
        }
    }

    /// Loads what the new events of a batch depend on, in one go, as far as it isn't loaded yet.
    func load(
        _ plan: RecordingPlan,
        beside loads: EventLoads,
        of batch: EventBatch,
        into state: inout RecordingState
    ) throws {
        let rest = PlannedLoads(plan, beside: loads, of: batch, isSharded: isSharded)
        try rest.read(connection.rows(of: rest.queries), into: &state)
        for key in plan.histories where loads.covers(key) { state.histories[key] = HistoryRecord(loads.histories[key]) }
        for campaign in plan.campaigns {
            if let cards = loads.campaigns[campaign] { state.campaigns[campaign] = cards }
        }
        if let times = plan.log { state.logged += pendingEvents(of: batch.user, in: times) }
    }

    /// The custom events, purchases and session starts of a user in that time that the group hasn't written yet.
    private func pendingEvents(of user: UserID, in times: Range<UnixTime>) -> [DeviceEvent] {
        pending.events.compactMap(\.self).filter { entry in
            entry.user == user && times.contains(entry.event.at) && entry.event.kind.isLoggedHistory
        }.map(\.event)
    }
}

extension ConversionPlace {
    /// The first three parameters of statements about a user's conversions.
    func values(of user: UserID) -> [any PostgresEncodable] { [user.rawValue, campaign.rawValue, conversion] }
}

extension DeviceEvent.EventKind {
    /// Whether a user's history has such events.
    fileprivate var isLoggedHistory: Bool { HistoryKey(self) != nil }
}

extension PostgresRow {
    /// Reads an event of the log, or returns `nil` where conversions don't depend on such an event.
    func loggedEvent() throws -> DeviceEvent? {
        guard let id = EventID(bytes: try bytes("id")) else { return nil }
        let details = try optionalText("details").flatMap { try? JSONValue(parsing: $0) }
        return DeviceEvent(id, logged: try text("type"), at: try double("at"), details ?? .null)
    }
}
