import CardModel
import CardStore
import Foundation
import GRDB

/// A test card as a row keeps it.
enum TestCardRow {
    /// Reads a user's test cards, those that have left among them, the oldest first.
    static func all(of user: UserID, in database: Database) throws -> [TestCard] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM test_cards WHERE user_id = ? ORDER BY sent_at, card_id",
            arguments: [user.rawValue]
        ).map(TestCard.init)
    }

    static func insert(_ test: TestCard, of user: UserID, version: UserVersion, into database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO test_cards
                    (user_id, card_id, campaign_id, variant_id, language, members, pinned, priority, sent_at,
                     expires_at, changed_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                user.rawValue, test.card.rawValue, test.campaign.rawValue, test.variant.rawValue, test.language,
                Data(test.members), test.isPinned, test.priority, test.sentAt, test.expiresAt, version,
            ]
        )
    }

    /// Lets a card leave for another one.
    static func replace(_ card: CardID, of user: UserID, version: UserVersion, in database: Database) throws {
        try database.execute(
            sql: "UPDATE test_cards SET replaced = 1, changed_at = ? WHERE user_id = ? AND card_id = ?",
            arguments: [version, user.rawValue, card.rawValue]
        )
    }

    /// Removes the cards that every device has dropped by itself, since it knows when they leave.
    static func prune(of user: UserID, before time: UnixTime, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM test_cards WHERE user_id = ? AND expires_at < ?",
            arguments: [user.rawValue, time]
        )
        try database.execute(
            sql: """
                DELETE FROM test_cards WHERE user_id = ?1 AND replaced = 1 AND card_id NOT IN (
                    SELECT card_id FROM test_cards WHERE user_id = ?1 AND replaced = 1
                    ORDER BY sent_at DESC LIMIT ?2
                )
                """,
            arguments: [user.rawValue, TestCard.replacedLimit]
        )
    }

    static func mark(_ test: TestCard, of user: UserID, in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE test_cards SET viewed = ?, clicked = ?, dismissed = ?, changed_at = ?
                WHERE user_id = ? AND card_id = ?
                """,
            arguments: [
                test.marks.isViewed, test.marks.isClicked, test.marks.isDismissed, test.changedAt, user.rawValue,
                test.card.rawValue,
            ]
        )
    }
}
