import CardStore

/// Makes connections, one attempt after another with growing pauses while the server is away.
///
/// Used by one queue at a time, like the connections that it makes.
struct ConnectionSource {
    private let settings: ConnectionSettings
    /// Counts what the connections do, or `nil` where nobody asks.
    var roundTrips: RoundTrips?
    private let clock: ContinuousClock = .init()
    private var pause: Duration = .zero
    private var nextAttempt: ContinuousClock.Instant?
    /// The reason why the last attempt failed, which is also why none is made yet.
    private var failure = PostgresFailure.lost

    /// The longest pause between two attempts.
    private static let longestPause = Duration.seconds(2)

    private let onConnect: @Sendable (PostgresConnection) -> Void

    /// - Parameters:
    ///   - settings: How to connect.
    ///   - onConnect: Is told of each connection before anything is done with it.
    init(_ settings: ConnectionSettings, onConnect: @escaping @Sendable (PostgresConnection) -> Void) {
        self.settings = settings
        self.onConnect = onConnect
    }

    /// Connects, or fails at once where an attempt has just failed.
    mutating func connect() throws(PostgresFailure) -> PostgresConnection {
        if let nextAttempt, clock.now < nextAttempt { throw failure }
        do {
            let connection = try PostgresConnection(settings, counting: roundTrips)
            (pause, nextAttempt) = (.zero, nil)
            onConnect(connection)
            return connection
        } catch {
            // Randomly, so that all connections of all nodes don't come back at one moment.
            let factor = Double.random(in: 0.75...1.25)
            pause = min(max(pause * 2, .milliseconds(50)), Self.longestPause)
            nextAttempt = clock.now + pause * factor
            failure = error
            throw error
        }
    }
}
