import CardModel
import CardStore
import WireJSON

/// What a user has paid within the windows of a conversion, in one currency.
private struct Spending {
    var amount = Amount.zero
    var purchases: Int64 = 0
    /// When the first purchase was made.
    var firstAt = UnixTime.infinity
}

extension WriteSession {
    /// Counts a purchase within a card's window.
    func count(
        _ purchase: DeviceEvent.Purchase,
        at time: UnixTime,
        of card: ConvertibleCard,
        at place: ConversionPlace
    ) throws {
        let before = try spending(in: purchase.currency, at: place)
        var after = before ?? Spending()
        // safe: counts go up by one
        after.purchases += 1
        after.amount += purchase.amount
        after.firstAt = min(after.firstAt, time)
        try add(1, purchase, at: time, of: card, at: place, spent: before?.amount ?? 0)
        try moveBuyer(from: before?.firstAt, to: after.firstAt, purchase.currency, of: card, at: place)
        try write(after, in: purchase.currency, at: place)
    }

    /// Takes back a purchase that is within no window any more.
    ///
    /// - Parameters:
    ///   - purchase: The purchase.
    ///   - time: When it was made.
    ///   - card: The card whose window it was in.
    ///   - firstOfRest: When the first purchase was made that still counts for the card.
    ///   - place: The conversion.
    /// - Throws: What the database throws.
    func forget(
        _ purchase: DeviceEvent.Purchase,
        at time: UnixTime,
        of card: ConvertibleCard,
        firstOfRest: UnixTime?,
        at place: ConversionPlace
    ) throws {
        guard let before = try spending(in: purchase.currency, at: place) else { return }
        try add(-1, purchase, at: time, of: card, at: place, spent: before.amount)
        guard before.purchases > 1 else {
            try moveBuyer(from: before.firstAt, to: nil, purchase.currency, of: card, at: place)
            return try deleteSpending(in: purchase.currency, at: place)
        }
        var after = before
        // safe: two or more
        after.purchases -= 1
        after.amount -= purchase.amount
        if before.firstAt == time, let firstOfRest { after.firstAt = firstOfRest }
        try moveBuyer(from: before.firstAt, to: after.firstAt, purchase.currency, of: card, at: place)
        try write(after, in: purchase.currency, at: place)
    }

    /// Adds a purchase to the day's amounts, or takes it away.
    private func add(
        _ sign: Int64,
        _ purchase: DeviceEvent.Purchase,
        at time: UnixTime,
        of card: ConvertibleCard,
        at place: ConversionPlace,
        spent: Amount
    ) throws {
        let amount = purchase.amount * sign
        let key = try amountKey(purchase.currency, of: card, at: place, time)
        recorder.counts.amounts[key, default: AmountCounts()] += AmountCounts(
            purchases: sign,
            buyers: 0,
            amount: amount,
            // What (spent + amount)² is more than spent², without the digits that subtracting would lose.
            squares: amount.double * (spent * 2 + amount).double
        )
    }

    /// Counts a buyer on the day of the first purchase.
    private func moveBuyer(
        from former: UnixTime?,
        to time: UnixTime?,
        _ currency: String,
        of card: ConvertibleCard,
        at place: ConversionPlace
    ) throws {
        guard former != time else { return }
        for (time, change) in [(former, -1), (time, 1)] as [(UnixTime?, Int64)] {
            guard let time else { continue }
            let key = try amountKey(currency, of: card, at: place, time)
            recorder.counts.amounts[key, default: AmountCounts()] += AmountCounts(
                purchases: 0,
                buyers: change,
                amount: 0,
                squares: 0
            )
        }
    }

    private func amountKey(
        _ currency: String,
        of card: ConvertibleCard,
        at place: ConversionPlace,
        _ time: UnixTime
    ) throws -> RecordedCounts.AmountKey {
        RecordedCounts.AmountKey(conversion: try key(place, card.variant, at: time), currency: currency)
    }

    // MARK: Rows

    private func spending(in currency: String, at place: ConversionPlace) throws -> Spending? {
        try statements.spending.use { statement in
            statement.bind(place)
            statement.bind(4, currency)
            guard try statement.step() else { return nil }
            return Spending(
                amount: try statement.amount(0),
                purchases: statement.integer(1),
                firstAt: statement.double(2)
            )
        }
    }

    private func write(_ spending: Spending, in currency: String, at place: ConversionPlace) throws {
        try statements.setSpending.use { statement in
            statement.bind(place)
            statement.bind(4, currency)
            statement.bind(5, spending.amount)
            statement.bind(6, spending.purchases)
            statement.bind(7, spending.firstAt)
            try statement.run()
        }
    }

    private func deleteSpending(in currency: String, at place: ConversionPlace) throws {
        try statements.deleteSpending.use { statement in
            statement.bind(place)
            statement.bind(4, currency)
            try statement.run()
        }
    }
}
