import WireJSON

extension Recorder {
    /// Counts a purchase within a card's window.
    mutating func count(
        _ purchase: DeviceEvent.Purchase,
        at time: UnixTime,
        of card: ConvertibleCard,
        at place: ConversionPlace,
        in recording: inout EventRecording
    ) {
        let before = recording.spending(in: purchase.currency, at: place)
        var after = before ?? Spending(amount: .zero, purchases: 0, firstAt: .infinity)
        // safe: counts go up by one
        after.purchases += 1
        after.amount += purchase.amount
        after.firstAt = min(after.firstAt, time)
        add(1, purchase, at: time, of: card, at: place, spent: before?.amount ?? 0)
        moveBuyer(from: before?.firstAt, to: after.firstAt, purchase.currency, of: card, at: place)
        recording.setSpending(after, in: purchase.currency, at: place)
    }

    /// Takes back a purchase that is within no window any more.
    ///
    /// - Parameters:
    ///   - purchase: The purchase.
    ///   - time: When it was made.
    ///   - card: The card whose window it was in.
    ///   - firstOfRest: When the first purchase was made that still counts for the card.
    ///   - place: The conversion.
    ///   - recording: The batch.
    mutating func forget(
        _ purchase: DeviceEvent.Purchase,
        at time: UnixTime,
        of card: ConvertibleCard,
        firstOfRest: UnixTime?,
        at place: ConversionPlace,
        in recording: inout EventRecording
    ) {
        guard let before = recording.spending(in: purchase.currency, at: place) else { return }
        add(-1, purchase, at: time, of: card, at: place, spent: before.amount)
        guard before.purchases > 1 else {
            moveBuyer(from: before.firstAt, to: nil, purchase.currency, of: card, at: place)
            return recording.setSpending(nil, in: purchase.currency, at: place)
        }
        var after = before
        // safe: two or more
        after.purchases -= 1
        after.amount -= purchase.amount
        if before.firstAt == time, let firstOfRest { after.firstAt = firstOfRest }
        moveBuyer(from: before.firstAt, to: after.firstAt, purchase.currency, of: card, at: place)
        recording.setSpending(after, in: purchase.currency, at: place)
    }

    /// Adds a purchase to the day's amounts, or takes it away.
    private mutating func add(
        _ sign: Int64,
        _ purchase: DeviceEvent.Purchase,
        at time: UnixTime,
        of card: ConvertibleCard,
        at place: ConversionPlace,
        spent: Amount
    ) {
        let amount = purchase.amount * sign
        counts.amounts[amountKey(purchase.currency, of: card, at: place, time), default: AmountCounts()] +=
            AmountCounts(
                purchases: sign,
                buyers: 0,
                amount: amount,
                // What (spent + amount)² is more than spent², without the digits that subtracting would lose.
                squares: amount.double * (spent * 2 + amount).double
            )
    }

    /// Counts a buyer on the day of the first purchase.
    private mutating func moveBuyer(
        from former: UnixTime?,
        to time: UnixTime?,
        _ currency: String,
        of card: ConvertibleCard,
        at place: ConversionPlace
    ) {
        guard former != time else { return }
        for (time, change) in [(former, -1), (time, 1)] as [(UnixTime?, Int64)] {
            guard let time else { continue }
            counts.amounts[amountKey(currency, of: card, at: place, time), default: AmountCounts()] += AmountCounts(
                purchases: 0,
                buyers: change,
                amount: 0,
                squares: 0
            )
        }
    }

    private mutating func amountKey(
        _ currency: String,
        of card: ConvertibleCard,
        at place: ConversionPlace,
        _ time: UnixTime
    ) -> RecordedCounts.AmountKey {
        RecordedCounts.AmountKey(conversion: key(place, card.variant, at: time), currency: currency)
    }
}

extension EventRecording {
    fileprivate func spending(in currency: String, at place: ConversionPlace) -> Spending? {
        state.spending[place]?[ByteString(currency)]
    }

    fileprivate mutating func setSpending(_ spending: Spending?, in currency: String, at place: ConversionPlace) {
        let currency = ByteString(currency)
        state.spending[place, default: [:]][currency] = spending
        changedSpending.insert(ChangedSpending(place: place, currency: currency))
    }
}
