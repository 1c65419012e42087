import CardModel
import CardStore
import Foundation
import Synchronization

/// Runs groups of jobs in transactions, and tries again what may succeed then.
///
/// Sendable without a check because only the writer's queue uses it; what others read is guarded by a lock.
final class TransactionRunner: @unchecked Sendable {
    private static let conflictLimit = 8
    /// The time that a group waits for the server to come back, unless the group before it has waited in vain.
    private static let patience = Duration.seconds(5)

    private let settings: ConnectionSettings
    private let environment: WriteSession.Environment
    private let announce: @Sendable (GroupChanges) -> Void
    private var source: ConnectionSource
    private var session: WriteSession?
    private var isAway = false
    private let counted = Mutex<[StoreTraffic.Retry: Int]>([:])

    /// The number of times something was tried again so far, by reason.
    var retries: [StoreTraffic.Retry: Int] { counted.withLock { $0 } }

    init(
        _ source: ConnectionSource,
        _ settings: ConnectionSettings,
        _ environment: WriteSession.Environment,
        announcing announce: @escaping @Sendable (GroupChanges) -> Void
    ) {
        self.settings = settings
        self.environment = environment
        self.announce = announce
        self.source = source
    }

    func close() {
        try? session?.releaseSlot()
        session = nil
    }

    // MARK: Groups

    /// Writes a group, and tells each caller the outcome of their job.
    ///
    /// - Parameters:
    ///   - jobs: The group.
    ///   - others: Users that the group changes beside those that its jobs name.
    func run(_ jobs: [GroupWriter.WriteJob], locking others: Set<UserID> = []) {
        var others = others
        let end = ContinuousClock.now + (isAway ? .zero : Self.patience)
        var conflicts = 0
        while true {
            do {
                try runOnce(jobs, locking: others)
                isAway = false
                return
            } catch let failure as PostgresError where failure.endsConnection {
                session = nil
                guard ContinuousClock.now < end else {
                    isAway = true
                    return fail(jobs, failure)
                }
                count(.connection)
                Thread.sleep(forTimeInterval: 0.02)
            } catch let failure as PostgresError where failure.isTransient && conflicts < Self.conflictLimit {
                conflicts += 1
                count(failure.retry)
                // At random, so that two nodes that met don't meet again at once.
                Thread.sleep(forTimeInterval: Double.random(in: 0...0.02) * Double(conflicts * conflicts))
            } catch let busy as BusyUserError where conflicts < Self.conflictLimit {
                // Waiting for one in the middle of the group could close a circle; it is locked with the others next
                // time.
                conflicts += 1
                others.insert(busy.user)
                count(.serialization)
            } catch is UnknownOutcomeError {
                session = nil
                return fail(jobs, StoreError.unknownOutcome)
            } catch let split as GroupSplitError {
                run(Array(jobs.prefix(split.place)), locking: others)
                return run(Array(jobs.dropFirst(split.place)), locking: others)
            } catch {
                // One job in the way must not take the others down, so each is tried by itself.
                if jobs.count > 1 {
                    for job in jobs { run([job], locking: others) }
                } else {
                    fail(jobs, error is BusyUserError ? PostgresError(state: "40001") : error)
                }
                return
            }
        }
    }

    private func runOnce(_ jobs: [GroupWriter.WriteJob], locking others: Set<UserID>) throws {
        let session = try connected()
        let completions: [GroupWriter.WriteCompletion]
        let transaction: String?
        do {
            let loads = try session.begin(
                locking: jobs.flatMap(\.users) + others,
                names: jobs.flatMap(\.names),
                loading: jobs.flatMap(\.queries),
                isExclusive: jobs.contains { $0.fence == .exclusive }
            )
            completions = try attempt(jobs, GroupLoads(loads), in: session)
            transaction = try session.finish()
        } catch {
            session.rollBack()
            if session.connection.isInTransaction || !session.connection.isOpen { self.session = nil }
            throw error
        }
        try commit(transaction, in: session)
        announce(session.changes)
        for complete in completions { complete() }
    }

    private func attempt(
        _ jobs: [GroupWriter.WriteJob],
        _ loads: GroupLoads,
        in session: WriteSession
    ) throws -> [GroupWriter.WriteCompletion] {
        var loads = loads
        var completions: [GroupWriter.WriteCompletion] = []
        completions.reserveCapacity(jobs.count)
        for (place, job) in jobs.enumerated() {
            let before = session.revision
            session.prepare(loads.next(for: job))
            guard session.admits(job) else {
                completions.append { job.fail(.misplaced) }
                continue
            }
            defer {
                let isElsewhere = session.revision != before && (!job.isConfined || session.isElsewhere)
                loads.note(job, isElsewhere: isElsewhere)
            }
            do {
                completions.append(try job.attempt(session))
            } catch let refusal as StoreError where session.revision == before {
                completions.append { job.fail(refusal) }
            } catch is EarlierEventsError {
                throw GroupSplitError(place: place)
            }
        }
        return completions
    }

    // MARK: Commits

    /// Commits, and asks for the outcome where the connection is lost in the middle.
    ///
    /// What the group still has to write is sent together with the commit, so it may be that which was lost: nothing
    /// was written then, and the server says so.
    private func commit(_ transaction: String?, in session: WriteSession) throws {
        do {
            try session.connection.commit()
        } catch let failure where failure.endsConnection {
            guard let transaction else { throw failure }
            count(.commit)
            let history = session.connection.history
            self.session = nil
            guard try isCommitted(transaction, in: history) else { throw failure }
        } catch {
            session.rollBack()
            throw error
        }
    }

    /// Asks the server for the outcome of a commit in the middle of which the connection was lost.
    private func isCommitted(_ transaction: String, in history: ServerHistory) throws -> Bool {
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            if let outcome = try? outcome(of: transaction, in: history) {
                switch outcome {
                case "committed": return true
                case "aborted": return false
                case "other history": throw UnknownOutcomeError()
                default: break
                }
            }
            Thread.sleep(forTimeInterval: 0.05)
        }
        throw UnknownOutcomeError()
    }

    private func outcome(of transaction: String, in history: ServerHistory) throws -> String? {
        let session = try connected()
        // A server that was promoted may have given the number to another transaction, and a dump has none of them.
        guard session.connection.history == history else { return "other history" }
        let row = try session.connection.row(
            "SELECT pg_xact_status($1::TEXT::xid8) AS status",
            [transaction]
        )
        return try row?.optionalText("status")
    }

    // MARK: Connection

    private func connected() throws -> WriteSession {
        if let session, session.connection.isOpen { return session }
        let session = try WriteSession(on: source.connect(), settings, environment)
        self.session = session
        return session
    }

    private func fail(_ jobs: [GroupWriter.WriteJob], _ error: any Error) {
        for job in jobs { job.fail(StoreError(error)) }
    }

    // safe: counts of transactions
    private func count(_ reason: StoreTraffic.Retry) { counted.withLock { $0[reason, default: 0] += 1 } }
}

/// A job has to be in another transaction than those before it.
private struct GroupSplitError: Error {
    /// The place of the job in its group; never the first one.
    let place: Int
}

/// The server was lost in the middle of a commit, and could not be asked whether it was done.
private struct UnknownOutcomeError: Error {}

extension StoreError {
    /// The error where nobody can tell whether a change was made.
    static let unknownOutcome = StoreError(
        .unavailable,
        "The connection was lost in the middle of a change. Read whether it was made before you repeat it."
    )
}
