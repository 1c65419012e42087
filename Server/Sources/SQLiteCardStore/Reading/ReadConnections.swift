import CardModel
import CardStore
import Synchronization

/// Connections for the hot reads, lent to whoever reads for as long as the read takes.
///
/// A read runs on the caller's own thread and never waits for another: GRDB's asynchronous reads hop to a queue and
/// back, which costs more than the read. There are as many connections as threads have ever read at one moment.
final class ReadConnections: ImmediateReads {
    private struct State {
        var idle: [ReadConnection] = []
        var isClosed = false
    }

    /// Beyond this, connections that come back are closed.
    private static let idleLimit = 64

    private let path: String
    private let cacheKiB: Int
    private let state = Mutex(State())

    init(path: String, cacheKiB: Int) {
        self.path = path
        self.cacheKiB = cacheKiB
    }

    func userRevision(of user: UserID) throws -> UserRevision? { try read { try $0.revision(of: user) } }

    func userState(of user: UserID, including parts: UserHistory.Parts, dueBy time: UnixTime) throws -> UserState? {
        try read { try $0.state(of: user, including: parts, dueBy: time) }
    }

    /// Reads on a connection that nobody else uses at the time.
    @inline(__always)
    func read<Value>(_ body: (ReadConnection) throws -> Value) throws(StoreError) -> Value {
        do {
            let connection = try take()
            do {
                let value = try body(connection)
                giveBack(connection)
                return value
            } catch let failure as SQLiteError where failure.spoilsConnection {
                throw failure
            } catch {
                giveBack(connection)
                throw error
            }
        } catch {
            throw StoreError(error)
        }
    }

    private func take() throws -> ReadConnection {
        let idle = try state.withLock { state in
            if state.isClosed { throw StoreError.closed }
            return state.idle.popLast()
        }
        return try idle ?? ReadConnection(path: path, cacheKiB: cacheKiB)
    }

    private func giveBack(_ connection: ReadConnection) {
        state.withLock { state in
            if !state.isClosed, state.idle.count < Self.idleLimit { state.idle.append(connection) }
        }
    }

    func close() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            state.isClosed = true
            return state.idle
        }
        _ = idle
    }
}
