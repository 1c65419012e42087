import ContentCards
import FeedScreen
import Foundation

/// Carries requests as the SDK does, and tells how the connection is.
struct WatchedTransport: Transport {
    private let base = URLSessionTransport()
    private let notice: @Sendable (FeedConnection) -> Void

    init(notice: @escaping @Sendable (FeedConnection) -> Void) {
        self.notice = notice
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        do {
            let response = try await base.send(request)
            if response.status >= 400 { notice(.refused(status: response.status)) }
            return response
        } catch {
            if !Task.isCancelled { notice(.offline) }
            throw error
        }
    }

    func open(_ request: TransportRequest) async throws -> TransportStream {
        do {
            let stream = try await base.open(request)
            notice(stream.status == 200 ? .live : .refused(status: stream.status))
            return TransportStream(status: stream.status, bytes: watch(stream.bytes))
        } catch {
            if !Task.isCancelled { notice(.offline) }
            throw error
        }
    }

    private func watch(_ bytes: AsyncThrowingStream<Data, any Error>) -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { continuation in
            let relay = Task {
                do {
                    for try await piece in bytes { continuation.yield(piece) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
                if !Task.isCancelled { notice(.connecting) }
            }
            continuation.onTermination = { _ in relay.cancel() }
        }
    }
}
