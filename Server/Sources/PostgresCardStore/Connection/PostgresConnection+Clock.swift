import CardModel

extension PostgresConnection {
    /// Returns the present time of the database's clock, or `nil` where it says nothing.
    func serverTime() throws -> UnixTime? {
        try row("SELECT extract(epoch FROM clock_timestamp())::DOUBLE PRECISION AS now")?.double("now")
    }
}
