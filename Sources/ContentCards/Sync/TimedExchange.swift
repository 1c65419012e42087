import Foundation

/// Sends one request and always comes back, with an answer or with what went wrong.
struct TimedExchange: Sendable {
    private let transport: any Transport
    private let clock: any ContentCardsClock
    private let timeout: TimeInterval

    init(_ parts: SyncEngine.EngineParts) {
        transport = parts.transport
        clock = parts.clock
        timeout = parts.settings.requestTimeout
    }

    /// Sends a request; after the timeout it is cancelled, whatever the transport does about time itself.
    func send(_ request: TransportRequest) async -> Result<TransportResponse, RequestFailure> {
        await withTaskGroup(of: Result<TransportResponse, RequestFailure>.self) { group in
            group.addTask { [transport] in
                do {
                    return .success(try await transport.send(request))
                } catch {
                    return .failure(RequestFailure(error))
                }
            }
            group.addTask { [clock, timeout] in
                try? await clock.sleep(for: timeout)
                return .failure(.timedOut)
            }
            let first = await group.next() ?? .failure(.timedOut)
            group.cancelAll()
            return first
        }
    }
}
