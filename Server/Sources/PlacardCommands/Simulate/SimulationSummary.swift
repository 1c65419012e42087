import Foundation
import Simulation
import WireJSON

/// The summary of a simulation.
struct SimulationSummary: Sendable {
    private static let shownDifferences = 20

    let settings: SimulationSettings
    let ledger: Ledger
    let statistics: RunStatistics
    var comparison: LedgerComparison
    var kills = (server: 0, clients: 0)
    var isServerOrderly = true
    var seconds = 0.0

    init(settings: SimulationSettings, ledger: Ledger) {
        self.settings = settings
        self.ledger = ledger
        comparison = LedgerComparison(ledger, LedgerComparison.ServerSide())
        var statistics = RunStatistics()
        for name in (try? FileManager.default.contentsOfDirectory(atPath: settings.directory)) ?? [] {
            guard name.hasPrefix("statistics-"), let data = FileManager.default.contents(atPath: settings.path(name)),
                let json = try? JSONValue(parsing: data), let part = RunStatistics(json: json)
            else { continue }
            statistics += part
        }
        self.statistics = statistics
    }

    /// Whether everything is as it should be.
    var isGood: Bool { comparison.isExact && isServerOrderly }

    var text: String {
        let interrupted = comparison.interrupted
        let faults = statistics.faults.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        var lines = [
            "events      \(comparison.expected) logged, of \(settings.users * 2) users in \(Int(seconds)) s",
            "requests    \(statistics.requests), \(statistics.failures) failed by themselves",
            "latency     \(latency(0.5)) half, \(latency(0.95)) of 95 %, \(latency(0.99)) of 99 %",
            "faults      \(faults.isEmpty ? "none" : faults.joined(separator: ", "))",
            "kills       server \(kills.server), client processes \(kills.clients)",
            "interrupted \(interrupted.recovered) log calls with the event in the queue, "
                + "\(interrupted.delivered) delivered, "
                + "\(interrupted.without) before it was written",
        ]
        if !isServerOrderly { lines.append("The server did not end in good order when it was asked to.") }
        let problems =
            comparison.lost.map { "lost: \($0)" } + comparison.double.map { "double: \($0)" }
            + comparison.differences
        lines += problems.prefix(Self.shownDifferences)
        if problems.count > Self.shownDifferences {
            lines.append("… and \(problems.count - Self.shownDifferences) more")
        }
        lines.append("lost: \(comparison.lost.count)  double: \(comparison.double.count)")
        return lines.joined(separator: "\n")
    }

    private func latency(_ part: Double) -> String {
        statistics.latency(part).map { String(format: "%.1f ms", $0) } ?? "–"
    }

    var json: JSONValue {
        [
            "seed": .string(String(settings.seed)), "users": .integer(Int64(settings.users)),
            "seconds": .number(seconds),
            "events": .integer(Int64(comparison.expected)), "lost": .array(comparison.lost.map(JSONValue.string)),
            "double": .array(comparison.double.map(JSONValue.string)),
            "differences": .array(comparison.differences.map(JSONValue.string)),
            "kills": ["server": .integer(Int64(kills.server)), "clients": .integer(Int64(kills.clients))],
            "interrupted": [
                "recovered": .integer(Int64(comparison.interrupted.recovered)),
                "delivered": .integer(Int64(comparison.interrupted.delivered)),
                "without": .integer(Int64(comparison.interrupted.without)),
            ],
            "statistics": statistics.json,
        ]
    }
}
