import ArgumentParser
import CommandSettings

/// The Unix socket on which the server listens, in place of an address and a port.
struct SocketOptions: ParsableArguments {
    @Option("A Unix socket to listen on, in place of --host and --port.", value: "path")
    var socket: String?

    @Option("Who may connect to the socket (default: 660, the account and its group).", value: "mode")
    var socketMode: String?

    @Option("The group of the socket, such as that of the proxy.", value: "group")
    var socketGroup: String?

    /// The socket that flags, the environment and the file name, or `nil` for none.
    func socket(_ values: SettingValues) throws -> LocalSocket? {
        let mode = try values.value(of: .socketMode, flag: socketMode)
        let group = try values.value(of: .socketGroup, flag: socketGroup)
        guard let path = try values.value(of: .socket, flag: socket) else {
            guard let other = mode ?? group else { return nil }
            throw ConfigurationError("\(other.origin) is of a Unix socket: give --socket, too, or leave it out.")
        }
        return try LocalSocket(path: path, mode: mode, group: group?.text)
    }
}
