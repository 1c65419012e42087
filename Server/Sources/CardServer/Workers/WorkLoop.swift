import ServiceLifecycle

/// The loop of a worker that runs beside the answers: steps, and waits between them, until the server stops.
///
/// A step that has begun is finished. A wait ends as soon as the server stops.
struct WorkLoop: Sendable {
    private let wait: @Sendable (_ seconds: Double) async -> Void

    /// Creates a loop.
    ///
    /// - Parameter wait: Waits some seconds, or until the server stops.
    init(wait: @escaping @Sendable (_ seconds: Double) async -> Void = { await WorkLoop.waitUnlessStopped($0) }) {
        self.wait = wait
    }

    /// Repeats a step until the server stops.
    ///
    /// - Parameter step: Does a piece of work, and returns how many seconds to wait before the next one; 0 where there
    ///   is more to do.
    func run(_ step: () async -> Double) async {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            let pause = await step()
            if pause > 0 { await wait(pause) }
        }
    }

    /// Waits some seconds, or until the server stops.
    static func waitUnlessStopped(_ seconds: Double) async {
        // safe: an hour at most
        try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(seconds)) }
    }
}
