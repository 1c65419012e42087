import CardModel
import Logging

/// The counts of connections before they bring requests.
struct ConnectionArrivals: Sendable, Equatable {
    /// The reason why new connections wait to be accepted.
    enum AcceptWait: String, CaseIterable, Sendable {
        /// As many as are wanted are open.
        case limit = "connection_limit"
        /// The system has nothing left for one, such as a descriptor.
        case shortage = "no_descriptor"
    }

    /// The limit for which a connection is closed that nobody uses.
    enum Limit: String, CaseIterable, Sendable {
        /// The connections of one address.
        case address = "address_limit"
        /// All connections.
        case total = "connection_limit"
    }

    /// The number of times they had to wait.
    var waits: [AcceptWait: Int] = [:]
    /// The number of connections that nobody used and that had to go for others.
    var evictions: [Limit: Int] = [:]
    /// The number of connections that were closed since too much of their answers waited to be read.
    var unreadCloses = 0
    /// The number of handshakes of TLS that were completed.
    var handshakes = 0
    /// The number of handshakes that failed.
    var failedHandshakes = 0
}

extension ServerMetrics {
    // safe: counted one by one
    /// Counts that new connections have to wait.
    func countAcceptWait(_ wait: ConnectionArrivals.AcceptWait) {
        arrivals.withLock { $0.waits[wait, default: 0] += 1 }
    }

    // safe: counted one by one
    /// Counts and logs that a connection which nobody used had to go for another.
    func noteEviction(_ limit: ConnectionArrivals.Limit, in logger: Logger) {
        arrivals.withLock { $0.evictions[limit, default: 0] += 1 }
        logger.warning(
            "Connections that nobody uses are closed: there are as many as are allowed",
            metadata: ["reason": "\(limit.rawValue)"]
        )
    }

    /// Counts that a connection was closed because there is no room for what its client doesn't read.
    func countUnreadClose() { arrivals.withLock { $0.unreadCloses += 1 } }

    /// Counts a handshake of TLS that is over.
    func countHandshake(isComplete: Bool) {
        arrivals.withLock { arrivals in
            if isComplete { arrivals.handshakes += 1 } else { arrivals.failedHandshakes += 1 }
        }
    }

    /// Returns the counts, and the time at which the certificate expires; zeros without one, so that rates and alerts
    /// find their metrics.
    func arrivalLines(_ certificate: (ends: UnixTime, failures: Int)?) -> [String] {
        let arrivals = arrivals.withLock { $0 }
        var lines = describe("placard_accept_waits_total", "counter", "Times that new connections waited, by reason.")
        lines += ConnectionArrivals.AcceptWait.allCases.map { wait in
            "placard_accept_waits_total{reason=\"\(wait.rawValue)\"} \(arrivals.waits[wait, default: 0])"
        }
        let evicted = "placard_evicted_connections_total"
        lines += describe(evicted, "counter", "Unused connections that were closed for others, by reason.")
        lines += ConnectionArrivals.Limit.allCases.map { limit in
            "\(evicted){reason=\"\(limit.rawValue)\"} \(arrivals.evictions[limit, default: 0])"
        }
        let unread = "placard_unread_answers_closed_total"
        lines += describe(unread, "counter", "Connections that were closed since their clients didn't read answers.")
        lines.append("\(unread) \(arrivals.unreadCloses)")
        lines += describe("placard_tls_handshakes_total", "counter", "Handshakes of TLS, by result.")
        lines.append("placard_tls_handshakes_total{result=\"complete\"} \(arrivals.handshakes)")
        lines.append("placard_tls_handshakes_total{result=\"failed\"} \(arrivals.failedHandshakes)")
        let name = "placard_tls_certificate"
        lines += describe("\(name)_reload_failures_total", "counter", "Reloads that kept the old certificate.")
        lines.append("\(name)_reload_failures_total \(certificate?.failures ?? 0)")
        guard let certificate else { return lines }
        lines += describe("\(name)_expiry_timestamp_seconds", "gauge", "When the certificate expires, in Unix seconds.")
        lines.append("\(name)_expiry_timestamp_seconds \(Int(saturating: certificate.ends))")
        return lines
    }
}
