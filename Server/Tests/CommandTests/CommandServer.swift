import ArgumentParser
import CardModel
import Foundation
import LiveTesting
import Logging
import SQLiteCardStore
import SQLiteTesting
import Testing
import WireJSON

@testable import CardServer
@testable import PlacardCommands

/// The result of a command that was run in the test's own process.
struct CommandOutcome: Sendable {
    /// The exit status with which the process would have ended.
    let status: Int32
    /// The text on standard output.
    let output: String
    /// The text on standard error.
    let notes: String
    /// The message of the error that ended it, or an empty text.
    let message: String

    /// The output as JSON.
    var json: JSONValue { (try? JSONValue(parsing: output)) ?? .null }
    /// Everything that a person could have read.
    var everything: String { output + notes + message }

    /// Runs a command.
    ///
    /// - Parameter arguments: The words after `placard`.
    /// - Returns: What it wrote, and how it ended.
    static func run(_ arguments: [String]) async -> CommandOutcome {
        let record = ConsoleRecord()
        var (status, message): (Int32, String) = (0, "")
        do {
            try await Console.$record.withValue(record) {
                var command = try Placard.parseAsRoot(arguments)
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            }
        } catch {
            status = Placard.status(of: error).rawValue
            message = Placard.message(for: error)
        }
        return CommandOutcome(status: status, output: record.result, notes: record.notes, message: message)
    }
}

/// A folder for one test, which is removed at its end.
struct CommandFolder: Sendable {
    let url: URL

    /// The path of the folder.
    var path: String { url.path }

    static func with<Value>(_ body: (CommandFolder) async throws -> Value) async throws -> Value {
        let url = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        return try await body(CommandFolder(url: url))
    }

    /// Returns the path of something in the folder.
    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try write(Data(text.utf8), to: name)
    }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ data: Data, to name: String) throws -> String {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try data.write(to: file)
        return file.path
    }

    /// Returns the text of a file.
    func text(of name: String) throws -> String {
        try String(contentsOf: url.appending(path: name), encoding: .utf8)
    }
}

/// A server with a database of its own, and commands that ask it.
struct CommandServer: Sendable {
    /// The address of the server, without a slash at its end.
    let address: String
    /// The secret key that commands are given.
    let key: String
    let store: SQLiteCardStore
    /// A folder for files of the test.
    let folder: CommandFolder

    /// Runs a server whose key has some permissions.
    static func run(
        _ permissions: Set<Permission> = [.manage],
        _ body: @escaping @Sendable (CommandServer) async throws -> Void
    ) async throws {
        try await CommandFolder.with { folder in
            try await PreparedDatabase.put(at: folder.path("server.sqlite"))
            let store = try SQLiteCardStore(path: folder.path("server.sqlite"))
            let key = KeySecret(name: "test", kind: .secret, permissions: permissions, createdAt: 1_700_000_000)
            try await store.insertKey(key.key, by: .command)
            var options = PlacardServer.Options()
            options.port = 0
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            let server = try await PlacardServer(store: store, options: options, logger: logger)
            try await LiveClient.run(server.application()) { live in
                try await body(
                    CommandServer(
                        address: "http://127.0.0.1:\(live.port)",
                        key: key.text,
                        store: store,
                        folder: folder
                    )
                )
            }
        }
    }

    /// Adds users of Japan.
    func addUsers(_ ids: String...) async throws {
        let users = ids.map { UserUpdate(id: UserID(rawValue: $0), standard: [.country: "JP"]) }
        _ = try await store.updateUsers(users, at: 1_700_000_000)
    }

    /// Runs a command with the server's address and the key.
    func run(_ words: String...) async -> CommandOutcome {
        await CommandOutcome.run(words + ["--server", address, "--key", key])
    }
}
