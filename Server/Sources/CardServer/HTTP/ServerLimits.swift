/// Limits what one node holds open and in memory at a time, whoever asks for it.
///
/// The command takes each as a flag, from the environment and from the configuration file; see `docs/limits.md`.
public struct ServerLimits: Sendable, Hashable {
    /// The number of open connections.
    ///
    /// Beyond it, the connection goes that has been without a request for the longest time, or else the new one.
    public var connections = 32_768
    /// The number of open connections of one client address; those of trusted proxies are not limited.
    public var connectionsPerAddress = 256
    /// The number of live streams.
    public var liveStreams = 20_000
    /// The number of live streams of one client address.
    public var liveStreamsPerAddress = 200
    /// The seconds in which the head of a request has to arrive.
    public var headSeconds = 10.0
    /// The seconds in which a body has to arrive, or else at ``bytesPerSecond``.
    public var bodySeconds = 30.0
    /// The seconds in which an answer has to be read, or else at ``bytesPerSecond``.
    public var writeSeconds = 30.0
    /// The seconds that a connection stays open without a request.
    public var idleSeconds = 75.0
    /// The seconds that requests may take once the server is asked to stop; then their connections are closed.
    public var shutdownSeconds = 20.0
    /// The seconds for which connections are still accepted once the server is asked to stop, and says that it isn't
    /// ready.
    ///
    /// As long as a balancer takes to notice that; 0 where it notices refused connections.
    public var drainDelaySeconds = 0.0
    /// The seconds over which live streams are told to reconnect once the server is asked to stop.
    public var reconnectSeconds = 10.0
    /// The seconds that pass at most between being asked to stop and refusing connections.
    public var drainSeconds: Double { max(drainDelaySeconds, reconnectSeconds) }
    /// The bytes a second at which a body that takes longer has to arrive, and a long answer to be read.
    public var bytesPerSecond = 1_024.0
    /// The bytes of request bodies in memory.
    public var bodyBytes = 64 << 20
    /// The bytes of request bodies in memory that come from one client address.
    public var bodyBytesPerAddress = 16 << 20

    /// Creates the defaults.
    public init() {}

    // safe: neither is negative
    /// Lowers the limits to what a process can hold that may have that many files open.
    ///
    /// The database, the log and connections to others need some.
    public mutating func fit(openFiles: UInt64) {
        let files = Int(clamping: openFiles)
        connections = min(connections, max(64, files - max(64, files / 8)))
        liveStreams = min(liveStreams, connections - connections / 4)
    }

    /// The number of sockets of clients that are open at a time, those of connections that are closing included.
    var openSockets: Int {
        let (sum, isTooLarge) = connections.addingReportingOverflow(max(8, connections / 16))
        return isTooLarge ? .max : sum
    }

    /// The time limits of the parts of an exchange.
    var times: ConnectionTimes {
        var times = ConnectionTimes()
        times.head = headSeconds
        times.idle = idleSeconds
        times.body = TransferWatch.Demand(window: bodySeconds, rate: bytesPerSecond)
        times.answer = TransferWatch.Demand(window: writeSeconds, rate: bytesPerSecond)
        times.rest = min(times.rest, bodySeconds)
        times.quiet = min(times.quiet, headSeconds)
        return times
    }
}
