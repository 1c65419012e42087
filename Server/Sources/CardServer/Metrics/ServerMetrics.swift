import CardModel
import CardStore
import Synchronization

/// The counts of the server about itself, printed in Prometheus' text format at `/metrics`.
final class ServerMetrics: Sendable {
    /// The routes that are told apart: those of the device API, and one for all of the rest.
    enum Route: Int, CaseIterable, Sendable {
        case sync
        case events
        case live
        case contentTypes
        case testCodes
        case other

        var label: String {
            switch self {
            case .sync: "/v1/sync"
            case .events: "/v1/events"
            case .live: "/v1/live"
            case .contentTypes: "/v1/content-types"
            case .testCodes: "/v1/test-codes"
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

        // safe: every status has its place, and counts go up by one
        mutating func count(_ status: Int, _ seconds: Double) {
            let bucket = ServerMetrics.bounds.firstIndex { seconds <= $0 } ?? ServerMetrics.bounds.count
            statuses[min(max(status / 100, 0), 5)] += 1
            durations[bucket] += 1
            self.seconds += seconds
        }
    }

    private let routes: [Mutex<RouteCounts>.Box] = Route.allCases.map { _ in Mutex<RouteCounts>.Box(RouteCounts()) }
    /// The routes of the API beside those of devices, and the dashboard, by their label.
    private let others = Mutex<[String: RouteCounts]>([:])
    private let accepted = Atomic<Int>(0)
    private let duplicate = Atomic<Int>(0)
    private let rejected = Atomic<Int>(0)
    private let refusedConnections = Atomic<Int>(0)
    /// The counts of connections before they bring requests.
    let arrivals = Mutex(ConnectionArrivals())
    /// The number of requests that were refused before the application had them, by reason.
    let earlyRefusals = Mutex<[String: Int]>([:])
    /// The counts of the webhook.
    let webhook = Mutex(WebhookCounts())
    /// The events that wait for the webhook, and the time at which that was looked up.
    let webhookQueue = Mutex<(queue: WebhookQueue, at: UnixTime)>((WebhookQueue(), -.infinity))
    /// The counts of messages to members.
    let mails = Mutex<[MailResult: Int]>([:])
    /// The counts of the bucket of pictures.
    let bucket = Mutex(BucketCounts())
    /// The number of rows that were left out of answers because they can't be read.
    let damagedRows = Mutex<[DamagedRow: Int]>([:])
    /// The counts of traces.
    let traces = TraceCounts()
    /// The time at which the server was started.
    let startedAt: UnixTime
    /// Returns when the newest backup was made, 0 where there is none; `nil` where no folder of backups is known.
    let newestBackup: (@Sendable () -> UnixTime)?

    /// Creates metrics that have counted nothing.
    init(startedAt: UnixTime = 0, newestBackup: (@Sendable () -> UnixTime)? = nil) {
        self.startedAt = startedAt
        self.newestBackup = newestBackup
    }

    /// Counts an answered request.
    ///
    /// - Parameters:
    ///   - route: The route, as devices know it.
    ///   - label: Which of the other routes it is: the path with the names of its variables.
    ///   - status: The status of the answer.
    ///   - seconds: How long it took.
    func count(_ route: Route, _ label: String? = nil, status: Int, seconds: Double) {
        guard route == .other, let label, label != route.label else {
            // safe: every route has its place
            return routes[route.rawValue].value.withLock { $0.count(status, seconds) }
        }
        others.withLock { $0[label, default: RouteCounts()].count(status, seconds) }
    }

    /// Counts what became of events.
    func count(_ receipt: EventReceipt) {
        if receipt.accepted > 0 { accepted.add(receipt.accepted, ordering: .relaxed) }
        if receipt.duplicate > 0 { duplicate.add(receipt.duplicate, ordering: .relaxed) }
        if !receipt.rejected.isEmpty { rejected.add(receipt.rejected.count, ordering: .relaxed) }
    }

    /// Counts a connection for which there was no room.
    func countRefusedConnection() { refusedConnections.add(1, ordering: .relaxed) }

    /// Returns the lines of all metrics, in the text format, version 0.0.4.
    func text(_ snapshot: MetricsSnapshot) -> String {
        var lines: [String] = []
        lines += describe("placard_build_info", "gauge", "Always 1; the labels say which version is running.")
        lines.append(
            "placard_build_info{version=\"\(BuildInformation.version)\",commit=\"\(BuildInformation.commit ?? "")\"} 1"
        )
        lines += describe("placard_http_requests_total", "counter", "Requests answered, by route and class of status.")
        let counts = allCounts
        lines += counts.flatMap(statusLines)
        lines += describe("placard_http_request_seconds", "histogram", "How long requests took, by route.")
        lines += counts.flatMap(durationLines)
        lines += describe("placard_events_total", "counter", "Events received, by what became of them.")
        lines.append("placard_events_total{result=\"accepted\"} \(accepted.load(ordering: .relaxed))")
        lines.append("placard_events_total{result=\"duplicate\"} \(duplicate.load(ordering: .relaxed))")
        lines.append("placard_events_total{result=\"rejected\"} \(rejected.load(ordering: .relaxed))")
        lines += describe("placard_limited_total", "counter", "Requests of devices that had to wait, by limit.")
        lines += snapshot.limiter.refused.map { "placard_limited_total{limit=\"\($0.kind.label)\"} \($0.count)" }
        lines += describe("placard_connections", "gauge", "Connections that are open.")
        lines.append("placard_connections \(snapshot.connections)")
        lines += describe("placard_refused_connections_total", "counter", "Connections for which there was no room.")
        lines.append("placard_refused_connections_total \(refusedConnections.load(ordering: .relaxed))")
        lines += earlyRefusalLines
        lines += arrivalLines(snapshot.certificate)
        lines += describe("placard_live_streams", "gauge", "Live streams that are open.")
        lines.append("placard_live_streams \(snapshot.liveStreams)")
        lines += describe("placard_page_streams", "gauge", "Live streams of the dashboard's pages that are open.")
        lines.append("placard_page_streams \(snapshot.pageStreams)")
        lines += describe("placard_catalog_generation", "gauge", "The generation of the campaigns in memory.")
        lines.append("placard_catalog_generation \(snapshot.generation)")
        lines += describe("placard_ready", "gauge", "1 where devices can be served, or else 0.")
        lines.append("placard_ready \(snapshot.readiness.failure == nil ? 1 : 0)")
        lines += tokenKeyLines(snapshot.tokenKeys.age, snapshot.tokenKeys.failures)
        lines += webhookLines(at: snapshot.now)
        let mails = snapshot.mails
        lines += mailLines(mails?.queue, isKnown: mails.map { $0.queue != nil } ?? true, at: mails?.now ?? 0)
        lines += bucketLines
        let lost = "placard_log_lines_lost_total"
        lines += describe(lost, "counter", "Lines lost to a full disk or a reader that stood still, by log.")
        lines.append("\(lost){log=\"log\"} \(snapshot.lostLines.log)")
        lines.append("\(lost){log=\"access\"} \(snapshot.lostLines.access)")
        lines += unreadableLines(snapshot.unreadable)
        lines += damageLines
        lines += traceLines
        lines += processLines
        if let storage = snapshot.storage { lines += storageLines(storage) }
        lines += trafficLines(snapshot.traffic ?? StoreTraffic())
        lines += commitLines(snapshot.commits)
        return lines.joined(separator: "\n") + "\n"
    }

    func tokenKeyLines(_ age: Double?, _ failures: Int) -> [String] {
        let name = "placard_token_keys"
        var lines = describe("\(name)_fetch_failures_total", "counter", "Fetches of jwks_url that failed.")
        lines.append("\(name)_fetch_failures_total \(failures)")
        guard let age else { return lines }
        lines += describe("\(name)_age_seconds", "gauge", "How long ago the keys of jwks_url were fetched.")
        lines.append("\(name)_age_seconds \(age)")
        return lines
    }

    private func storageLines(_ storage: StorageSizes) -> [String] {
        var lines = describe("placard_storage_bytes", "gauge", "The size of the database.")
        lines.append("placard_storage_bytes \(storage.databaseBytes)")
        lines += describe("placard_storage_log_bytes", "gauge", "The size of the log that isn't written back yet.")
        lines.append("placard_storage_log_bytes \(storage.logBytes)")
        guard let free = storage.freeBytes else { return lines }
        lines += describe("placard_storage_free_bytes", "gauge", "The free space of the database's file system.")
        lines.append("placard_storage_free_bytes \(free)")
        return lines
    }

    /// Returns the counts of the store's traffic with its server; zeros where it has none, so that rates and alerts
    /// find their metrics.
    private func trafficLines(_ traffic: StoreTraffic) -> [String] {
        let name = "placard_database"
        var lines = describe("\(name)_connections", "gauge", "Connections to PostgreSQL that the node may have open.")
        lines.append("\(name)_connections \(traffic.connections)")
        lines += describe("\(name)_waiting", "gauge", "Reads that wait for a connection to PostgreSQL.")
        lines.append("\(name)_waiting \(traffic.waiting)")
        lines += describe("\(name)_waits_total", "counter", "Reads that had to wait for a connection to PostgreSQL.")
        lines.append("\(name)_waits_total \(traffic.waits)")
        lines += describe("\(name)_absent_shards", "gauge", "Databases of users that don't answer.")
        lines.append("\(name)_absent_shards \(traffic.absentShards)")
        let partitions = "\(name)_partition_failures_total"
        lines += describe(partitions, "counter", "Times that partitions of the log couldn't be created or dropped.")
        lines.append("\(partitions) \(traffic.partitionFailures)")
        lines += describe("\(name)_housekeeping_failures_total", "counter", "Work between shards that failed, by kind.")
        // safe: appends lines
        lines += StoreTraffic.HousekeepingWork.allCases.map { work in
            let count = traffic.housekeepingFailures[work, default: 0]
            return "\(name)_housekeeping_failures_total{work=\"\(work.rawValue)\"} \(count)"
        }
        lines += describe("\(name)_round_trips_total", "counter", "Waits for an answer of PostgreSQL, by purpose.")
        lines += StoreTraffic.Purpose.allCases.map { purpose in
            "\(name)_round_trips_total{purpose=\"\(purpose.rawValue)\"} \(traffic.roundTrips[purpose, default: 0])"
        }
        lines += describe("\(name)_retries_total", "counter", "Reads and transactions tried again, by reason.")
        lines += StoreTraffic.Retry.allCases.map { reason in
            "\(name)_retries_total{reason=\"\(reason.rawValue)\"} \(traffic.retries[reason, default: 0])"
        }
        return lines
    }

    /// The counts, by label; routes that nobody has called are left out, but for those of devices.
    private var allCounts: [(String, RouteCounts)] {
        // safe: every route has its place
        var all = Route.allCases.map { ($0.label, routes[$0.rawValue].value.withLock { $0 }) }
        all.append(contentsOf: others.withLock { $0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        return all
    }

    func describe(_ name: String, _ type: String, _ help: String) -> [String] {
        ["# HELP \(name) \(help)", "# TYPE \(name) \(type)"]
    }

    private func statusLines(_ label: String, _ counts: RouteCounts) -> [String] {
        // Failures from the first request on: a counter that begins with them would show none to an alert.
        counts.statuses.indices.filter { counts.statuses[$0] > 0 || $0 == 5 }.map { status in
            "placard_http_requests_total{route=\"\(label)\",status=\"\(status)xx\"} \(counts.statuses[status])"
        }
    }

    // safe: every route has its place, and counts go up by one
    private func durationLines(_ label: String, _ counts: RouteCounts) -> [String] {
        let name = "placard_http_request_seconds"
        var lines: [String] = []
        var total: UInt64 = 0
        for (index, count) in counts.durations.enumerated() {
            total += count
            let bound = index < Self.bounds.count ? "\(Self.bounds[index])" : "+Inf"
            lines.append("\(name)_bucket{route=\"\(label)\",le=\"\(bound)\"} \(total)")
        }
        lines.append("\(name)_sum{route=\"\(label)\"} \(counts.seconds)")
        lines.append("\(name)_count{route=\"\(label)\"} \(total)")
        return lines
    }
}
