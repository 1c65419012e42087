import CardStore

/// Makes connections, one attempt after another with growing pauses while the server is away.
///
/// Used by one queue at a time, like the connections that it makes.
struct ConnectionSource {
    private let settings: ConnectionSettings
    /// Counts what the connections do, or `nil` where nobody asks.
    var roundTrips: RoundTrips?
    /// The present moment; the system's by default.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    private var pause = ConnectionPause()
    /// The reason why the last attempt failed, which is also why none is made yet.
    private var failure = PostgresError.lost

    private let onConnect: @Sendable (PostgresConnection) -> Void

    /// - Parameters:
    ///   - settings: How to connect.
    ///   - onConnect: Is told of each connection before anything is done with it.
    init(_ settings: ConnectionSettings, onConnect: @escaping @Sendable (PostgresConnection) -> Void) {
        self.settings = settings
        self.onConnect = onConnect
    }

    /// Connects, or fails at once where an attempt has just failed.
    mutating func connect() throws(PostgresError) -> PostgresConnection {
        guard pause.isOver(at: now()) else { throw failure }
        do {
            let connection = try PostgresConnection(settings, counting: roundTrips)
            pause = ConnectionPause()
            onConnect(connection)
            return connection
        } catch {
            // Randomly, so that all connections of all nodes don't come back at one moment.
            pause.grow(at: now(), by: Double.random(in: 0.75...1.25))
            failure = error
            throw error
        }
    }
}

/// The pause between two attempts to connect, which is longer after each that fails.
struct ConnectionPause {
    /// The length, before it is changed at random.
    private(set) var length: Duration = .zero
    private var end: ContinuousClock.Instant?

    private static let shortest = Duration.milliseconds(50)
    private static let longest = Duration.seconds(2)

    /// Whether an attempt can be made.
    func isOver(at now: ContinuousClock.Instant) -> Bool { end.map { now >= $0 } ?? true }

    /// Begins the pause after another attempt that failed.
    ///
    /// - Parameters:
    ///   - now: The time at which the attempt failed.
    ///   - factor: The part of the length that this pause has.
    mutating func grow(at now: ContinuousClock.Instant, by factor: Double) {
        length = min(max(length * 2, Self.shortest), Self.longest)
        end = now + length * factor
    }
}
