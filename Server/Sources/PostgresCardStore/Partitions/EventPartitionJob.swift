import CardModel
import CardStore

/// Creates the partitions of the days to come, and drops those of which nothing is kept.
///
/// Every node does it from time to time, and whichever takes the lock does the work; done twice, it changes nothing.
/// Each partition is a transaction of its own, since nodes can't write while one is attached or dropped.
struct EventPartitionJob {
    let connection: PostgresConnection
    let settings: ConnectionSettings
    /// More events than that aren't moved into a new partition: nobody can write in the meantime.
    var movable = 50_000

    /// The node that creates and drops partitions has this lock: `PLCE`.
    private static let lock: Int64 = 0x504C_4345
    /// Nodes wait behind whoever waits for a table, so that isn't long; the next attempt may have more luck.
    private static let patience = "SET LOCAL lock_timeout = 500; SET LOCAL statement_timeout = 0"

    /// The partitions that have bounds, which are read in hexadecimal whatever the database is set to.
    static func known(on connection: PostgresConnection) throws -> [EventPartition] {
        let rows = try connection.rows(
            """
            WITH hex AS MATERIALIZED (SELECT set_config('bytea_output', 'hex', true))
            SELECT pg_get_expr(c.relpartbound, c.oid) AS bounds FROM hex, pg_inherits AS i JOIN pg_class AS c ON
                c.oid = i.inhrelid
            WHERE i.inhparent = to_regclass('events')
            """
        )
        // Of one that another node drops at this moment, there are none any more.
        return try rows.compactMap { try $0.optionalText("bounds").flatMap(EventPartition.init(bounds:)) }
            .sorted { $0.start < $1.start }
    }

    /// The present moment: this node's or the server's, whichever is earlier.
    ///
    /// So nothing is dropped because one clock is fast.
    func moment(_ now: UnixTime) throws -> UnixTime {
        min(now, try connection.serverTime() ?? now)
    }

    // MARK: Creating

    /// Creates the partitions that are missing.
    ///
    /// - Returns: Their names; none where another node is at it.
    func create(at now: UnixTime, keeping days: Int?) throws -> [String] {
        try create(on: EventPartition.day(of: try moment(now)), keeping: days)
    }

    /// Creates the partitions that are missing on a day.
    func create(on today: Int64, keeping days: Int?) throws -> [String] {
        var created: [String] = []
        while true {
            let name = try locked { () -> String? in
                let known = try Self.known(on: connection)
                let width = EventPartition.width(keeping: days)
                for partition in EventPartition.missing(beside: known, on: today, width: width) {
                    if let name = try create(partition) { return name }
                }
                return nil
            }
            guard let name = name ?? nil else { return created }
            created.append(name)
        }
    }

    /// Creates a partition, with the events that waited for it elsewhere, and returns its name.
    ///
    /// Where those are too many, a part of it is created for which they aren't: devices choose the ids of events, so
    /// each day may have as many as they like. `nil` where there is no such part.
    private func create(_ partition: EventPartition) throws -> String? {
        let range = "id >= '\(partition.lowerBound)' AND id < '\(partition.upperBound)'"
        let found = try connection.row(
            """
            SELECT count(*) AS events FROM (SELECT 1 FROM events_other WHERE \(range) LIMIT $1) AS e
            """,
            [movable + 1]
        )
        guard try found?.integer("events") ?? 0 <= Int64(movable) else {
            for half in partition.halves {
                if let name = try create(half) { return name }
            }
            return nil
        }
        // A connection that reads the list of partitions while it changes can keep the old one, and puts events of the
        // new partition into events_other from then on. So nobody has the log open in the meantime.
        try connection.simple(
            """
            CREATE TABLE \(partition.name) (LIKE events);
            LOCK TABLE ONLY events, events_other IN ACCESS EXCLUSIVE MODE;
            WITH moved AS (DELETE FROM events_other WHERE \(range) RETURNING *)
            INSERT INTO \(partition.name) SELECT * FROM moved;
            ALTER TABLE events ATTACH PARTITION \(partition.name)
                FOR VALUES FROM ('\(partition.lowerBound)') TO ('\(partition.upperBound)')
            """
        )
        return partition.name
    }

    // MARK: Dropping

    /// Drops the partitions all of whose events happened and arrived before a moment, and were sent to the webhook.
    ///
    /// - Parameters:
    ///   - time: The moment.
    ///   - sent: The last position that was sent to the webhook, or `nil` for what the database says.
    /// - Returns: The number of events that were in them.
    /// - Throws: What the server says.
    func drop(before time: UnixTime, sentThrough sent: Int64? = nil) throws -> Int {
        try drop(all: moment(time), sentThrough: sent)
    }

    /// Drops partitions as ``drop(before:sentThrough:)`` does, whatever the time is.
    func drop(all time: UnixTime, sentThrough sent: Int64? = nil) throws -> Int {
        var dropped = 0
        let candidates = try Self.known(on: connection).filter { $0.start > .min && $0.endTime <= time }
        for partition in candidates {
            // safe: counts of rows
            dropped += try locked { try drop(partition, before: time, sentThrough: sent) } ?? 0
        }
        return dropped
    }

    private func drop(_ partition: EventPartition, before time: UnixTime, sentThrough sent: Int64?) throws -> Int {
        // Another node may have dropped it since.
        guard try Self.known(on: connection).contains(partition) else { return 0 }
        // Where only the home can tell, it says so.
        guard let sent = try sent ?? EventIndex.sent(connection) else { return 0 }
        let row = try connection.row(
            """
            SELECT count(*) AS events, coalesce(max(position), 0) AS last,
                count(*) FILTER (WHERE at >= $1 OR received_at >= $1 OR position > $2) AS kept
            FROM \(partition.name)
            """,
            [time, sent]
        )
        guard let row, try row.integer("kept") == 0 else { return 0 }
        try connection.simple("LOCK TABLE ONLY events IN ACCESS EXCLUSIVE MODE")
        // What a device had kept for long may have arrived while the others were looked at.
        let news = try connection.row(
            "SELECT EXISTS (SELECT 1 FROM \(partition.name) WHERE position > $1) AS found",
            [try row.integer("last")]
        )
        guard try news?.flag("found") == false else { return 0 }
        try connection.simple("DROP TABLE \(partition.name)")
        return Int(clamping: try row.integer("events"))
    }

    // MARK: The lock

    /// Runs a body in a transaction, or returns `nil` where another node has the lock.
    private func locked<Value>(_ body: () throws -> Value) throws -> Value? {
        try connection.simple("\(ConnectionSettings.begin); \(settings.transactionSettings); \(Self.patience)")
        do {
            let row = try connection.row("SELECT pg_try_advisory_xact_lock($1) AS is_locked", [Self.lock])
            let value = try row?.flag("is_locked") == true ? body() : nil
            try connection.commit()
            return value
        } catch {
            try? connection.rollBack()
            throw error
        }
    }
}
