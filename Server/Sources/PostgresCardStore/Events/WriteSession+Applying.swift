import CardModel
import CardStore
import WireJSON

extension WriteSession {
    /// Writes what recording a batch of events changes.
    func apply(_ writes: EventWrites, of batch: EventBatch) throws {
        let user = batch.user
        for id in writes.withdrawn { pending.withdraw(id, of: user) }
        update(writes.cards, of: user, version: writes.version)
        for test in writes.testCards.values { try mark(test, of: user) }
        for problem in writes.problems { pending.count(problem) }
        for history in writes.histories { try save(history, of: user) }
        for conversion in writes.conversions { try save(conversion, of: user) }
        for spent in writes.spending { try save(spent, of: user) }
        for campaign in writes.endedCampaigns {
            connection.later(
                SQL.removeCards,
                [user.rawValue, campaign.rawValue, Delivery.End.removalEvent.rawValue, writes.version]
            )
        }
        for trigger in writes.triggers { try insert(trigger, for: user) }
        for trigger in writes.usedTriggers { try use(trigger, for: user) }
        for trigger in writes.covers { connection.later(SQL.coverBroadcast, trigger.values(for: user)) }
        switch writes.user {
        case .nothing: break
        case .version: try setVersion(writes.version, of: user, by: writes.knowingDevice)
        case .attributes(let profile):
            try setAttributes(of: profile, version: writes.version, at: batch.receivedAt)
            changes.touch(user, by: writes.knowingDevice)
        }
    }

    // MARK: Cards

    /// Writes what the user has done with cards, each of which is there once; devices are told of nothing but the
    /// marks.
    ///
    /// All of a batch by one statement of a kind: a device that was offline tells of many cards at once.
    private func update(_ cards: [RecordedCard], of user: UserID, version: UserVersion) {
        mark(cards.filter(\.isMarked), of: user, version)
        touch(cards.filter { !$0.isMarked }, of: user)
    }

    private func mark(_ cards: [RecordedCard], of user: UserID, _ version: UserVersion) {
        let marks = cards.map(\.marks)
        if cards.count > 1 {
            let flags: [any PostgresEncodable] = [
                marks.map(\.isViewed), marks.map(\.isClicked), marks.map(\.isDismissed), version,
            ]
            connection.later(SQL.markCards, Self.times(of: cards, user) + flags)
        } else if let card = cards.first {
            let flags: [any PostgresEncodable] = [
                card.marks.isViewed, card.marks.isClicked, card.marks.isDismissed, version,
            ]
            connection.later(SQL.markCard, Self.times(of: card, user) + flags)
        }
    }

    private func touch(_ cards: [RecordedCard], of user: UserID) {
        if cards.count > 1 {
            connection.later(SQL.touchCards, Self.times(of: cards, user))
        } else if let card = cards.first {
            connection.later(SQL.touchCard, Self.times(of: card, user))
        }
    }

    /// The parameters that the statements about a card begin with.
    private static func times(of card: RecordedCard, _ user: UserID) -> [any PostgresEncodable] {
        [
            user.rawValue, card.id.rawValue, card.marks.viewedAt, card.marks.clickedAt, card.marks.dismissedAt,
            card.firstViewedAt,
        ]
    }

    /// The parameters that the statements about several cards begin with.
    private static func times(of cards: [RecordedCard], _ user: UserID) -> [any PostgresEncodable] {
        let marks = cards.map(\.marks)
        return [
            user.rawValue, cards.map(\.id.rawValue), marks.map(\.viewedAt), marks.map(\.clickedAt),
            marks.map(\.dismissedAt), cards.map(\.firstViewedAt),
        ]
    }

    private func mark(_ test: TestCard, of user: UserID) throws {
        connection.later(
            SQL.markTestCard,
            [
                user.rawValue, test.card.rawValue, test.marks.isViewed, test.marks.isClicked, test.marks.isDismissed,
                test.changedAt,
            ]
        )
    }

    // MARK: History

    func save(_ history: EventWrites.History, of user: UserID) throws {
        let (key, occurrences) = (history.key, history.summary.occurrences)
        connection.later(
            SQL.saveHistory,
            [
                user.rawValue, Int64(key.part.rawValue), key.name, key.currency, occurrences.count, occurrences.first,
                occurrences.last, history.summary.revenue.description, history.summary.recent,
            ]
        )
    }

    // MARK: Conversions

    func save(_ conversion: EventWrites.ConversionWrite, of user: UserID) throws {
        let key = conversion.place.values(of: user) + [conversion.card.rawValue]
        if let counted = conversion.counted {
            // safe: a day's number has 32 bits
            let day = counted.localDay.map { Int64($0.number) }
            connection.later(SQL.setConversion, key + [counted.at, day])
        } else {
            connection.later(SQL.deleteConversion, key)
        }
    }

    func save(_ spent: EventWrites.Spent, of user: UserID) throws {
        let key = spent.place.values(of: user) + [spent.currency.text]
        if let spending = spent.spending {
            connection.later(
                SQL.setSpending,
                key + [spending.amount.description, spending.purchases, spending.firstAt, spending.counted.stored]
            )
        } else {
            connection.later(SQL.deleteSpending, key)
        }
    }
}
