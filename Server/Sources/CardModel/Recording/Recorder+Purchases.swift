import WireJSON

extension Recorder {
    /// Counts a purchase within a card's window, unless it was counted before; other events are passed over.
    mutating func count(
        _ event: DeviceEvent,
        of card: ConvertibleCard,
        at place: ConversionPlace,
        in recording: inout EventRecording
    ) {
        guard case .purchase(let purchase) = event.kind else { return }
        let before = recording.spending(in: purchase.currency, at: place)
        guard !before.counted.contains(event.id) else { return }
        let counted = CountedPurchases.CountedPurchase(
            id: event.id,
            at: event.at,
            day: calendar.day(of: event.at),
            amount: purchase.amount,
            card: card.card,
            variant: card.variant
        )
        var after = before
        after.add(counted)
        add(1, counted, in: purchase.currency, at: place, spent: before.amount)
        moveBuyer(
            from: before.first,
            to: before.purchases == 0 ? counted : after.first,
            in: purchase.currency,
            at: place
        )
        after.trim()
        recording.setSpending(after, in: purchase.currency, at: place)
    }

    /// Takes off the purchases that are outside of their cards' windows, after these have moved.
    mutating func removePurchases(
        outOf cards: [ConvertibleCard],
        for conversion: Campaign.Conversion,
        at place: ConversionPlace,
        in recording: inout EventRecording
    ) {
        guard let spent = recording.state.spending[place] else { return }
        let moved = Dictionary(cards.map { ($0.card, $0) }) { first, _ in first }
        for (currency, spending) in spent {
            for purchase in spending.counted.purchases {
                guard let card = moved[purchase.card], !conversion.covers(purchase.at, of: card) else { continue }
                remove(purchase, in: currency.text, at: place, in: &recording)
            }
        }
    }

    /// Counts the purchases that are in a card's window by now and might not have been counted before.
    mutating func countPurchases(
        _ recount: ConversionRecount,
        of card: ConvertibleCard,
        at place: ConversionPlace,
        in recording: inout EventRecording
    ) {
        for event in recount.events {
            guard case .purchase(let purchase) = event.kind else { continue }
            let known = recording.spending(in: purchase.currency, at: place)
            if !known.counted.mayContain(event) { count(event, of: card, at: place, in: &recording) }
        }
    }

    private mutating func remove(
        _ purchase: CountedPurchases.CountedPurchase,
        in currency: String,
        at place: ConversionPlace,
        in recording: inout EventRecording
    ) {
        let before = recording.spending(in: currency, at: place)
        var after = before
        after.remove(purchase)
        add(-1, purchase, in: currency, at: place, spent: before.amount)
        moveBuyer(from: before.first, to: after.first, in: currency, at: place)
        recording.setSpending(after, in: currency, at: place)
    }

    /// Adds a purchase to the day's amounts, or takes it away.
    private mutating func add(
        _ sign: Int64,
        _ purchase: CountedPurchases.CountedPurchase,
        in currency: String,
        at place: ConversionPlace,
        spent: Amount
    ) {
        let amount = purchase.amount * sign
        counts.amounts[key(purchase, in: currency, at: place), default: AmountCounts()] += AmountCounts(
            purchases: sign,
            buyers: 0,
            amount: amount,
            // What (spent + amount)² is more than spent², without the digits that subtracting would lose.
            squares: amount.double * (spent * 2 + amount).double
        )
    }

    /// Counts a buyer on the day and for the variant of the first purchase.
    ///
    /// Where not all purchases are listed, none is known to be the first, and the buyer stays.
    private mutating func moveBuyer(
        from before: CountedPurchases.CountedPurchase?,
        to after: CountedPurchases.CountedPurchase?,
        in currency: String,
        at place: ConversionPlace
    ) {
        for (first, change) in [(before, -1), (after, 1)] as [(CountedPurchases.CountedPurchase?, Int64)] {
            guard let first else { continue }
            counts.amounts[key(first, in: currency, at: place), default: AmountCounts()] += AmountCounts(
                purchases: 0,
                buyers: change,
                amount: 0,
                squares: 0
            )
        }
    }

    private func key(
        _ purchase: CountedPurchases.CountedPurchase,
        in currency: String,
        at place: ConversionPlace
    ) -> RecordedCounts.AmountKey {
        RecordedCounts.AmountKey(
            conversion: RecordedCounts.ConversionKey(
                campaign: place.campaign,
                variant: purchase.variant,
                day: purchase.day,
                conversion: place.conversion
            ),
            currency: currency
        )
    }
}

extension EventRecording {
    /// Whether an event is a purchase that was counted for another card, which may be gone.
    func isPurchase(_ event: DeviceEvent, countedForOtherThan card: CardID, at place: ConversionPlace) -> Bool {
        guard case .purchase(let purchase) = event.kind else { return false }
        let counted = spending(in: purchase.currency, at: place).counted
        let cards = counted.purchases.lazy.filter { $0.id == event.id }.map(\.card)
        guard !cards.contains(card) else { return false }
        return !cards.isEmpty || counted.others.contains { $0.id == event.id }
    }

    fileprivate func spending(in currency: String, at place: ConversionPlace) -> Spending {
        state.spending[place]?[ByteString(currency)] ?? .none
    }

    fileprivate mutating func setSpending(_ spending: Spending, in currency: String, at place: ConversionPlace) {
        let currency = ByteString(currency)
        state.spending[place, default: [:]][currency] = spending.isEmpty ? nil : spending
        changedSpending.insert(SpendingPlace(place: place, currency: currency))
    }
}
