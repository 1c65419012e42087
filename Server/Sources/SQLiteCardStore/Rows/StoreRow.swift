import CardModel
import CardStore
import Foundation
import GRDB

/// The store's own row.
enum StoreRow {
    static func epoch(_ database: Database) throws -> UInt64 {
        guard let epoch = try Int64.fetchOne(database, sql: "SELECT epoch FROM store WHERE id = 1") else {
            throw StoreError.unreadable("no row of its own")
        }
        return UInt64(bitPattern: epoch)
    }

    static func pseudonyms(_ database: Database) throws -> UserPseudonyms {
        guard
            let key = try Data.fetchOne(
                database.cachedStatement(sql: "SELECT user_hash_key FROM store WHERE id = 1")
            )
        else {
            throw StoreError.unreadable("no key for the hashes of users")
        }
        return UserPseudonyms(key: Array(key))
    }

    static func generation(_ database: Database) throws -> CatalogGeneration {
        try Int64.fetchOne(database, sql: "SELECT generation FROM store WHERE id = 1") ?? 0
    }

    static func advanceGeneration(_ database: Database) throws -> CatalogGeneration {
        try database.execute(sql: "UPDATE store SET generation = generation + 1 WHERE id = 1")
        return try generation(database)
    }

    static func userCount(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT user_count FROM store WHERE id = 1") ?? 0
    }

    static func settingsText(_ database: Database) throws -> String {
        try String.fetchOne(database, sql: "SELECT settings FROM store WHERE id = 1") ?? "{}"
    }

    static func settings(_ database: Database) throws -> Settings {
        try Settings(stored: settingsText(database))
    }
}
