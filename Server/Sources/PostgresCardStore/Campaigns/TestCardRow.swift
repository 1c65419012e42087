import CardModel
import CardStore

/// A test card as a row holds it.
enum TestCardRow {
    /// Reads a user's test cards, those that have left among them, the oldest first.
    static func all(of user: UserID, in connection: PostgresConnection) throws -> [TestCard] {
        try connection.rows(SQL.testCards, [user.rawValue]).map(TestCard.init)
    }

    static func insert(
        _ test: TestCard,
        of user: UserID,
        version: UserVersion,
        into connection: PostgresConnection
    ) throws {
        try connection.execute(
            """
            INSERT INTO test_cards
                (user_id, card_id, campaign_id, variant_id, language, members, pinned, priority, sent_at,
                 expires_at, changed_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            [
                user.rawValue, test.card.rawValue, test.campaign.rawValue, test.variant.rawValue, test.language,
                test.members, test.isPinned, test.priority, test.sentAt, test.expiresAt, version,
            ]
        )
    }

    /// Lets a card leave for another one.
    static func replace(
        _ card: CardID,
        of user: UserID,
        version: UserVersion,
        in connection: PostgresConnection
    ) throws {
        try connection.execute(
            "UPDATE test_cards SET replaced = TRUE, changed_at = $1 WHERE user_id = $2 AND card_id = $3",
            [version, user.rawValue, card.rawValue]
        )
    }

    /// Removes the cards that every device has dropped by itself, since it knows when they leave.
    static func prune(of user: UserID, before time: UnixTime, in connection: PostgresConnection) throws {
        try connection.execute(
            "DELETE FROM test_cards WHERE user_id = $1 AND expires_at < $2",
            [user.rawValue, time]
        )
        try connection.execute(
            """
            DELETE FROM test_cards WHERE user_id = $1 AND replaced AND card_id NOT IN (
                SELECT card_id FROM test_cards WHERE user_id = $1 AND replaced
                ORDER BY sent_at DESC LIMIT $2
            )
            """,
            [user.rawValue, TestCard.replacedLimit]
        )
    }

    static func mark(_ test: TestCard, of user: UserID, in connection: PostgresConnection) throws {
        try connection.execute(
            """
            UPDATE test_cards SET viewed = $1, clicked = $2, dismissed = $3, changed_at = $4
            WHERE user_id = $5 AND card_id = $6
            """,
            [
                test.marks.isViewed, test.marks.isClicked, test.marks.isDismissed, test.changedAt, user.rawValue,
                test.card.rawValue,
            ]
        )
    }
}
