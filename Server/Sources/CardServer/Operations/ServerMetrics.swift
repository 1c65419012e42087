import CardModel
import Synchronization

/// What the server counts about itself, printed in Prometheus' text format at `/metrics`.
final class ServerMetrics: Sendable {
    /// The routes that are told apart: those of the device API, and one for all of the rest.
    enum Route: Int, CaseIterable, Sendable {
        case sync
        case events
        case live
        case contentTypes
        case other

        var label: String {
            switch self {
            case .sync: "/v1/sync"
            case .events: "/v1/events"
            case .live: "/v1/live"
            case .contentTypes: "/v1/content-types"
            case .other: "other"
            }
        }
    }

    /// Upper bounds of the durations, in seconds.
    private static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

    private struct RouteCounts {
        /// By the first digit of the status.
        var statuses = [UInt64](repeating: 0, count: 6)
        var durations = [UInt64](repeating: 0, count: ServerMetrics.bounds.count + 1)
        var seconds = 0.0
    }

    private let routes: [Mutex<RouteCounts>.Box] = Route.allCases.map { _ in Mutex<RouteCounts>.Box(RouteCounts()) }
    private let accepted = Atomic<Int>(0)
    private let duplicate = Atomic<Int>(0)
    private let rejected = Atomic<Int>(0)
    private let refusedConnections = Atomic<Int>(0)

    // safe: every route and status has its place, and counts go up by one
    /// Counts an answered request.
    func count(_ route: Route, status: Int, seconds: Double) {
        let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        routes[route.rawValue].value.withLock { counts in
            counts.statuses[min(max(status / 100, 0), 5)] += 1
            counts.durations[bucket] += 1
            counts.seconds += seconds
        }
    }

    /// Counts what became of events.
    func count(_ receipt: EventReceipt) {
        if receipt.accepted > 0 { accepted.add(receipt.accepted, ordering: .relaxed) }
        if receipt.duplicate > 0 { duplicate.add(receipt.duplicate, ordering: .relaxed) }
        if !receipt.rejected.isEmpty { rejected.add(receipt.rejected.count, ordering: .relaxed) }
    }

    /// Counts a connection for which there was no room.
    func countRefusedConnection() { refusedConnections.add(1, ordering: .relaxed) }

    /// The text format, version 0.0.4.
    ///
    /// - Parameters:
    ///   - connections: How many connections are open.
    ///   - liveStreams: How many live streams are open.
    ///   - generation: The generation of the campaigns in memory.
    ///   - limiter: What counts the requests of devices.
    /// - Returns: The lines of all metrics.
    func text(
        connections: Int,
        liveStreams: Int,
        generation: CatalogGeneration,
        limiter: DeviceLimiter
    ) -> String {
        var lines: [String] = []
        lines += describe("placard_build_info", "gauge", "Always 1; the labels say which version is running.")
        lines.append(
            "placard_build_info{version=\"\(BuildInformation.version)\",commit=\"\(BuildInformation.commit ?? "")\"} 1"
        )
        lines += describe("placard_http_requests_total", "counter", "Requests answered, by route and class of status.")
        lines += Route.allCases.flatMap(statusLines)
        lines += describe("placard_http_request_seconds", "histogram", "How long requests took, by route.")
        lines += Route.allCases.flatMap(durationLines)
        lines += describe("placard_events_total", "counter", "Events received, by what became of them.")
        lines.append("placard_events_total{result=\"accepted\"} \(accepted.load(ordering: .relaxed))")
        lines.append("placard_events_total{result=\"duplicate\"} \(duplicate.load(ordering: .relaxed))")
        lines.append("placard_events_total{result=\"rejected\"} \(rejected.load(ordering: .relaxed))")
        lines += describe("placard_limited_total", "counter", "Requests of devices that had to wait, by limit.")
        lines += limiter.refused.map { "placard_limited_total{limit=\"\($0.kind.label)\"} \($0.count)" }
        lines += describe("placard_connections", "gauge", "Connections that are open.")
        lines.append("placard_connections \(connections)")
        lines += describe("placard_refused_connections_total", "counter", "Connections for which there was no room.")
        lines.append("placard_refused_connections_total \(refusedConnections.load(ordering: .relaxed))")
        lines += describe("placard_live_streams", "gauge", "Live streams that are open.")
        lines.append("placard_live_streams \(liveStreams)")
        lines += describe("placard_catalog_generation", "gauge", "The generation of the campaigns in memory.")
        lines.append("placard_catalog_generation \(generation)")
        return lines.joined(separator: "\n") + "\n"
    }

    private func describe(_ name: String, _ type: String, _ help: String) -> [String] {
        ["# HELP \(name) \(help)", "# TYPE \(name) \(type)"]
    }

    // safe: every route has its place, and counts go up by one
    private func statusLines(_ route: Route) -> [String] {
        let counts = routes[route.rawValue].value.withLock { $0 }
        return counts.statuses.indices.filter { counts.statuses[$0] > 0 }.map { status in
            "placard_http_requests_total{route=\"\(route.label)\",status=\"\(status)xx\"} \(counts.statuses[status])"
        }
    }

    // safe: every route has its place, and counts go up by one
    private func durationLines(_ route: Route) -> [String] {
        let counts = routes[route.rawValue].value.withLock { $0 }
        let name = "placard_http_request_seconds"
        var lines: [String] = []
        var total: UInt64 = 0
        for (index, count) in counts.durations.enumerated() {
            total += count
            let bound = index < Self.bounds.count ? "\(Self.bounds[index])" : "+Inf"
            lines.append("\(name)_bucket{route=\"\(route.label)\",le=\"\(bound)\"} \(total)")
        }
        lines.append("\(name)_sum{route=\"\(route.label)\"} \(counts.seconds)")
        lines.append("\(name)_count{route=\"\(route.label)\"} \(total)")
        return lines
    }
}
