import ContentCards
import Foundation

/// Wakes all who wait for it each second by one timer, and has none while nobody waits.
@MainActor
final class SharedTimer {
    /// The timer of all views.
    static let shared = SharedTimer()

    private static let interval: TimeInterval = 1
    private let clock: any ContentCardsClock
    private var actions: [ObjectIdentifier: @MainActor () -> Bool] = [:]
    private var task: Task<Void, Never>?

    /// Creates a timer that nobody waits for.
    ///
    /// - Parameter clock: tells the time; only tests need another.
    init(clock: any ContentCardsClock = SystemClock()) {
        self.clock = clock
    }

    /// Whether anybody waits.
    var isRunning: Bool { task != nil }

    /// Calls a closure each second, for as long as it returns true and its owner isn't removed.
    func add(_ owner: AnyObject, _ action: @escaping @MainActor () -> Bool) {
        actions[ObjectIdentifier(owner)] = action
        guard task == nil else { return }
        task = Task { [weak self, clock] in
            while (try? await clock.sleep(for: Self.interval)) != nil {
                guard let self, tick() else { return }
            }
        }
    }

    /// Wakes an owner no more.
    func remove(_ owner: AnyObject) {
        actions[ObjectIdentifier(owner)] = nil
        stopIfIdle()
    }

    /// Calls all who wait, and returns whether any of them goes on.
    private func tick() -> Bool {
        for (owner, action) in actions where !action() { actions[owner] = nil }
        stopIfIdle()
        return isRunning
    }

    private func stopIfIdle() {
        guard actions.isEmpty else { return }
        task?.cancel()
        task = nil
    }
}
