import ContentCards
import Foundation

/// Answers requests as a test says, without a network, and remembers them.
///
/// A request is answered by the first rule that has an answer for it. Without a rule, `/v1/events` takes everything,
/// `/v1/live` stays open and silent, and all else fails as if there were no network.
public final class ScriptedTransport: Transport {
    /// Returns an answer to a request, `nil` if the rule is not about it; throws for "no answer".
    public typealias Rule = @Sendable (TransportRequest) async throws -> TransportResponse?

    private struct State {
        var rules: [Rule] = []
        var requests: [TransportRequest] = []
        var streams: [AsyncThrowingStream<Data, any Error>.Continuation] = []
        var streamWatchers: [CheckedContinuation<Void, Never>] = []
        var watchers: [AsyncStream<TransportRequest>.Continuation] = []
    }

    private let state = Locked(State())

    /// Creates a transport without rules.
    public init() {}

    /// All requests so far, live ones included.
    public var requests: [TransportRequest] { state.withLock(\.requests) }

    /// The requests so far whose path ends in a text, such as `v1/sync`.
    public func requests(to path: String) -> [TransportRequest] {
        requests.filter { $0.url.path.hasSuffix(path) }
    }

    /// Adds a rule, which is asked before the ones that are there.
    public func answer(_ rule: @escaping Rule) {
        state.withLock { $0.rules.insert(rule, at: 0) }
    }

    /// Answers requests whose path ends in a text.
    public func answer(
        _ path: String,
        _ response: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) {
        answer { request in request.url.path.hasSuffix(path) ? try await response(request) : nil }
    }

    /// Sends bytes to all open live streams.
    public func sendLive(_ text: String) {
        for stream in state.withLock(\.streams) { stream.yield(Data(text.utf8)) }
    }

    /// Breaks all open live streams.
    public func breakLive() {
        let streams = state.withLock { state in
            defer { state.streams = [] }
            return state.streams
        }
        for stream in streams { stream.finish(throwing: TransportError.unreachable("the test broke it")) }
    }

    /// Returns the requests from now on as they come, after those of the past if they are wanted too.
    public func newRequests(includingPast: Bool = false) -> AsyncStream<TransportRequest> {
        let (stream, continuation) = AsyncStream.makeStream(of: TransportRequest.self)
        state.withLock { state in
            if includingPast { for request in state.requests { continuation.yield(request) } }
            state.watchers.append(continuation)
        }
        return stream
    }

    /// Waits until a live stream is open, so that what is sent on it arrives.
    public func streamOpened() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if state.streams.isEmpty { state.streamWatchers.append(continuation) }
                return !state.streams.isEmpty
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Answers by the rules.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        for rule in note(request) {
            if let response = try await rule(request) {
                try Task.checkCancellation()
                return response
            }
        }
        guard request.url.path.hasSuffix("v1/events") else { throw TransportError.unreachable("no rule") }
        return .events()
    }

    /// Opens a live stream, unless a rule answers with another status than 200.
    public func open(_ request: TransportRequest) async throws -> TransportStream {
        let (bytes, continuation) = AsyncThrowingStream.makeStream(of: Data.self, throwing: (any Error).self)
        for rule in note(request) {
            if let response = try await rule(request), response.status != 200 {
                continuation.finish()
                return TransportStream(status: response.status, headers: response.headers, bytes: bytes)
            }
        }
        let watchers = state.withLock { state in
            state.streams.append(continuation)
            defer { state.streamWatchers = [] }
            return state.streamWatchers
        }
        for watcher in watchers { watcher.resume() }
        return TransportStream(status: 200, bytes: bytes)
    }

    private func note(_ request: TransportRequest) -> [Rule] {
        state.withLock { state in
            state.requests.append(request)
            for watcher in state.watchers { watcher.yield(request) }
            return state.rules
        }
    }
}
