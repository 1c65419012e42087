import CardModel
import WireJSON

extension WriteSession {
    /// Adds what the group has counted to what was counted before.
    func flushCounts() throws {
        for (key, counts) in recorder.counts.variants { try add(counts, to: key) }
        for (key, counts) in recorder.counts.conversions { try add(counts, to: key) }
        for (key, counts) in recorder.counts.amounts { try add(counts, to: key) }
        for (key, users) in recorder.counts.allocations {
            try statements.addAllocation.use { statement in
                statement.bind(1, key.campaign.rawValue)
                statement.bind(2, key.weights)
                statement.bind(3, key.variant.rawValue)
                statement.bind(4, users)
                try statement.run()
            }
        }
    }

    private func add(_ counts: CampaignCounts, to key: RecordedCounts.Key) throws {
        try statements.addCounts.use { statement in
            statement.bind(1, key.campaign.rawValue)
            statement.bind(2, Int64(key.day.utc.number))
            statement.bind(3, Int64(key.day.local.number))
            statement.bind(4, key.variant.rawValue)
            statement.bind(5, counts.delivered)
            statement.bind(6, counts.impressions)
            statement.bind(7, counts.uniqueImpressions)
            statement.bind(8, counts.clicks)
            statement.bind(9, counts.uniqueClicks)
            statement.bind(10, counts.dismissals)
            statement.bind(11, counts.decodeErrors)
            statement.bind(12, counts.recipients)
            try statement.run()
        }
    }

    private func add(_ counts: ConversionCounts, to key: RecordedCounts.ConversionKey) throws {
        try statements.addConversions.use { statement in
            statement.bind(key)
            statement.bind(6, counts.conversions)
            statement.bind(7, counts.uniqueConversions)
            try statement.run()
        }
    }

    private func add(_ counts: AmountCounts, to key: RecordedCounts.AmountKey) throws {
        let amount = try countedAmount(of: key) + counts.amount
        try statements.addAmounts.use { statement in
            statement.bind(key.conversion)
            statement.bind(6, key.currency)
            statement.bind(7, counts.purchases)
            statement.bind(8, counts.buyers)
            statement.bind(9, amount)
            statement.bind(10, counts.squares)
            try statement.run()
        }
    }

    /// Returns the amount that was counted before: the database adds in binary fractions and 64 bits, so amounts are
    /// added here.
    private func countedAmount(of key: RecordedCounts.AmountKey) throws -> Amount {
        try statements.countedAmount.use { statement in
            statement.bind(key.conversion)
            statement.bind(6, key.currency)
            return try statement.step() ? try statement.amount(0) : .zero
        }
    }
}

extension PreparedStatement {
    /// Binds the first five parameters.
    fileprivate func bind(_ key: RecordedCounts.ConversionKey) {
        bind(1, key.campaign.rawValue)
        bind(2, Int64(key.day.utc.number))
        bind(3, Int64(key.day.local.number))
        bind(4, key.variant.rawValue)
        bind(5, key.conversion)
    }
}
