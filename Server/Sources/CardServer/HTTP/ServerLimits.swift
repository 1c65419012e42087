/// Limits what one node holds open at a time, whoever asks for it.
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
}
