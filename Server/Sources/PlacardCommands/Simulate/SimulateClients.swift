import ArgumentParser
import CardModel
import Foundation
import Synchronization
import WireJSON

/// The command `placard simulate-clients`: one of the processes that `placard simulate` starts.
///
/// Standard input gives the settings in one line; its end ends the run.
struct SimulateClients: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate-clients",
        abstract: "One process of a simulation.",
        shouldDisplay: false
    )

    @Option var process: Int
    @Option var life: Int

    func run() async throws {
        OpenFileLimit.raise()
        guard let line = readLine(), let settings = SimulationSettings(json: try JSONValue(parsing: line)) else {
            throw CommandError("This command is only started by `placard simulate`.")
        }
        let statistics = StatisticsLog()
        let isRunning = RunningFlag()
        InputLines.read { line in if line == nil { isRunning.stop() } }
        let statisticsPath = settings.path("statistics-\(process)-\(life)")
        let saving = Task {
            while !Task.isCancelled {
                statistics.save(to: statisticsPath)
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
        let left = try await runClients(settings, statistics, isRunning)
        saving.cancel()
        statistics.save(to: statisticsPath)
        guard left == 0 else { throw CommandError("Could not deliver \(Quantity.text(left, "event")).") }
    }

    private func runClients(
        _ settings: SimulationSettings,
        _ statistics: StatisticsLog,
        _ isRunning: RunningFlag
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in settings.clients(of: process) {
                group.addTask {
                    let client = try SimulatedClient(
                        number: number,
                        life: life,
                        settings: settings,
                        statistics: statistics,
                        isRunning: { isRunning.isOn }
                    )
                    return try await client.run()
                }
            }
            return try await group.reduce(0, +)
        }
    }
}

/// Whether the run goes on.
final class RunningFlag: Sendable {
    private let flag = Atomic<Bool>(true)

    var isOn: Bool { flag.load(ordering: .relaxed) }

    func stop() { flag.store(false, ordering: .relaxed) }
}
