import CardModel

/// The statements that count conversions, and how users were divided.
extension SQL {
    static let generation = "SELECT generation FROM store WHERE id = 1"

    /// The user's cards of a campaign: what happens to one can depend on the others.
    static let campaignCards = """
        SELECT card_id, variant_id, delivered_at, first_viewed_at, viewed, clicked, ended FROM deliveries
        WHERE user_id = ?1 AND campaign_id = ?2
        """

    static let conversions = """
        SELECT card_id, at, local_day FROM conversions WHERE user_id = ?1 AND campaign_id = ?2 AND conversion = ?3
        """

    static let setConversion = """
        INSERT INTO conversions (user_id, campaign_id, conversion, card_id, at, local_day)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (user_id, campaign_id, conversion, card_id) DO UPDATE SET
            at = excluded.at, local_day = excluded.local_day
        """

    static let deleteConversion = """
        DELETE FROM conversions WHERE user_id = ?1 AND campaign_id = ?2 AND conversion = ?3 AND card_id = ?4
        """

    static let spending = """
        SELECT currency, amount, purchases, first_at, counted FROM spending
        WHERE user_id = ?1 AND campaign_id = ?2 AND conversion = ?3
        """

    static let setSpending = """
        INSERT INTO spending (user_id, campaign_id, conversion, currency, amount, purchases, first_at, counted)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (user_id, campaign_id, conversion, currency) DO UPDATE SET
            amount = excluded.amount, purchases = excluded.purchases, first_at = excluded.first_at,
            counted = excluded.counted
        """

    static let deleteSpending = """
        DELETE FROM spending WHERE user_id = ?1 AND campaign_id = ?2 AND conversion = ?3 AND currency = ?4
        """

    /// The events of logs, of which other statements say whose.
    static let logEntries = "SELECT id, type, at, details FROM events"

    /// A user's newest events by their ids.
    static let loggedEvents = """
        \(logEntries) WHERE user_id = ?1
        ORDER BY id DESC LIMIT \(RecordingState.loggedLimit)
        """

    static let addConversions = """
        INSERT INTO conversion_counts
            (campaign_id, utc_day, local_day, variant_id, conversion, conversions, unique_conversions)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        ON CONFLICT (campaign_id, utc_day, local_day, variant_id, conversion) DO UPDATE SET
            conversions = conversions + excluded.conversions,
            unique_conversions = unique_conversions + excluded.unique_conversions
        """

    static let countedAmount = """
        SELECT amount FROM amount_counts
        WHERE campaign_id = ?1 AND utc_day = ?2 AND local_day = ?3 AND variant_id = ?4 AND conversion = ?5
            AND currency = ?6
        """

    /// Adds the numbers, and sets the amount.
    static let addAmounts = """
        INSERT INTO amount_counts
            (campaign_id, utc_day, local_day, variant_id, conversion, currency, purchases, buyers, amount, squares)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
        ON CONFLICT (campaign_id, utc_day, local_day, variant_id, conversion, currency) DO UPDATE SET
            purchases = purchases + excluded.purchases,
            buyers = buyers + excluded.buyers,
            amount = excluded.amount,
            squares = squares + excluded.squares
        """

    static let addAllocation = """
        INSERT INTO divisions (campaign_id, weights, variant_id, users) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (campaign_id, weights, variant_id) DO UPDATE SET users = users + excluded.users
        """
}
