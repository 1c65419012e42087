import CardModel
import CardStore
import Foundation
import GRDB

/// A code that a device shows.
enum TestCodeRow {
    /// Removes the codes that have expired.
    static func prune(at now: UnixTime, in database: Database) throws {
        try database.execute(sql: "DELETE FROM test_codes WHERE expires_at <= ?", arguments: [now])
    }

    /// Finds the user of a code.
    static func user(_ hash: [UInt8], in database: Database) throws -> UserID? {
        try String.fetchOne(database, sql: "SELECT user_id FROM test_codes WHERE hash = ?", arguments: [Data(hash)])
            .map(UserID.init(rawValue:))
    }

    /// Adds a code in place of an earlier one of the same device, once those that have expired are gone.
    static func insert(
        _ hash: [UInt8],
        of holder: TestCodeHolder,
        client: [UInt8]?,
        at now: UnixTime,
        into database: Database
    ) throws -> TestCodeOutcome {
        let isTaken = try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT 1 FROM test_codes WHERE hash = ? AND device_id <> ?)",
            arguments: [Data(hash), holder.device]
        )
        guard isTaken != true else { return .taken }
        if let end = try roomEnd(for: holder.device, client: client.map { Data($0) }, in: database) {
            return .tooMany(end - now)
        }
        try database.execute(sql: "DELETE FROM test_codes WHERE device_id = ?", arguments: [holder.device])
        try database.execute(
            sql: """
                DELETE FROM test_codes WHERE hash IN (
                    SELECT hash FROM test_codes WHERE user_id = ? ORDER BY expires_at DESC LIMIT -1 OFFSET ?
                )
                """,
            arguments: [holder.user.rawValue, TestCode.userLimit - 1]
        )
        try database.execute(
            sql: "INSERT INTO test_codes (hash, user_id, device_id, client, expires_at) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                Data(hash), holder.user.rawValue, holder.device, client.map { Data($0) }, now + TestCode.lifetime,
            ]
        )
        return .saved
    }

    /// Returns the time at which there is room for another device's code, or `nil` where there is.
    private static func roomEnd(for device: String, client: Data?, in database: Database) throws -> UnixTime? {
        try UnixTime.fetchOne(
            database,
            sql: """
                SELECT max(until) FROM (
                    SELECT CASE WHEN count(*) >= :all THEN min(expires_at) END AS until
                    FROM test_codes WHERE device_id <> :device
                    UNION ALL
                    SELECT CASE WHEN count(*) >= :each THEN min(expires_at) END
                    FROM test_codes WHERE client = :client AND device_id <> :device
                )
                """,
            arguments: [
                "device": device, "client": client, "all": TestCode.limit, "each": TestCode.clientLimit,
            ]
        )
    }
}
