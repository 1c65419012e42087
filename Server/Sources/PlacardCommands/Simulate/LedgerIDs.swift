import ContentCards
import Foundation
import Simulation
import Synchronization

/// Gives events ids that are known before the log call.
///
/// A log call runs with its id as ``Reservation/current``; whatever else the SDK names gets an id of its own, which is
/// noted.
struct LedgerIDs: IDSource {
    /// An id that is given out once, to the task that set it.
    final class Reservation: Sendable {
        @TaskLocal static var current: Reservation?

        private let id: String
        private let death: ClientStep.Death?
        private let isTaken = Atomic<Bool>(false)

        init(_ id: String, death: ClientStep.Death?) {
            self.id = id
            self.death = death
        }

        func take() -> String? {
            guard !isTaken.exchange(true, ordering: .relaxed) else { return nil }
            if death == .beforeWriting { kill(getpid(), SIGKILL) }
            return id
        }
    }

    let ledger: LedgerFile
    private let source = UUIDv7Source()

    init(ledger: LedgerFile) { self.ledger = ledger }

    func next() -> String {
        if let id = Reservation.current?.take() { return id }
        let id = source.next()
        ledger.write(.automatic(id: id))
        return id
    }

    /// Logs something: first the ledger says so, then the SDK is called, then the ledger says that it is done.
    ///
    /// The process kills itself on the way where the plan says so.
    func log(_ intent: LedgerRecord.Intent, death: ClientStep.Death?, _ call: () -> Bool) -> Bool {
        ledger.write(.intent(intent))
        let isLogged = Reservation.$current.withValue(Reservation(intent.id, death: death)) { call() }
        if death == .beforeReturning { kill(getpid(), SIGKILL) }
        ledger.write(.done(id: intent.id, isLogged: isLogged))
        return isLogged
    }

    /// An id for an intent.
    func reserve() -> String { source.next() }
}
