package import CardModel
import WireJSON

extension ConversionPlace {
    /// Restores a place from its columns.
    package init(_ row: some StoredRow) throws {
        self.init(
            campaign: CampaignID(rawValue: try row.text("campaign_id")),
            conversion: try row.text("conversion")
        )
    }
}

extension CountedConversion {
    /// Restores when a card converted from its row.
    package init(_ row: some StoredRow) throws {
        let day = try row.optionalInteger("local_day").flatMap(Int32.init(exactly:))
        self.init(at: try row.double("at"), localDay: day.map(Day.init(number:)))
    }
}

extension Spending {
    /// Restores what a user spent from its row.
    package init(_ row: some StoredRow) throws {
        guard let amount = Amount(exactly: try row.text("amount")) else { throw StoreError.unreadable("an amount") }
        self.init(
            amount: amount,
            purchases: try row.integer("purchases"),
            firstAt: try row.double("first_at"),
            counted: try CountedPurchases(stored: try row.optionalText("counted"))
        )
    }
}

extension CountedPurchases {
    /// The purchases as the column keeps them, or `nil` where none is listed and none ever will be.
    package var stored: String? {
        guard finalUntil < .infinity else { return nil }
        var members: [(String, JSONValue)] = [("p", .array(purchases.map(\.stored)))]
        if !others.isEmpty { members.append(("o", .array(others.map(\.stored)))) }
        if !isComplete { members.append(("u", .number(finalUntil))) }
        return JSONValue.object(JSONObject(members, uniquingKeysWith: { $1 })).text
    }

    /// Restores what ``stored`` was.
    ///
    /// - Throws: `StoreError.corrupt` where it can't be read.
    package init(stored: String?) throws {
        guard let stored else {
            self = .unlisted
            return
        }
        // What is there and isn't what was written must not count as nothing: a purchase would be counted twice.
        guard let json = try? JSONValue(parsing: stored), let listed = json["p"]?.array,
            let others = (json["o"] ?? .array([])).array, let end = (json["u"] ?? .number(-.infinity)).double
        else { throw Self.unreadable }
        self.init(
            try listed.map(CountedPurchase.init(stored:)),
            others: try others.map(Other.init(stored:)),
            finalUntil: end
        )
    }

    fileprivate static var unreadable: StoreError { .unreadable("the purchases that were counted") }
}

extension CountedPurchases.CountedPurchase {
    fileprivate var stored: JSONValue {
        [
            .string(id.description), .number(at), .integer(Int64(day.local.number)), .string(amount.description),
            .string(card.rawValue), .string(variant.rawValue),
        ]
    }

    fileprivate init(stored json: JSONValue) throws {
        guard let values = json.array, values.count == 6, let id = values[0].string.flatMap({ EventID(utf8: $0.utf8) }),
            let at = values[1].double, let local = values[2].integer.flatMap(Int32.init(exactly:)),
            let amount = values[3].string.flatMap(Amount.init(exactly:)), let card = values[4].string,
            let variant = values[5].string
        else { throw CountedPurchases.unreadable }
        self.init(
            id: id,
            at: at,
            day: CountingDay(utc: Day(of: at), local: Day(number: local)),
            amount: amount,
            card: CardID(rawValue: card),
            variant: VariantID(rawValue: variant)
        )
    }
}

extension CountedPurchases.Other {
    fileprivate var stored: JSONValue { [.string(id.description), .number(at)] }

    fileprivate init(stored json: JSONValue) throws {
        guard let values = json.array, values.count == 2, let id = values[0].string.flatMap({ EventID(utf8: $0.utf8) }),
            let at = values[1].double
        else { throw CountedPurchases.unreadable }
        self.init(id: id, at: at)
    }
}
