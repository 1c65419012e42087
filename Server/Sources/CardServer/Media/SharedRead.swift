/// Reads something large for many callers: one read goes on at a time, and those who come during it share the next.
///
/// So no one gets what was read before they asked, and however many ask, the work is that of one.
actor SharedRead<Value: Sendable> {
    private let read: @Sendable () async throws -> Value
    private var running: Task<Value, any Error>?
    /// The read that hasn't begun.
    private var next: Task<Value, any Error>?

    /// Creates a shared read.
    init(_ read: @escaping @Sendable () async throws -> Value) { self.read = read }

    /// Returns what is read from now on.
    func value() async throws -> Value {
        if let next { return try await next.value }
        let last = running
        let task = Task {
            _ = await last?.result
            (running, next) = (next, nil)
            // What was read is large, and isn't kept.
            defer { running = nil }
            return try await read()
        }
        next = task
        return try await task.value
    }
}
