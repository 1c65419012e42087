import ServiceLifecycle
import Synchronization

/// The progress of a server that stops: the step that it waits for.
public final class StopProgress: Sendable {
    /// The steps, in the order in which they end.
    public enum Step: Int, Sendable, Comparable {
        case start, drain, connections, mail, pages, pictures, imports, merging, keySets, webhook, changes, traces,
            store, process

        /// The text for the log that says what the server waits for in the step.
        public var text: String {
            switch self {
            case .start: "the database to open"
            case .drain: "live streams to reconnect"
            case .connections: "connections to end"
            case .mail: "the worker of mails"
            case .pages: "open pages of the dashboard"
            case .pictures: "the worker that removes deleted pictures"
            case .imports: "the worker of imports"
            case .merging: "the worker that moves events of merged users"
            case .keySets: "the worker that reads published keys"
            case .webhook: "the worker of the webhook"
            case .changes: "the worker that looks for changes in the database"
            case .traces: "the worker that sends traces"
            case .store: "the database to close"
            case .process: "the process to end"
            }
        }

        /// Returns whether a step ends before another.
        public static func < (first: Step, second: Step) -> Bool { first.rawValue < second.rawValue }
    }

    private let current = Mutex(Step.start)

    /// The step that the server waits for.
    public var step: Step { current.withLock { $0 } }

    /// Creates the progress of a server that starts.
    public init() {}

    /// Notes that a step has begun, unless a later one has.
    public func begin(_ step: Step) { current.withLock { $0 = max($0, step) } }
}

extension StopProgress {
    /// Returns a service that notes when it is asked to stop; one after another is, once the one before has ended.
    func service(_ service: any Service, as step: Step) -> any Service {
        SteppedService(service: service, step: step, progress: self)
    }
}

/// A service that is a step of a server that stops.
private struct SteppedService: Service {
    let service: any Service
    let step: StopProgress.Step
    let progress: StopProgress

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await service.run()
        } onGracefulShutdown: {
            progress.begin(step)
        }
    }
}
