import ArgumentParser
import CardStore
import CommandSettings
import Foundation
import SQLiteCardStore
import WireJSON

/// The command `placard doctor`.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Looks whether everything is as it should be, and says what to do.",
        discussion: """
            placard doctor --database sqlite:cards.sqlite

            Looks at the database (schema, integrity, durability, space), the keys,
            the clock, and whether a server answers or could start. May run while
            the server does. Ends with status 1 where something is bad.
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(help: ArgumentHelp("The address to look for a server at (default: 127.0.0.1).", valueName: "address"))
    var host: String?

    @Option(help: ArgumentHelp("The port to look for a server at (default: 8080).", valueName: "port"))
    var port: String?

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let values = try database.configuration.values()
        let host = values.value(of: .host, flag: host)?.text ?? "127.0.0.1"
        let port = try values.value(of: .port, flag: port).map(Port.number) ?? 8080
        var checks = await databaseChecks()
        checks.append(await ServerCheck(host: host, port: port).check())
        if json {
            Console.write(["checks": .array(checks.map(\.json))])
        } else {
            for check in checks { Console.write(check.line) }
        }
        if checks.contains(where: { $0.level == .bad }) { throw ExitCode.failure }
    }

    private func databaseChecks() async -> [DoctorCheck] {
        do {
            return try await database.withStore { store in
                var checks = [DoctorCheck(.good, "database", "opens")]
                checks += try await store.diagnose().map(DoctorCheck.init)
                checks.append(DoctorCheck(keys: try await store.keys()))
                let latest = try await store.audit(limit: 1).first?.at
                checks.append(DoctorCheck(clock: Date().timeIntervalSince1970, latest: latest))
                return checks
            }
        } catch {
            return [DoctorCheck(.bad, "database", "\(error)")]
        }
    }
}
