import WireJSON

/// Work that is pending: callers take turns, and none has more than one job running.
///
/// A value: it is told what is asked for and what has ended, and says what is next.
struct RenderQueue<Job> {
    /// The maximum number of pending jobs, of all callers and of one.
    typealias Limits = (all: Int, each: Int)

    /// The limits of feeds.
    static var limits: Limits { (256, 4) }

    private let limits: Limits
    private var jobs: [ByteString: [Job]] = [:]
    /// The callers of which a job is pending and none is running, the next one first.
    private var order: [ByteString] = []
    private var running: Set<ByteString> = []
    /// The number of jobs that are pending.
    private(set) var count = 0

    /// Creates an empty queue.
    init(limits: Limits = Self.limits) { self.limits = limits }

    /// Adds a job, or returns `false` where there is more to do than there will be time for.
    mutating func add(_ job: Job, of caller: String) -> Bool {
        let caller = ByteString(caller)
        let isKnown = jobs[caller] != nil
        guard count < limits.all, (jobs[caller]?.count ?? 0) < limits.each else { return false }
        jobs[caller, default: []].append(job)
        count += 1
        if !isKnown, !running.contains(caller) { order.append(caller) }
        return true
    }

    /// Returns the next job, which is running until it is finished; `nil` where there is none to begin.
    mutating func next() -> (job: Job, caller: String)? {
        guard !order.isEmpty else { return nil }
        let caller = order.removeFirst()
        guard var own = jobs.removeValue(forKey: caller), !own.isEmpty else { return nil }
        let job = own.removeFirst()
        if !own.isEmpty { jobs[caller] = own }
        running.insert(caller)
        count -= 1
        return (job, caller.text)
    }

    /// Notes that a caller's job has ended.
    mutating func finish(_ caller: String) {
        let caller = ByteString(caller)
        running.remove(caller)
        if jobs[caller] != nil { order.append(caller) }
    }
}
