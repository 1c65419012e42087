import CardModel
import Synchronization

/// The forms that browsers without a session have sent, each once.
///
/// They are kept in memory and few: nothing of strangers goes into the store. What is forgotten can be sent again,
/// which still takes a password.
final class SpentNonces: Sendable {
    private struct State {
        var known: Set<[UInt8]> = []
        var ring: [[UInt8]] = []
        var next = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int = 20_000) { self.limit = limit }

    /// Notes that a form was sent, by the 16 bytes that are unique to it, and returns whether it was the first time.
    func spend(_ nonce: [UInt8]) -> Bool {
        state.withLock { state in
            guard state.known.insert(nonce).inserted else { return false }
            if state.ring.count < limit {
                state.ring.append(nonce)
            } else {
                state.known.remove(state.ring[state.next])
                state.ring[state.next] = nonce
                // safe: a limit of ours
                state.next = (state.next + 1) % limit
            }
            return true
        }
    }
}

/// A limit on the failed sign-ins that the audit log takes: strangers write into it by failing.
///
/// What is beyond goes to the server's log alone.
final class RefusalBudget: Sendable {
    private struct Window {
        let length: Double
        let most: Int
        var start = 0.0
        var count = 0

        func isOpen(at now: UnixTime) -> Bool { abs(now - start) >= length || count < most }

        mutating func take(at now: UnixTime) {
            if abs(now - start) >= length { (start, count) = (now, 0) }
            count += 1
        }
    }

    private let windows = Mutex([Window(length: 60, most: 30), Window(length: 86_400, most: 2_000)])

    /// Returns whether one more is taken.
    func take(at now: UnixTime) -> Bool {
        windows.withLock { windows in
            guard windows.allSatisfy({ $0.isOpen(at: now) }) else { return false }
            for index in windows.indices { windows[index].take(at: now) }
            return true
        }
    }
}
