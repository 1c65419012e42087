import CardModel
import NIOCore
import Synchronization

/// A request that is refused before the application has it: heads that are no request, bodies that are said to be too
/// large, requests that don't arrive in time, and connections for which there is no room.
struct EarlyRefusal: Sendable {
    /// The code of the refusal.
    var reason: String
    /// The status of the answer, or `nil` where the connection was closed without one.
    var status: Int?
    /// The id that the client was told.
    var id: String
    /// The method, where it is known.
    var method: String?
    /// The address that it came from.
    var address: IPAddress?
    /// The number of refusals like it that were not written before it.
    var omitted = 0
}

/// Counts early refusals and writes them down.
///
/// Whoever floods the server with these doesn't fill the disk: of each reason and address, ten are written in ten
/// seconds, and of each reason three hundred; the next one says how many were left out. Every one is counted.
final class EarlyRefusals: Sendable {
    /// The reason of a connection for which there is no room.
    static let noRoom = "connection_limit"

    private let metrics: ServerMetrics
    private let write: (@Sendable (EarlyRefusal) -> Void)?
    private let lines = Mutex(RepeatedLines())

    /// Creates a count.
    ///
    /// - Parameters:
    ///   - metrics: What counts.
    ///   - write: Writes a refusal down, or `nil` where no log is wanted.
    init(_ metrics: ServerMetrics, _ write: (@Sendable (EarlyRefusal) -> Void)?) {
        self.metrics = metrics
        self.write = write
    }

    /// Notes a refusal at a moment of the uptime.
    func note(_ refusal: EarlyRefusal, at now: NIODeadline) {
        // safe: counted one by one
        metrics.earlyRefusals.withLock { $0[refusal.reason, default: 0] += 1 }
        guard let write else { return }
        let line = "\(refusal.reason) \(refusal.address.map(String.init(describing:)) ?? "")"
        guard case .write(let omitted) = lines.withLock({ $0.decide(line, of: refusal.reason, at: now.seconds) })
        else { return }
        var refusal = refusal
        refusal.omitted = omitted
        write(refusal)
    }
}

extension ServerMetrics {
    /// The reasons that are there from the start, so that rates and alerts find them.
    private static let reasons = [
        EarlyRefusals.noRoom, "body_too_large", "head_too_large", "request_malformed", "request_timeout",
        RequestError.stopping.code,
    ]

    var earlyRefusalLines: [String] {
        let name = "placard_refused_requests_total"
        var counts = earlyRefusals.withLock { $0 }
        for reason in Self.reasons where counts[reason] == nil { counts[reason] = 0 }
        return describe(name, "counter", "What was refused before it was a request with a route, by reason.")
            + counts.sorted { $0.key < $1.key }.map { "\(name){reason=\"\($0.key)\"} \($0.value)" }
    }
}
