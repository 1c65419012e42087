/// Calls back after some time.
@MainActor
enum Delay {
    /// The longest time that is waited, in seconds: a day.
    nonisolated static let longest: TimeInterval = 86_400

    /// Returns a number of seconds in nanoseconds, between none and ``longest``.
    nonisolated static func nanoseconds(of seconds: TimeInterval) -> UInt64 {
        // Of what is no number, nothing is greater than zero.
        UInt64((seconds > 0 ? min(seconds, longest) : 0) * 1_000_000_000)
    }

    /// Calls back after a number of seconds, at the end of the current turn at the earliest.
    static func call(after seconds: TimeInterval, _ body: @escaping @MainActor () -> Void) {
        Task {
            try? await Task.sleep(nanoseconds: nanoseconds(of: seconds))
            body()
        }
    }
}
