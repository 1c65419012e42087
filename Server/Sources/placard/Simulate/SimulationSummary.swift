import Foundation
import Simulation
import WireJSON

/// How a simulation went.
struct SimulationSummary: Sendable {
    private static let shownDifferences = 20

    let settings: SimulationSettings
    let ledger: Ledger
    let statistics: RunStatistics
    var comparison: Comparison
    var kills = (server: 0, clients: 0)
    var serverStatus: Int32 = 0
    var seconds = 0.0

    init(settings: SimulationSettings, ledger: Ledger) {
        self.settings = settings
        self.ledger = ledger
        comparison = Comparison(ledger, Comparison.ServerSide())
        var statistics = RunStatistics()
        for name in (try? FileManager.default.contentsOfDirectory(atPath: settings.directory)) ?? [] {
            guard name.hasPrefix("statistics-"), let data = FileManager.default.contents(atPath: settings.path(name)),
                let json = try? JSONValue(parsing: data), let part = RunStatistics(json: json)
            else { continue }
            statistics += part
        }
        self.statistics = statistics
    }

    var text: String {
        let faults = statistics.faults.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        var lines = [
            "events      \(comparison.expected) logged, of \(settings.users * 2) users in \(Int(seconds)) s",
            "requests    \(statistics.requests), \(statistics.failures) failed by themselves",
            "latency     \(latency(0.5)) half, \(latency(0.95)) of 95 %, \(latency(0.99)) of 99 %",
            "faults      \(faults.isEmpty ? "none" : faults.joined(separator: ", "))",
            "kills       server \(kills.server), client processes \(kills.clients)",
            "interrupted \(comparison.interrupted.calls) calls, of which \(comparison.interrupted.arrived) had arrived",
        ]
        if serverStatus != 0 { lines.append("The server ended with status \(serverStatus).") }
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
                "calls": .integer(Int64(comparison.interrupted.calls)),
                "arrived": .integer(Int64(comparison.interrupted.arrived)),
            ],
            "statistics": statistics.json,
        ]
    }
}
