import CardModel
import CardStore
import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import UserImport

/// Imports the files of users that members have started, one at a time, in pieces.
///
/// Each piece is a transaction that changes users and says how far the import is, so it goes on where it was after the
/// end of a process. Of several nodes, the one that has the lease works; a lease runs out.
struct ImportWorker: Service {
    /// The time for which a lease holds, in seconds: longer than a piece takes.
    static let lease = 30.0
    /// The time that a worker that has nothing to do waits, in seconds.
    static let pause = 1.0
    /// The time that a worker waits between two looks for old imports, in seconds.
    static let cleaningInterval = 600.0
    /// The size of the piece of a file that is read at once, in bytes.
    static let pieceBytes = 1 << 18
    /// The number of users of a transaction, for which devices wait.
    static let batchSize = 250

    let store: any CardStore
    /// The worker's name among those of all nodes.
    let name: String
    let clock: @Sendable () -> UnixTime
    let logger: Logger
    private let cleaning = CleaningTime()

    init(
        store: any CardStore,
        name: String,
        clock: @escaping @Sendable () -> UnixTime,
        logger: Logger
    ) {
        self.store = store
        self.name = name
        self.clock = clock
        self.logger = logger
    }

    /// Creates the worker of a server.
    init(_ services: Services) {
        self.init(
            store: services.store,
            name: RandomText.letters(16),
            clock: services.clock,
            logger: services.logger
        )
    }

    func run() async throws {
        await WorkLoop().run {
            await clean()
            return await step() ? 0 : Self.pause
        }
        // Another node needn't wait for the lease to run out.
        _ = try? await store.claimImport(for: name, seconds: 0)
    }

    private static var isStopping: Bool { Task.isCancelled || Task.isShuttingDownGracefully }

    /// Ends and removes imports that are old, now and then.
    func clean() async {
        let now = clock()
        guard cleaning.isDue(at: now, every: Self.cleaningInterval) else { return }
        do {
            _ = try await store.removeOldImports(at: now)
        } catch {
            logger.error("Old imports of users could not be removed", metadata: ["error": "\(error)"])
        }
    }

    /// Works on an import, if one is to run and no other node has it, and returns whether it ended.
    func step() async -> Bool {
        do {
            guard let job = try await store.claimImport(for: name, seconds: Self.lease) else { return false }
            return try await work(on: job)
        } catch {
            logger.error("An import of users could not go on yet", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Works on an import until it ends, another node has it, or the server stops.
    private func work(on job: ImportJob) async throws -> Bool {
        var job = job
        do {
            guard let plan = job.plan.flatMap({ ImportPlan(text: $0) }) else { throw Self.unknownPlan }
            var reader = ImportReader(plan, offset: job.offset, line: job.line)
            if plan.format == .csv, job.offset > 0 {
                try reader.readHeading(in: try await store.importBytes(job.id, in: 0..<ImportJob.pieceBytes))
            }
            var place = job.offset
            while place < job.size {
                let piece = try await piece(of: job, at: place)
                // safe: below the size of a file
                place += piece.count
                guard try await apply(try reader.take(piece), to: &job) else { return false }
            }
            guard try await apply(try reader.finish(), to: &job) else { return false }
            return try await end(job, .finished)
        } catch let problem as ImportError {
            return try await end(job, .failed(problem.description))
        }
    }

    private static let unknownPlan = ImportError(
        "Another version of the server has started the import. Upload the file again."
    )

    private func piece(of job: ImportJob, at place: Int) async throws -> Data {
        // safe: below the size of a file and a piece
        let bytes = try await store.importBytes(job.id, in: place..<(place + Self.pieceBytes))
        // One that was canceled has no bytes, and the next step says so.
        guard !bytes.isEmpty else { throw ImportError("A part of the file is missing. Upload it again.") }
        return Data(bytes)
    }

    /// Takes over what was read, and returns whether the worker goes on.
    private func apply(_ entries: [ImportReader.Entry], to job: inout ImportJob) async throws -> Bool {
        for start in stride(from: 0, to: entries.count, by: Self.batchSize) {
            guard !Self.isStopping else { return false }
            // safe: begins within the entries
            let batch = entries[start..<min(start + Self.batchSize, entries.count)]
            guard let next = try await apply(ImportStep(batch), to: job) else { return false }
            job = next
        }
        return true
    }

    private func apply(_ step: ImportStep, to job: ImportJob) async throws -> ImportJob? {
        try await store.applyImport(step, to: job.id, by: name, seconds: Self.lease, at: clock())
    }

    private func end(_ job: ImportJob, _ end: ImportStep.End) async throws -> Bool {
        let offset = end == .finished ? job.size : job.offset
        let step = ImportStep(offset: offset, line: job.line, end: end)
        guard let ended = try await apply(step, to: job) else { return false }
        logger.notice(
            "An import of users has ended",
            metadata: [
                "id": "\(job.id)", "status": "\(ended.status.rawValue)", "imported": "\(ended.imported)",
                "rejected": "\(ended.rejected)",
            ]
        )
        return true
    }
}

/// The time at which imports were last looked through for old ones.
private final class CleaningTime: Sendable {
    private let last = Mutex<UnixTime?>(nil)

    /// Returns whether an interval has passed since this last returned so.
    func isDue(at now: UnixTime, every interval: Double) -> Bool {
        last.withLock { last in
            if let last, now >= last, now - last < interval { return false }
            last = now
            return true
        }
    }
}

extension ImportStep {
    /// Creates the step that takes over what was read of a file.
    init(_ entries: ArraySlice<ImportReader.Entry>) {
        self.init(
            users: entries.compactMap { entry in entry.update.map { Entry(line: entry.line, update: $0) } },
            rejects: entries.compactMap { entry in
                entry.problem.map { ImportReject(line: entry.line, reason: $0.description) }
            },
            offset: entries.last?.end ?? 0,
            line: entries.last?.nextLine ?? 1
        )
    }
}
