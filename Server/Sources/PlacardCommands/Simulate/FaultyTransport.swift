import ContentCards
import Foundation
import Simulation
import Synchronization

/// Carries requests over the network, and spoils some of them as the plan says.
final class FaultyTransport: Transport {
    private let base = URLSessionTransport()
    private let plan: Mutex<RequestFaultPlan>?
    private let isSpoiling: @Sendable () -> Bool
    private let log: StatisticsLog

    init(plan: RequestFaultPlan?, log: StatisticsLog, isSpoiling: @escaping @Sendable () -> Bool) {
        self.plan = plan.map { Mutex($0) }
        self.log = log
        self.isSpoiling = isSpoiling
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let fault = isSpoiling() ? plan?.withLock { $0.next() } : nil
        if let fault { log.note(fault) }
        switch fault {
        case nil: return try await measured(request)
        case .requestLost: throw TransportError.unreachable("lost on purpose")
        case .answerLost:
            _ = try await measured(request)
            throw TransportError.unreachable("answer lost on purpose")
        case .late(let seconds):
            let response = try await measured(request)
            try await Task.sleep(for: .seconds(seconds))
            return response
        case .twice:
            _ = try await measured(request)
            return try await measured(request)
        }
    }

    func open(_ request: TransportRequest) async throws -> TransportStream {
        try await base.open(request)
    }

    private func measured(_ request: TransportRequest) async throws -> TransportResponse {
        let start = ContinuousClock.now
        do {
            let response = try await base.send(request)
            log.noteRequest(milliseconds: start.duration(to: .now) / .milliseconds(1))
            return response
        } catch {
            log.noteFailure()
            throw error
        }
    }
}

/// Adds up what happens in one process.
final class StatisticsLog: Sendable {
    private let statistics = Mutex(RunStatistics())

    func note(_ fault: RequestFault) {
        statistics.withLock { $0.faults[fault.name, default: 0] += 1 }
    }

    func noteRequest(milliseconds: Double) {
        statistics.withLock { statistics in
            statistics.requests += 1
            statistics.note(milliseconds: milliseconds)
        }
    }

    func noteFailure() { statistics.withLock { $0.failures += 1 } }

    func noteEvent() { statistics.withLock { $0.events += 1 } }

    /// Keeps the sums in a file, since the process may be killed.
    func save(to path: String) {
        let bytes = statistics.withLock { $0.json.bytes }
        try? Data(bytes).write(to: URL(filePath: path), options: .atomic)
    }
}
