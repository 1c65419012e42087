import CardModel
package import CardStore
import WireJSON

/// The number of times that a user did something, by what the log of a database has of it.
package struct UserActivity: Sendable, Equatable {
    private typealias Names = [ByteString: UserRecord.Activity]

    /// The counts of what happened, by the type of the event and the name.
    private var activities: [ByteString: Names] = [:]

    /// Takes what a record says.
    package init(of record: UserRecord) {
        func names(_ activities: [UserRecord.Activity]) -> Names {
            Dictionary(activities.map { (ByteString($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        }
        activities["custom"] = names(record.events)
        activities["purchase"] = names(record.purchases)
        activities["session_start"] = names(record.sessions.map { [$0] } ?? [])
    }

    /// Adds up what the log has of a user.
    ///
    /// Details may have what PostgreSQL's own JSON refuses, so they are read here; a page at a time, since they may be
    /// long.
    init(of user: UserID, on connection: PostgresConnection) throws {
        for log in try [user] + MergedLogRow.formerIDs(of: user, on: connection) {
            var last: [UInt8] = []
            while true {
                let rows = try connection.rows(SQL.activity, [log.rawValue, last])
                for row in rows { try add(row) }
                guard rows.count == SQL.activityPage, let row = rows.last else { break }
                last = try row.bytes("id")
            }
        }
    }

    /// Adds what the log of another database has of the user.
    package mutating func add(_ other: UserActivity) {
        for (type, names) in other.activities {
            activities[type, default: [:]].merge(names) { one, other in
                var sum = one
                sum.add(other.count, at: other.first)
                sum.last = max(one.last, other.last)
                return sum
            }
        }
    }

    /// Writes it in the user's record.
    package func save(in record: inout UserRecord) {
        record.events = sorted("custom")
        record.purchases = sorted("purchase")
        record.sessions = sorted("session_start").first
    }

    private func sorted(_ type: ByteString) -> [UserRecord.Activity] {
        (activities[type] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    }

    private mutating func add(_ row: PostgresRow) throws {
        let type = try row.text("type")
        let details = try row.optionalText("details").flatMap { try? JSONValue(parsing: $0) } ?? .null
        let name = details["name"]?.string ?? details["product_id"]?.string ?? type
        let (time, count) = (try row.double("at"), details["quantity"]?.integer ?? 1)
        activities[ByteString(type), default: [:]][
            ByteString(name),
            default: UserRecord.Activity(name: name, first: time, last: time, count: 0)
        ].add(count, at: time)
    }
}

extension SQL {
    /// The number of events of a page of ``activity``.
    fileprivate static let activityPage = 200

    /// The events of a user's history after one, in the order of their ids.
    static let activity = """
        \(logEntries)
        WHERE user_id = $1 AND id > $2 AND type IN ('custom', 'purchase', 'session_start')
        ORDER BY id LIMIT \(activityPage)
        """
}

extension UserRecord.Activity {
    fileprivate mutating func add(_ number: Int64, at time: UnixTime) {
        let (sum, isOverflow) = count.addingReportingOverflow(number)
        count = isOverflow ? .max : sum
        (first, last) = (min(first, time), max(last, time))
    }
}
