import CardModel
import CardServer
import Dispatch
import Foundation
import Synchronization

/// Checks and hashes passwords off the threads that answer requests, few at a time, in the order of ``PasswordLanes``.
final class PasswordQueue: Sendable {
    /// Says that others come first for now.
    struct Busy: Error {
        /// The seconds after which to try again.
        static let retryAfter = 5.0
    }

    private struct Waiter {
        let run: @Sendable () -> Void
        let refuse: @Sendable () -> Void
    }

    private struct State {
        var lanes = PasswordLanes()
        var waiters: [UInt64: Waiter] = [:]
        var running = 0
    }

    /// The cost of a hash that is made here.
    let cost: PasswordCost
    private let width: Int
    private let clock: @Sendable () -> UnixTime
    private let threads = DispatchQueue(label: "placard.passwords", qos: .userInitiated, attributes: .concurrent)
    private let state = Mutex(State())

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - width: How many are checked at once, each with 128 MiB; by default one, or two from four processors on.
    ///   - cost: What a hash costs.
    ///   - clock: The time now.
    init(
        width: Int = ProcessInfo.processInfo.activeProcessorCount < 4 ? 1 : 2,
        cost: PasswordCost = .standard,
        clock: @escaping @Sendable () -> UnixTime
    ) {
        self.width = width
        self.cost = cost
        self.clock = clock
    }

    /// Returns whether a password is the one that was hashed.
    ///
    /// - Throws: ``Busy``.
    func verify(_ password: String, against hash: String, for caller: PasswordLanes.Caller) async throws -> Bool {
        try await run(for: caller) { PasswordHash.verify(password, against: hash) }
    }

    /// Hashes a password.
    ///
    /// - Throws: ``Busy``, or what hashing throws.
    func hash(_ password: String, for caller: PasswordLanes.Caller) async throws -> String {
        try await run(for: caller) { [cost] in
            Result { try PasswordHash.make(password, rounds: cost.rounds) }
        }.get()
    }

    /// Does work that is as costly as that of a password.
    ///
    /// - Throws: ``Busy``.
    func run<Value: Sendable>(
        for caller: PasswordLanes.Caller,
        _ work: @escaping @Sendable () -> Value
    ) async throws -> Value {
        let result: Result<Value, Busy> = await withCheckedContinuation { continuation in
            add(
                Waiter(
                    run: { continuation.resume(returning: .success(work())) },
                    refuse: { continuation.resume(returning: .failure(Busy())) }
                ),
                for: caller
            )
        }
        return try result.get()
    }

    private func add(_ waiter: Waiter, for caller: PasswordLanes.Caller) {
        let refused = state.withLock { state in
            let added = state.lanes.add(caller, at: clock())
            state.waiters[added.id] = waiter
            return added.refused.compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in refused { waiter.refuse() }
        start()
    }

    /// Starts what comes next, where there is a thread for it.
    private func start() {
        let (next, refused) = state.withLock { state -> (Waiter?, [Waiter]) in
            guard state.running < width else { return (nil, []) }
            let (id, late) = state.lanes.next(at: clock())
            let next = id.flatMap { state.waiters.removeValue(forKey: $0) }
            if next != nil { state.running += 1 }
            return (next, late.compactMap { state.waiters.removeValue(forKey: $0) })
        }
        for waiter in refused { waiter.refuse() }
        guard let next else { return }
        threads.async { [self] in
            next.run()
            state.withLock { $0.running -= 1 }
            start()
        }
    }
}
