import CardModel
import Synchronization

/// Decides where the cards of a feed are rendered.
///
/// Nearly all feeds cost less than a change of threads, and are rendered on the spot. One that costs more is stopped
/// after a moment and rendered from the beginning by a pool; the next time it goes there at once. So no user's cards
/// keep another user's sync waiting, whatever their attributes make of a template.
final class FeedRenderer: Sendable {
    /// The number of users that are remembered because their feeds cost more.
    private static let memory = 1_000

    private let feeds = RenderPool()
    /// Apart from the feeds', so that members who try templates and users don't wait for each other.
    private let authoring = RenderPool()
    private let costly = Mutex<Set<UserID>>([])

    /// Has a function make something of a user's cards.
    ///
    /// - Parameters:
    ///   - user: The user, who waits for nothing but their own work where that takes long.
    ///   - render: Makes it within a budget; called again with a larger one where the first is not enough.
    /// - Returns: What it made.
    /// - Throws: `RequestError.unavailable` where too much is pending already.
    func render<Value: Sendable>(
        for user: UserID,
        _ render: @escaping @Sendable (RenderBudget) -> Value
    ) async throws -> Value {
        if !costly.withLock({ $0.contains(user) }) {
            let budget = RenderBudget.moment
            let value = render(budget)
            if !budget.isSpent { return value }
            remember(user)
        }
        let (value, isCostly) = try await run(in: feeds, for: user.rawValue) {
            let budget = RenderBudget.feed
            let value = render(budget)
            return (value, budget.isCostly)
        }
        if !isCostly { costly.withLock { _ = $0.remove(user) } }
        return value
    }

    private func remember(_ user: UserID) {
        costly.withLock { costly in
            if costly.count >= Self.memory { costly = [] }
            costly.insert(user)
        }
    }

    /// Returns what a function makes on other threads than those that answer: for previews, checks and explanations.
    ///
    /// - Throws: `RequestError.unavailable` where too much is pending already.
    func offload<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws -> Value {
        try await run(in: authoring, for: RandomText.letters(22), work)
    }

    private func run<Value: Sendable>(
        in pool: RenderPool,
        for caller: String,
        _ work: @escaping @Sendable () -> Value
    ) async throws -> Value {
        let content = ContentSession.current
        do {
            return try await pool.run(for: caller) { ContentSession.$current.withValue(content, operation: work) }
        } catch is RenderPool.OverloadError {
            throw RequestError.unavailable
        }
    }
}
