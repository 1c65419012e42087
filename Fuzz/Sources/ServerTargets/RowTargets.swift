import CardModel
import CardStore
import Foundation
import GRDB
import WireJSON

@testable import SQLiteCardStore

#if canImport(FuzzTargets)
import FuzzTargets
#endif

/// What rows of the database keep in a form of their own.
extension FuzzTarget {
    /// The latest times of a history, with amounts and without.
    static let recentTimes = FuzzTarget("recent-times", maximumLength: 256) { input in
        for hasAmounts in [false, true] {
            guard let found = input.withUnsafeBytes({ RecentTimes.decode($0, hasAmounts: hasAmounts) }) else {
                continue
            }
            let bytes = RecentTimes.encode(found.times, amounts: hasAmounts ? found.amounts : nil)
            let again = bytes.withUnsafeBytes { RecentTimes.decode($0, hasAmounts: hasAmounts) }
            // Numbers of milliseconds beyond 2^53 have no fraction to keep them apart.
            guard found.times.allSatisfy({ abs($0) < 1e12 }) else { continue }
            try requireSame(again?.times, found.times, "Times are read back")
            if hasAmounts { try requireSame(again?.amounts, found.amounts, "Amounts are read back") }
            var occurrences = Occurrences(count: 1, first: 0, last: 0, recent: found.times)
            occurrences.add(1_800_000_000, now: 1_800_000_000)
        }
    }

    /// A text of a row, whose first byte says of which.
    static let rows = FuzzTarget("rows", maximumLength: 2_048) { input in
        guard let kind = input.first else { return }
        let text = String(decoding: input.dropFirst(), as: UTF8.self)
        switch kind {
        case UInt8(ascii: "s"): try settings(text)
        case UInt8(ascii: "d"): try allocation(text)
        case UInt8(ascii: "c"): try campaign(text)
        case UInt8(ascii: "e"): try event(text)
        case UInt8(ascii: "k"): try key(text)
        case UInt8(ascii: "v"): try version(text)
        case UInt8(ascii: "p"): try purchases(text)
        default: try secret(Array(input.dropFirst()))
        }
    }

    private static func settings(_ text: String) throws {
        guard let settings = try? Settings(stored: text) else { return }
        try requireSame(try Settings(stored: settings.stored.text), settings, "Settings are read back")
    }

    private static func allocation(_ text: String) throws {
        guard let allocation = VariantAllocation(text) else { return }
        try requireSame(VariantAllocation(allocation.text), allocation, "A traffic split is read back")
    }

    private static func campaign(_ text: String) throws {
        let row: Row = [
            "id": "c", "content": text, "status": "active", "withdrawn": false, "version": 1, "generation": 1,
            "created_at": 1.0, "updated_at": 1.0, "launched_at": 1.0,
        ]
        guard let campaign = try? Campaign(row) else { return }
        try requireSame(JSONValue.object(campaign.content.json).text.isEmpty, false, "A campaign can be written")
    }

    private static func event(_ text: String) throws {
        let row: Row = [
            "position": 1, "user_id": "u", "id": Data(repeating: 1, count: 16), "type": "custom", "at": 1.0,
            "received_at": 1.0, "card_id": nil, "campaign_id": nil, "variant_id": nil, "details": text, "owner": nil,
        ]
        guard let event = try? StoredEvent(row) else { return }
        _ = try JSONValue(parsing: event.details.bytes)
    }

    private static func key(_ text: String) throws {
        let row: Row = [
            "id": "k", "name": "n", "kind": "secret", "permissions": text, "hash": Data(), "hint": "h",
            "created_at": 1.0, "revoked_at": nil, "expires_at": nil, "last_used_at": nil, "allowed_addresses": text,
            "previous_hash": nil, "previous_expires_at": nil,
        ]
        guard let key = try? APIKey(row) else { return }
        let isOpen = key.allowedAddresses.isEmpty
        try require(!isOpen || text.allSatisfy { $0 == "," }, "No damage opens a key to every address")
    }

    private static func version(_ text: String) throws {
        let row: Row = [
            "version": 1, "at": 1.0, "actor": text, "action": text, "status": "active", "changed": text,
            "restores": nil,
        ]
        _ = try? CampaignVersion(row)
    }

    private static func purchases(_ text: String) throws {
        guard let purchases = try? CountedPurchases(stored: text) else { return }
        try requireSame(try CountedPurchases(stored: purchases.stored), purchases, "Purchases are read back")
    }

    private static let secretsKey = SecretsKey.random()

    private static func secret(_ bytes: [UInt8]) throws {
        guard let secret = try? SealedSecret(stored: bytes) else { return }
        let place = SecretPlace(table: "members", column: "sealed_code_secret", row: "kate@example.com")
        try require((try? secret.open(for: place, with: secretsKey)) == nil, "Nobody has sealed the secret")
        _ = secret.keyID
    }
}
