import CardModel
import CardStore
import WireJSON

extension WriteSession {
    /// Writes what recording a batch of events changes.
    func apply(_ writes: EventWrites, of batch: EventBatch) throws {
        let user = batch.user
        for id in writes.withdrawn { try remove(id, of: user) }
        for card in writes.cards { try update(card, of: user, version: writes.version) }
        for test in writes.testCards.values { try TestCardRow.mark(test, of: user, in: database) }
        for problem in writes.problems { try count(problem) }
        for history in writes.histories { try save(history, of: user) }
        for conversion in writes.conversions { try save(conversion, of: user) }
        for spent in writes.spending { try save(spent, of: user) }
        for campaign in writes.endedCampaigns { try endCards(of: campaign, of: user, version: writes.version) }
        for trigger in writes.triggers { _ = try insert(trigger, for: user) }
        for trigger in writes.usedTriggers { try use(trigger, for: user) }
        for trigger in writes.covers { try cover(trigger, for: user) }
        switch writes.user {
        case .nothing: break
        case .version: try setVersion(writes.version, of: user, by: writes.knowingDevice)
        case .attributes(let profile):
            try setAttributes(of: profile, version: writes.version, at: batch.receivedAt)
            changes.touch(user, by: writes.knowingDevice)
        }
    }

    /// Removes an event from the log.
    func remove(_ event: EventID, of user: UserID) throws {
        try statements.removeEvent.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, event)
            try statement.run()
        }
    }

    // MARK: Cards

    /// Writes what the user has done with a card; devices are told of nothing but the marks.
    private func update(_ card: RecordedCard, of user: UserID, version: UserVersion) throws {
        try (card.isMarked ? statements.markCard : statements.touchCard).use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, card.id.rawValue)
            statement.bind(3, card.marks.viewedAt)
            statement.bind(4, card.marks.clickedAt)
            statement.bind(5, card.marks.dismissedAt)
            statement.bind(6, card.firstViewedAt)
            if card.isMarked {
                statement.bind(7, card.marks.isViewed)
                statement.bind(8, card.marks.isClicked)
                statement.bind(9, card.marks.isDismissed)
                statement.bind(10, version)
            }
            try statement.run()
        }
    }

    private func endCards(of campaign: CampaignID, of user: UserID, version: UserVersion) throws {
        try statements.removeCards.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, campaign.rawValue)
            statement.bind(3, Delivery.End.removalEvent.rawValue)
            statement.bind(4, version)
            try statement.run()
        }
    }

    private func count(_ problem: EventWrites.DecodingErrorReport) throws {
        func bind(_ statement: PreparedStatement) {
            statement.bind(1, problem.campaign.rawValue)
            statement.bind(2, problem.variant.rawValue)
            statement.bind(3, problem.error.classType ?? "")
            statement.bind(4, problem.error.field ?? "")
            statement.bind(5, problem.at)
            statement.bind(6, problem.error.message)
        }
        let isKnown = try statements.countProblem.use { statement in
            bind(statement)
            return try statement.run() > 0
        }
        if isKnown { return }
        try statements.insertProblem.use { statement in
            bind(statement)
            statement.bind(7, EventWrites.DecodingErrorReport.limit)
            try statement.run()
        }
    }

    // MARK: History

    func save(_ history: EventWrites.History, of user: UserID) throws {
        try (history.isStored ? statements.updateHistory : statements.insertHistory).use { statement in
            statement.bind(history.key, of: user)
            statement.bind(history.summary)
            try statement.run()
        }
    }

    // MARK: Conversions

    func save(_ conversion: EventWrites.ConversionWrite, of user: UserID) throws {
        let statement = conversion.counted == nil ? statements.deleteConversion : statements.setConversion
        try statement.use { statement in
            statement.bind(conversion.place, of: user)
            statement.bind(4, conversion.card.rawValue)
            if let counted = conversion.counted {
                statement.bind(5, counted.at)
                if let day = counted.localDay { statement.bind(6, Int64(day.number)) } else { statement.bindNull(6) }
            }
            try statement.run()
        }
    }

    func save(_ spent: EventWrites.Spent, of user: UserID) throws {
        try (spent.spending == nil ? statements.deleteSpending : statements.setSpending).use { statement in
            statement.bind(spent.place, of: user)
            statement.bind(4, spent.currency.text)
            if let spending = spent.spending {
                statement.bind(5, spending.amount)
                statement.bind(6, spending.purchases)
                statement.bind(7, spending.firstAt)
                statement.bind(8, spending.counted.stored)
            }
            try statement.run()
        }
    }
}

extension PreparedStatement {
    func bind(_ key: HistoryKey, of user: UserID) {
        bind(1, user.rawValue)
        bind(2, Int64(key.part.rawValue))
        bind(3, key.name)
        bind(4, key.currency)
    }

    fileprivate func bind(_ summary: HistorySummary) {
        let occurrences = summary.occurrences
        bind(5, occurrences.count)
        bind(6, occurrences.first)
        bind(7, occurrences.last)
        bind(8, summary.revenue)
        bind(9, blob: summary.recent)
    }
}
