import Synchronization

/// Bounds the bytes of request bodies that the server has in memory at a time.
///
/// Bytes are counted as they arrive, not as they are announced, so that nobody takes room who sends nothing.
///
/// A client's address has at most as many as are free beside it, so that a few of them never fill all: of five that
/// hold what they get, each has a sixth, and a sixth stays for everybody else.
final class BodyBudget: Sendable {
    /// Says that there is no room now.
    enum Refusal: Error, Sendable {
        /// The server has as many bytes as it holds.
        case full
        /// The client's address has as many as one may have.
        case address
    }

    /// Bodies of up to that many bytes are not counted: the number of connections bounds them.
    static let free = 4_096

    private struct State {
        var total = 0
        var clients: [ClientKey: Int] = [:]
    }

    private let total: Int
    private let perAddress: Int
    private let state = Mutex(State())

    /// Creates a budget of that many bytes in all and for one client address.
    init(total: Int, perAddress: Int) {
        self.total = total
        self.perAddress = perAddress
    }

    /// The number of bytes that are counted now.
    var used: Int { state.withLock { $0.total } }

    /// Takes room for bytes of a client's request.
    func take(_ bytes: Int, for client: ClientKey?) throws(Refusal) {
        try state.withLock { state throws(Refusal) in
            // safe: bytes that are in memory
            guard state.total + bytes <= total else { throw .full }
            if let client {
                let used = state.clients[client, default: 0]
                // safe: bytes that are in memory
                guard used + bytes <= perAddress else { throw .address }
                // safe: bytes that are in memory
                guard used + bytes <= total - state.total else { throw used > 0 ? .address : .full }
                // safe: bytes that are in memory
                state.clients[client] = used + bytes
            }
            // safe: at most the whole budget
            state.total += bytes
        }
    }

    /// Gives room back.
    func giveBack(_ bytes: Int, of client: ClientKey?) {
        state.withLock { state in
            // safe: taken before
            state.total -= bytes
            guard let client, let used = state.clients[client] else { return }
            // safe: more than those bytes
            state.clients[client] = used > bytes ? used - bytes : nil
        }
    }
}

extension RequestError {
    /// Refuses a body for which there is no room now.
    init(_ refusal: BodyBudget.Refusal) {
        let seconds = Int.random(in: 1...5)
        switch refusal {
        case .full:
            self.init(
                .serviceUnavailable,
                "unavailable",
                "The server is reading as much as it can. Try again.",
                retryAfter: seconds
            )
        case .address:
            self.init(
                .tooManyRequests,
                "rate_limited",
                "This address is sending as much as it may. Wait as long as Retry-After says.",
                retryAfter: seconds
            )
        }
    }
}
