import CardModel
import CardStore
import Foundation
import GRDB
import WireJSON

/// Amounts of money as decimal texts, where they were binary fractions.
///
/// What was kept becomes the shortest decimal that says the same binary fraction, rounded to nine decimals: 0.1 is 0.1, and
/// 0.9999999999999999 is 1.
enum Migration0046: StoreMigration {
    static let identifier = "0046-amounts"
    static let rewritesUsers = true

    static func apply(to database: Database) throws {
        let functions = [
            DatabaseFunction("placard_amount", argumentCount: 1, pure: true) { values in
                // safe: SQLite checks the number of arguments
                (Double.fromDatabaseValue(values[0]).flatMap { Amount(rounding: $0) } ?? .zero).description
            },
            DatabaseFunction("placard_recent", argumentCount: 2, pure: true) { values in
                // safe: SQLite checks the number of arguments
                guard let part = Int64.fromDatabaseValue(values[0]), let recent = Data.fromDatabaseValue(values[1])
                else {
                    return nil
                }
                return try Data(BinaryAmounts.decimal(recent, isPurchase: part == UserHistory.Parts.purchases.rawValue))
            },
        ]
        for function in functions { database.add(function: function) }
        defer { for function in functions { database.remove(function: function) } }
        // SQLite can't change a column's type, and one of numbers makes a number of a text.
        try database.execute(sql: histories + spending + counts)
    }

    private static let histories = """
        CREATE TABLE new_histories (
            user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            part INTEGER NOT NULL,
            name TEXT NOT NULL,
            currency TEXT NOT NULL,
            count INTEGER NOT NULL,
            first_at REAL NOT NULL,
            last_at REAL NOT NULL,
            revenue TEXT NOT NULL,
            recent BLOB NOT NULL,
            PRIMARY KEY (user_id, part, name, currency)
        ) WITHOUT ROWID;
        INSERT INTO new_histories
            SELECT user_id, part, name, currency, count, first_at, last_at, placard_amount(revenue),
                placard_recent(part, recent)
            FROM histories;
        DROP TABLE histories;
        ALTER TABLE new_histories RENAME TO histories;

        """

    private static let spending = """
        CREATE TABLE new_spending (
            user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            campaign_id TEXT NOT NULL,
            conversion TEXT NOT NULL,
            currency TEXT NOT NULL,
            amount TEXT NOT NULL,
            purchases INTEGER NOT NULL,
            first_at REAL NOT NULL,
            PRIMARY KEY (user_id, campaign_id, conversion, currency)
        ) WITHOUT ROWID;
        INSERT INTO new_spending
            SELECT user_id, campaign_id, conversion, currency, placard_amount(amount), purchases, first_at FROM spending;
        DROP TABLE spending;
        ALTER TABLE new_spending RENAME TO spending;

        """

    private static let counts = """
        CREATE TABLE new_amount_counts (
            campaign_id TEXT NOT NULL,
            utc_day INTEGER NOT NULL,
            local_day INTEGER NOT NULL,
            variant_id TEXT NOT NULL,
            conversion TEXT NOT NULL,
            currency TEXT NOT NULL,
            purchases INTEGER NOT NULL,
            buyers INTEGER NOT NULL,
            amount TEXT NOT NULL,
            squares REAL NOT NULL,
            PRIMARY KEY (campaign_id, utc_day, local_day, variant_id, conversion, currency)
        ) WITHOUT ROWID;
        INSERT INTO new_amount_counts
            SELECT campaign_id, utc_day, local_day, variant_id, conversion, currency, purchases, buyers,
                placard_amount(amount), squares
            FROM amount_counts;
        DROP TABLE amount_counts;
        ALTER TABLE new_amount_counts RENAME TO amount_counts;
        """
}
