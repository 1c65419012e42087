import ArgumentParser
import CardServer
import CommandSettings

/// What the server holds open at a time.
struct LimitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Open connections (default: 32768, or what the open files allow).", valueName: "n"))
    var maxConnections: String?

    @Option(help: ArgumentHelp("Open connections of one client address (default: 256).", valueName: "n"))
    var maxConnectionsPerAddress: String?

    @Option(help: ArgumentHelp("Live streams (default: 20000).", valueName: "n"))
    var maxLiveStreams: String?

    @Option(help: ArgumentHelp("Live streams of one client address (default: 200).", valueName: "n"))
    var maxLiveStreamsPerAddress: String?

    /// The limits that flags, the environment and the file name.
    func limits(_ values: SettingValues) throws -> ServerLimits {
        var limits = ServerLimits()
        func number(_ setting: SettingValues.Setting, _ flag: String?, from least: Int) throws -> Int? {
            // safe: 1 or 2 at least
            try values.value(of: setting, flag: flag).map { try WholeNumber.read($0, in: least...1_000_000) }
        }
        limits.connections = try number(.maxConnections, maxConnections, from: 1) ?? limits.connections
        limits.connectionsPerAddress =
            try number(.maxConnectionsPerAddress, maxConnectionsPerAddress, from: 1) ?? limits.connectionsPerAddress
        limits.liveStreams = try number(.maxLiveStreams, maxLiveStreams, from: 0) ?? limits.liveStreams
        limits.liveStreamsPerAddress =
            try number(.maxLiveStreamsPerAddress, maxLiveStreamsPerAddress, from: 0) ?? limits.liveStreamsPerAddress
        return limits
    }
}
