import ContentCards

/// Makes changes of users one after the other.
///
/// What the app does after it has said who its user is means that user, so it waits until the change has been made.
final class UserChanges: Sendable {
    private struct State {
        /// Ends when the last change has been made; each waits for the one before.
        var last: Task<Void, Never>?
        var pendingCount = 0
        var lastNumber = 0
        var waiting: [Int: [@Sendable () -> Void]] = [:]

        /// Returns the calls that wait for a change, or `nil` where that change is over.
        mutating func next(after number: Int, isMade: Bool) -> [@Sendable () -> Void]? {
            let bodies = waiting.removeValue(forKey: number)
            if isMade, let bodies { return bodies }
            // safe: a number of changes
            if let bodies { waiting[number + 1, default: []].insert(contentsOf: bodies, at: 0) }
            pendingCount -= 1
            return nil
        }
    }

    private let state = Locked(State())

    /// The number of changes that have not been made yet.
    var pendingCount: Int { state.withLock(\.pendingCount) }

    /// Makes a change after all earlier ones.
    ///
    /// The change returns whether it was made; what waits for one that left it to the next waits for that one.
    func make(_ change: @escaping @Sendable () async -> Bool) {
        state.withLock { state in
            let previous = state.last
            state.pendingCount += 1
            state.lastNumber += 1
            let number = state.lastNumber
            state.last = Task {
                await previous?.value
                finish(number, isMade: await change())
            }
        }
    }

    /// Does something as the user of the last change: at once where that has been made, or else right after it.
    func perform(_ body: @escaping @Sendable () -> Void) {
        let isNow = state.withLock { state in
            guard state.pendingCount > 0 else { return true }
            state.waiting[state.lastNumber, default: []].append(body)
            return false
        }
        if isNow { body() }
    }

    /// Returns when all changes have been made that were asked for until now.
    func settle() async {
        await state.withLock(\.last)?.value
    }

    private func finish(_ number: Int, isMade: Bool) {
        while let bodies = state.withLock({ $0.next(after: number, isMade: isMade) }) {
            for body in bodies { body() }
        }
    }
}
