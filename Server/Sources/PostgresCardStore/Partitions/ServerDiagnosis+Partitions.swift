import CardStore

extension ServerDiagnosis {
    /// Events outside of partitions are deleted one by one; so many of them are worth a look.
    private static let manyOthers: Int64 = 1_000_000

    /// Whether the log has the partitions that servers create days ahead.
    func partitions() throws -> StoreFinding {
        let row = try row(
            """
            SELECT extract(epoch FROM clock_timestamp())::DOUBLE PRECISION AS now,
                greatest((SELECT reltuples FROM pg_class WHERE oid = to_regclass('events_other')), 0)::BIGINT AS others
            """
        )
        let today = EventPartition.day(of: try row.double("now"))
        let known = try EventPartitionJob.known(on: connection)
        // safe: the number of a day
        let missing = EventPartition.missing(beside: known, on: today, width: 1).filter { $0.start <= today + 1 }
        if let first = missing.first {
            return .warning(
                "partitions",
                "The log has none for \(first.day): such events are deleted one by one. "
                    + "Servers create them days ahead.",
                "placard migrate"
            )
        }
        let others = try row.integer("others")
        guard others < Self.manyOthers else {
            let message = "About \(others) events are in none: their ids aren't of version 7, or clocks were wrong."
            let command = StoreFinding.psql("SELECT type, count(*) FROM events_other GROUP BY 1")
            return .warning("partitions", message, command)
        }
        let last = known.last.map(\.lastDay) ?? ""
        return .good("partitions", "\(known.count) of the log, until \(last)")
    }
}
