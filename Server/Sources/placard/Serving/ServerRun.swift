import CardServer
import Logging
import SQLiteCardStore

/// A server over a database file, from its start to its orderly end.
struct ServerRun {
    let path: String
    let options: PlacardServer.Options
    let logger: Logger

    /// Opens the database, serves until the process is asked to end, and closes the database last.
    ///
    /// `prepare` gets the store before anything is served; `onReady` is told the port once requests are answered.
    func run(
        prepare: (SQLiteCardStore) async throws -> Void = { _ in },
        onReady: @escaping @Sendable (Int) async -> Void
    ) async throws {
        OpenFileLimit.raise()
        let store = try SQLiteCardStore(path: path)
        do {
            try await prepare(store)
            let server = try await PlacardServer(store: store, options: options, logger: logger)
            try await server.runUntilSignalled(onReady: onReady)
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
    }

    /// The address that a person or an app would use.
    static func address(_ host: String, _ port: Int) -> String {
        switch host {
        case "0.0.0.0", "::": "http://127.0.0.1:\(port)"
        case _ where host.contains(":"): "http://[\(host)]:\(port)"
        default: "http://\(host):\(port)"
        }
    }
}
