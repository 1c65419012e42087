import CardModel
import Synchronization

/// Everybody who wants to hear of changes.
package final class ChangeListeners: Sendable {
    private struct State {
        var continuations: [Int: AsyncStream<StoreChange>.Continuation] = [:]
        var nextID = 0
        var isClosed = false
    }

    /// The number of changes that a listener can fall behind before it is told ``StoreChange/anything``.
    private let bufferSize: Int
    private let state = Mutex(State())

    /// Creates a list without listeners; see the store's options for the size.
    package init(bufferSize: Int) { self.bufferSize = bufferSize }

    /// Listens from now on.
    package func listen() -> AsyncStream<StoreChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: StoreChange.self,
            bufferingPolicy: .bufferingNewest(bufferSize)
        )
        let id: Int? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.nextID += 1
            state.continuations[state.nextID] = continuation
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in _ = state.continuations.removeValue(forKey: id) }
        }
        return stream
    }

    /// Tells of what a group has changed.
    package func announce(_ changes: GroupChanges) {
        guard changes.catalog || !changes.users.isEmpty else { return }
        let continuations = current
        if changes.catalog { announce(.catalog, to: continuations) }
        for user in changes.removed { announce(.removed(user), to: continuations) }
        for change in StoreChange.of(changes.users) { announce(change, to: continuations) }
    }

    /// Tells of one change.
    package func announce(_ change: StoreChange) { announce(change, to: current) }

    /// Ends every stream.
    package func close() {
        let continuations = state.withLock { state in
            defer { state.continuations = [:] }
            state.isClosed = true
            return Array(state.continuations.values)
        }
        for continuation in continuations { continuation.finish() }
    }

    private var current: [AsyncStream<StoreChange>.Continuation] {
        state.withLock { Array($0.continuations.values) }
    }

    private func announce(_ change: StoreChange, to continuations: [AsyncStream<StoreChange>.Continuation]) {
        for continuation in continuations {
            guard case .dropped = continuation.yield(change) else { continue }
            // Whatever was lost to make room is covered by this, which is behind it in the buffer.
            continuation.yield(.anything)
        }
    }
}

extension StoreChange {
    /// More users than that are told of at once, so that they take one place in a listener's buffer.
    private static let bulk = 50

    /// Tells of users whose feeds changed, each with the device that changed it.
    package static func of(_ users: [UserID: String?]) -> [StoreChange] {
        users.count > bulk ? [.users(users)] : users.map { .user($0.key, except: $0.value) }
    }
}
