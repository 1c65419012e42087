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
        let counted = CountedPurchases.Purchase(
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

    /// Counts again what was bought, after a card's window has moved.
    ///
    /// - Parameters:
    ///   - recount: What is within the window by now.
    ///   - card: The card, as it was seen first.
    ///   - conversion: The conversion.
    ///   - place: Its place.
    ///   - recording: The batch.
    mutating func recountPurchases(
        _ recount: ConversionRecount,
        of card: ConvertibleCard,
        for conversion: Campaign.Conversion,
        at place: ConversionPlace,
        in recording: inout EventRecording
    ) {
        for (currency, spending) in recording.state.spending[place] ?? [:] {
            for purchase in spending.counted.purchases
            where purchase.card == card.card && !conversion.covers(purchase.at, of: card) {
                remove(purchase, in: currency.text, at: place, in: &recording)
            }
        }
        for event in recount.events {
            guard case .purchase(let purchase) = event.kind else { continue }
            let known = recording.spending(in: purchase.currency, at: place)
            if !known.counted.mayContain(event) { count(event, of: card, at: place, in: &recording) }
        }
    }

    private mutating func remove(
        _ purchase: CountedPurchases.Purchase,
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
        _ purchase: CountedPurchases.Purchase,
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
        from before: CountedPurchases.Purchase?,
        to after: CountedPurchases.Purchase?,
        in currency: String,
        at place: ConversionPlace
    ) {
        for (first, change) in [(before, -1), (after, 1)] as [(CountedPurchases.Purchase?, Int64)] {
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
        _ purchase: CountedPurchases.Purchase,
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
    /// The purchases that were counted for another card, which may be gone.
    func purchases(countedForOtherThan card: CardID, at place: ConversionPlace) -> Set<EventID> {
        var (others, own): (Set<EventID>, Set<EventID>) = ([], [])
        for spending in (state.spending[place] ?? [:]).values {
            others.formUnion(spending.counted.others.map(\.id))
            for purchase in spending.counted.purchases {
                if purchase.card == card { own.insert(purchase.id) } else { others.insert(purchase.id) }
            }
        }
        return others.subtracting(own)
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
