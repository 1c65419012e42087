import Foundation

/// Threads for work that takes long, so that it takes no turn from the work that others wait for.
///
/// They have less priority than the threads that answer. ``RenderQueue`` says whose turn it is.
final class RenderPool: Sendable {
    /// There is more to do than there will be time for.
    struct OverloadError: Error {}

    private let workers: RenderWorkers

    /// Starts the threads; by default half as many as there are processors.
    init(
        threads: Int = max(1, ProcessInfo.processInfo.activeProcessorCount / 2),
        limits: (all: Int, each: Int) = RenderQueue<Int>.limits
    ) {
        workers = RenderWorkers(limits)
        for _ in 0..<threads { workers.start() }
    }

    deinit { workers.close() }

    /// Does work for a caller when it is their turn, and waits for it.
    ///
    /// - Throws: ``OverloadError`` where too much is pending already, of the caller or of all.
    func run<Value: Sendable>(for caller: String, _ work: @escaping @Sendable () -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isAdded = workers.add(for: caller) { continuation.resume(returning: work()) }
            if !isAdded { continuation.resume(throwing: OverloadError()) }
        }
    }
}

/// The state that the threads share, and keep until it is closed.
///
/// The condition guards its variables.
private final class RenderWorkers: @unchecked Sendable {
    // Templates nest, and so do the calls that render them.
    private static let stackSize = 8 << 20

    private let condition = NSCondition()
    private var queue: RenderQueue<@Sendable () -> Void>
    private var isClosed = false

    init(_ limits: (all: Int, each: Int)) { queue = RenderQueue(limits: limits) }

    func start() {
        let thread = Thread {
            Self.lowerPriority()
            while let (job, caller) = self.next() {
                job()
                self.finish(caller)
            }
        }
        thread.name = "render"
        thread.stackSize = Self.stackSize
        thread.start()
    }

    func close() {
        condition.lock()
        defer { condition.unlock() }
        isClosed = true
        condition.broadcast()
    }

    func add(for caller: String, _ job: @escaping @Sendable () -> Void) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let isAdded = queue.add(job, of: caller)
        if isAdded { condition.signal() }
        return isAdded
    }

    /// Waits for a job; `nil` where there is none left and will be no more.
    private func next() -> (job: @Sendable () -> Void, caller: String)? {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let next = queue.next() { return next }
            // What was added is done: its callers wait for it.
            if isClosed, queue.count == 0 { return nil }
            condition.wait()
        }
    }

    private func finish(_ caller: String) {
        condition.lock()
        defer { condition.unlock() }
        queue.finish(caller)
        // The caller's next job may be done now, and the last thread may end.
        condition.broadcast()
    }

    private static func lowerPriority() {
        #if canImport(Glibc)
        // Of this thread, and not of the process as elsewhere.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        #else
        Thread.current.qualityOfService = .utility
        #endif
    }
}
