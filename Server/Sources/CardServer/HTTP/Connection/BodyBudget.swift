import Synchronization

/// Bounds the bytes of request bodies that the server has in memory at a time.
///
/// In all, bytes are counted as they arrive, not as they are announced, so that nobody takes room who sends nothing. Of
/// one client's address they are reserved when they are announced, so that of several bodies that don't fit beside each
/// other the first is read, and none ends halfway. Whoever announces a body and sends nothing blocks their own address
/// alone, for as long as a body has time to arrive.
///
/// A client's address has at most as many as are free beside it, so that a few of them never fill all: of five that
/// hold what they get, each has a sixth, and a sixth stays for everybody else.
final class BodyBudget: Sendable {
    /// Says that there is no room now.
    enum BodyError: Error, Sendable {
        /// The server has as many bytes as it holds.
        case full
        /// The client's address has as many as one may have.
        case address
    }

    /// Bodies of up to that many bytes are not counted: the number of connections bounds them.
    static let free = 4_096

    /// The share of a client's address.
    fileprivate struct Share: Equatable {
        /// The bytes that have arrived.
        var held = 0
        /// These, and those that were announced.
        var reserved = 0
    }

    private struct State {
        var total = 0
        var clients: [ClientKey: Share] = [:]
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

    /// Keeps room for a body that a client announces, beside its others.
    func reserve(_ bytes: Int, for client: ClientKey?) throws(BodyError) {
        guard let client else { return }
        try state.withLock { state throws(BodyError) in
            var share = state.clients[client, default: Share()]
            try share.reserve(bytes, within: perAddress)
            state.clients[client] = share
        }
    }

    /// Takes room for bytes of a client's request.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes that have arrived.
    ///   - client: The client.
    ///   - isReserved: Whether room was kept for them.
    /// - Throws: A refusal where there is no room.
    func take(_ bytes: Int, for client: ClientKey?, isReserved: Bool = false) throws(BodyError) {
        try state.withLock { state throws(BodyError) in
            // safe: at most the whole budget is in use
            let rest = total - state.total
            guard bytes <= rest else { throw .full }
            if let client {
                var share = state.clients[client, default: Share()]
                if !isReserved { try share.reserve(bytes, within: perAddress) }
                // safe: bytes that are in memory
                guard share.held + bytes <= rest else { throw share.held > 0 ? .address : .full }
                // safe: bytes that are in memory
                share.held += bytes
                state.clients[client] = share
            }
            // safe: at most the whole budget
            state.total += bytes
        }
    }

    /// Gives room back.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes that were taken.
    ///   - reserved: The number of bytes that were reserved, if more.
    ///   - client: The client.
    func giveBack(_ bytes: Int, reserved: Int = 0, of client: ClientKey?) {
        state.withLock { state in
            // safe: taken before
            state.total -= bytes
            guard let client, var share = state.clients[client] else { return }
            // safe: taken before
            share.held = max(0, share.held - bytes)
            // safe: reserved before
            share.reserved = max(0, share.reserved - max(bytes, reserved))
            state.clients[client] = share == Share() ? nil : share
        }
    }
}

extension BodyBudget.Share {
    /// Adds to what is reserved.
    fileprivate mutating func reserve(_ bytes: Int, within bound: Int) throws(BodyBudget.BodyError) {
        // safe: at most the bound is reserved
        guard bytes <= bound - reserved else { throw .address }
        // safe: at most the bound
        reserved += bytes
    }
}

extension RequestError {
    /// Refuses a body for which there is no room now.
    init(_ refusal: BodyBudget.BodyError) {
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
