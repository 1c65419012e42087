import ArgumentParser
import CardServer
import CommandSettings

/// The options for what the server holds open and in memory at a time.
struct LimitOptions: ParsableArguments {
    @Option("Open connections, at most (default: 32768, or what the open files allow).", value: "n")
    var maxConnections: String?

    @Option("Open connections of one client address (default: 256).", value: "n")
    var maxConnectionsPerAddress: String?

    @Option("Live streams, at most (default: 20000).", value: "n")
    var maxLiveStreams: String?

    @Option("Live streams of one client address (default: 200).", value: "n")
    var maxLiveStreamsPerAddress: String?

    @Option("Seconds for the head of a request (default: 10).", value: "seconds")
    var headTimeout: String?

    @Option("Seconds for the body of a request; then --min-rate holds (default: 30).", value: "seconds")
    var bodyTimeout: String?

    @Option("Seconds for reading an answer; then --min-rate holds (default: 30).", value: "seconds")
    var writeTimeout: String?

    @Option("Seconds that a connection stays open without a request (default: 75).", value: "seconds")
    var idleTimeout: String?

    @Option("Seconds that requests may take once the server is asked to stop (default: 20).", value: "seconds")
    var shutdownTimeout: String?

    @Option("Seconds of answering without being ready before the server stops (default: 0).", value: "seconds")
    var drainDelay: String?

    @Option("Seconds over which live streams reconnect before the server stops (default: 10).", value: "seconds")
    var reconnectSpread: String?

    @Option("Bytes a second of a slow body or answer (default: 1024).", value: "bytes")
    var minRate: String?

    @Option("MiB of request bodies in memory; a quarter of it for one address (default: 64).", value: "MiB")
    var bodyMemory: String?

    /// The limits that flags, the environment and the file name.
    func limits(_ values: SettingValues) throws -> ServerLimits {
        var limits = ServerLimits()
        func number(_ setting: SettingValues.Setting, _ flag: String?, _ range: ClosedRange<Int>) throws -> Int? {
            try values.value(of: setting, flag: flag).map { try WholeNumber.read($0, in: range) }
        }
        func set(_ path: WritableKeyPath<ServerLimits, Int>, _ value: Int?) {
            if let value { limits[keyPath: path] = value }
        }
        func set(_ path: WritableKeyPath<ServerLimits, Double>, _ value: Int?) {
            if let value { limits[keyPath: path] = Double(value) }
        }
        set(\.connections, try number(.maxConnections, maxConnections, 1...1_000_000))
        set(\.connectionsPerAddress, try number(.maxConnectionsPerAddress, maxConnectionsPerAddress, 1...1_000_000))
        set(\.liveStreams, try number(.maxLiveStreams, maxLiveStreams, 0...1_000_000))
        set(\.liveStreamsPerAddress, try number(.maxLiveStreamsPerAddress, maxLiveStreamsPerAddress, 0...1_000_000))
        set(\.headSeconds, try number(.headTimeout, headTimeout, 1...3_600))
        set(\.bodySeconds, try number(.bodyTimeout, bodyTimeout, 1...3_600))
        set(\.writeSeconds, try number(.writeTimeout, writeTimeout, 1...3_600))
        set(\.idleSeconds, try number(.idleTimeout, idleTimeout, 1...3_600))
        set(\.shutdownSeconds, try number(.shutdownTimeout, shutdownTimeout, 0...3_600))
        set(\.drainDelaySeconds, try number(.drainDelay, drainDelay, 0...3_600))
        set(\.reconnectSeconds, try number(.reconnectSpread, reconnectSpread, 0...3_600))
        set(\.bytesPerSecond, try number(.minRate, minRate, 0...1_000_000_000))
        if let memory = try number(.bodyMemory, bodyMemory, 4...1_048_576) {
            limits.bodyBytes = memory << 20
            limits.bodyBytesPerAddress = memory << 18
        }
        return limits
    }
}
