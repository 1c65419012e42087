import ArgumentParser
import CardModel
import CardStore
import CommandSettings
import Dispatch
import WireJSON

/// The command `placard copy`.
struct Copy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies everything to another database, such as from SQLite to PostgreSQL.",
        discussion: """
            placard copy --from sqlite:cards.sqlite --to postgres://placard@db/placard

            Stop the servers of both databases first; none can start on them until it has ended. The target has to be \
            new: a file that isn't there, or an empty PostgreSQL database. Everything is copied, then compared. Run \
            the same command again where it was interrupted: it continues. Until it has ended, no server opens the \
            target.

            Secrets stay encrypted: give the servers of the copy the key of the source. Devices load their feeds as a \
            whole once. The source stays as it is.
            """
    )

    @Option(help: ArgumentHelp("The database to copy.", valueName: "sqlite:path|postgres://url"))
    var from: String

    @Option(help: ArgumentHelp("The new database.", valueName: "sqlite:path|postgres://url"))
    var to: String

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let source = try DatabaseLocation(SettingValues.Value(text: from, origin: "--from"))
        let target = try DatabaseLocation(SettingValues.Value(text: to, origin: "--to"))
        guard source != target else { throw ConfigurationError("--from and --to are the same database: name two.") }
        let (summary, held) = try await Self.copy(source, to: target)
        let differences = try await Self.compare(target, with: source)
        withExtendedLifetime(held) {}
        guard differences.isEmpty else {
            throw CommandError(
                "The copy answers differently: \(differences.joined(separator: ", ")). Don't use it: "
                    + "remove it, and copy again "
                    + "with no server on either database. The source is as it was."
            )
        }
        write(summary, target)
    }

    /// Copies on a thread of its own, since every call waits for a database; returns the source, which stays locked.
    private static func copy(
        _ source: DatabaseLocation,
        to target: DatabaseLocation
    ) async throws -> (StoreTransfer.Summary, any TransferSource) {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "placard.copy").async {
                continuation.resume(
                    with: Result {
                        do {
                            return try copyHere(source, to: target)
                        } catch let error as StoreError where error.code == .diskFull {
                            throw StoreError(.diskFull, "\(error.message) Then run the same command: it continues.")
                        }
                    }
                )
            }
        }
    }

    private static func copyHere(
        _ source: DatabaseLocation,
        to target: DatabaseLocation
    ) throws -> (StoreTransfer.Summary, any TransferSource) {
        let source = try source.openCopySource()
        let progress = CopyProgress()
        let summary = try StoreTransfer(from: source, to: try target.openCopyTarget()).run { progress.show($0) }
        progress.finish()
        return (summary, source)
    }

    /// Returns where the copy answers otherwise than the source.
    private static func compare(_ copy: DatabaseLocation, with source: DatabaseLocation) async throws -> [String] {
        let stores = (
            try await source.openStore(for: .reading, secretsKey: nil, needsSecrets: false),
            try await copy.openStore(for: .reading, secretsKey: nil, needsSecrets: false)
        )
        let differences = try await StoreAgreement.differences(of: stores.1, from: stores.0)
        try await stores.0.close()
        try await stores.1.close()
        return differences
    }

    private func write(_ summary: StoreTransfer.Summary, _ target: DatabaseLocation) {
        guard !json else {
            var tables: JSONObject = [:]
            for (name, count) in summary.counts.sorted(by: { $0.key < $1.key }) { tables[name] = .integer(count) }
            return Console.write([
                "rows": .integer(summary.rows), "tables": .object(tables),
                "resumed": .bool(summary.isResumed), "needs_secrets_key": .bool(summary.needsSecretsKey),
            ])
        }
        let (rows, users) = (Quantity.text(summary.rows, "row"), Quantity.text(summary.counts["users"] ?? 0, "user"))
        Console.write("Copied and compared \(rows), \(users) among them.")
        guard summary.needsSecretsKey else { return }
        switch target {
        case .sqlite(let path): Console.note("Copy the key of the source to \(path).key, or give --secrets-key-file.")
        case .postgres: Console.note("Give every node the key of the source with --secrets-key-file.")
        }
    }
}
