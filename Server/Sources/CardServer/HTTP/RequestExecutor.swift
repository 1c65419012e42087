import Foundation

/// Threads for the requests of backends, or for those of members, so that these take none of the threads that answer
/// others.
///
/// A body of a megabyte takes tens of milliseconds to read, to check and to store, and such requests may come at any
/// rate from whoever has a key. A function that is run here stays here wherever it waits.
final class RequestExecutor: TaskExecutor {
    /// That of the process for backends: servers beside each other have no more processors than one.
    static let shared = RequestExecutor()
    /// That of the process for pages.
    static let pages = RequestExecutor(name: "pages")

    private let jobs = PendingJobs()

    /// Starts the threads; by default as many as there are processors, and two at least.
    init(threads: Int = max(2, ProcessInfo.processInfo.activeProcessorCount), name: String = "requests") {
        for _ in 0..<threads { jobs.startThread(name) }
    }

    deinit { jobs.close() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.add { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Whether the current thread is one of an executor's.
    static var isCurrent: Bool { Thread.current.threadDictionary[mark] != nil }

    fileprivate static let mark = "PlacardRequests"

    /// Runs a function on these threads.
    func run<Value: Sendable>(_ function: () async throws -> Value) async rethrows -> Value {
        try await withTaskExecutorPreference(self, operation: function)
    }
}

/// The state that the threads share, and keep until it is closed.
///
/// The condition guards its variables.
private final class PendingJobs: @unchecked Sendable {
    // What a request calls nests as deep as its body, or its template.
    private static let stackSize = 8 << 20

    private let condition = NSCondition()
    private var jobs: [@Sendable () -> Void] = []
    private var first = 0
    private var isClosed = false

    func startThread(_ name: String) {
        let thread = Thread {
            Thread.current.threadDictionary[RequestExecutor.mark] = true
            // Linux names only a thread that runs; one that doesn't yet would keep the name of the thread that made it.
            Thread.current.name = name
            while let job = self.next() { job() }
        }
        thread.stackSize = Self.stackSize
        thread.start()
    }

    func close() {
        condition.lock()
        defer { condition.unlock() }
        isClosed = true
        condition.broadcast()
    }

    func add(_ job: @escaping @Sendable () -> Void) {
        condition.lock()
        defer { condition.unlock() }
        jobs.append(job)
        condition.signal()
    }

    /// Waits for a job; `nil` where there will be no more.
    private func next() -> (@Sendable () -> Void)? {
        condition.lock()
        defer { condition.unlock() }
        while first == jobs.count {
            if isClosed { return nil }
            condition.wait()
        }
        let job = jobs[first]
        first += 1
        // What was run stays in the list until it is most of it, so that each is moved once on average.
        if first > 256, first > jobs.count / 2 {
            jobs.removeFirst(first)
            first = 0
        } else if first == jobs.count {
            jobs.removeAll(keepingCapacity: true)
            first = 0
        }
        return job
    }
}
