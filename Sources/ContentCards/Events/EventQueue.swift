import Dispatch
import Foundation

/// The event logs of all users of a device.
final class EventQueue: Sendable {
    /// A function that opens the log of a user.
    typealias Opener = @Sendable (_ user: String) -> Journal

    private struct Logs {
        var journals: [BytewiseText: Journal]
        var isClosed = false
        var wipes = 0
    }

    /// Seconds that an fsync waits for more events: a write that meets an fsync has to wait for it.
    private static let gathering = 0.02
    /// The number of times that what was logged in the meantime goes to the medium before a copy takes its place.
    private static let copyRounds = 3

    private let logs: Locked<Logs>
    private let opener: Opener
    private let limit: Int
    private let report: @Sendable (Diagnostic) -> Void
    private let disk = DispatchQueue(label: "placard.ContentCards.events", qos: .utility)
    private let isSynchronizing = Locked<Set<BytewiseText>>([])
    /// Held while a log is copied, and by what ends or deletes logs; it is taken before `logs`.
    private let copying = Locked(())

    init(
        journals: [Journal],
        limit: Int,
        report: @escaping @Sendable (Diagnostic) -> Void,
        opener: @escaping Opener
    ) {
        let known = Dictionary(journals.map { (BytewiseText($0.user), $0) }) { first, _ in first }
        logs = Locked(Logs(journals: known))
        self.limit = max(1, limit)
        self.report = report
        self.opener = opener
    }

    /// Puts an event at the end of a user's log; durable when this returns, unless a diagnostic says otherwise.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - id: the id under which it counts once.
    ///   - time: the time at which it happened, in Unix seconds.
    ///   - user: the user.
    ///   - wipes: the number of wipes before it happened; `nil` for as many as there were.
    /// - Returns: whether it was taken: not where it is too large, after ``close()``, and after another wipe.
    func append(_ event: NewEvent, id: String, at time: Double, user: String, wipes: Int? = nil) -> Bool {
        let members = event.text
        guard members.utf8.count < NewEvent.sizeLimit - 128 else {
            report(.eventRefused(type: event.type, reason: "it is larger than 16 KiB"))
            return false
        }
        let outcome = withOpenJournal(user, wipes: wipes) { journal -> (dropped: Int, failure: FileError?) in
            add(LoggedEvent(sequence: 0, id: id, type: event.type, time: time, members: members), to: &journal)
        }
        guard let outcome else { return false }
        if outcome.dropped > 0 { report(.eventsDropped(count: outcome.dropped)) }
        if let failure = outcome.failure { report(.eventsNotDurable(reason: failure.description)) }
        synchronizeLater(user)
        return true
    }

    /// Puts an event at the end of a log, under the next number there.
    private func add(_ event: LoggedEvent, to journal: inout Journal) -> (dropped: Int, failure: FileError?) {
        // safe: the count of a log, less what is not negative
        let dropped = max(0, journal.pending.count + 1 - limit)
        var event = event
        // safe: sequences that are read end long before the largest number
        event.sequence = journal.lastSequence + 1
        let failure = Self.failure { () throws(FileError) in try journal.append(event, dropping: dropped) }
        return (dropped, failure)
    }

    /// Returns the oldest events of a user, as many as fit a request.
    func batch(user: String, count: Int, bytes: Int) -> [LoggedEvent] {
        logs.withLock { logs in
            var size = 0
            // safe: asked for as many as a request takes
            let pending = logs.journals[BytewiseText(user)]?.pending.prefix(count) ?? []
            return Array(
                pending.enumerated().prefix { index, event in
                    // safe: all of it is in memory
                    size += event.size
                    return index == 0 || size <= bytes
                }.map(\.element)
            )
        }
    }

    /// Notes that the server has settled the events of a request.
    ///
    /// After a wipe the same user may have another log, whose events have the same numbers: it stays as it is.
    func settle(_ batch: [LoggedEvent], user: String) {
        let failure = logs.withLock { logs -> FileError? in
            guard let last = batch.last, let first = logs.journals[BytewiseText(user)]?.pending.first,
                batch.contains(where: { $0.sequence == first.sequence && $0.id.hasSameBytes(as: first.id) })
            else { return nil }
            return Self.failure { () throws(FileError) in
                try logs.journals[BytewiseText(user)]?.settle(through: last.sequence)
            }
        }
        if let failure { report(.eventsNotDurable(reason: failure.description)) }
        compact(BytewiseText(user))
    }

    /// Notes how many events a request of a user may carry; `nil` for as many as fit.
    func note(limit: Int?, user: String) {
        let failure = logs.withLock { logs in
            Self.failure { () throws(FileError) in try logs.journals[BytewiseText(user)]?.note(limit: limit) }
        }
        if let failure { report(.eventsNotDurable(reason: failure.description)) }
    }

    /// Notes that a request failed in which a user's oldest event was alone.
    func noteSuspicion(of sequence: UInt64, user: String) {
        let failure = logs.withLock { logs in
            Self.failure { () throws(FileError) in
                try logs.journals[BytewiseText(user)]?.noteSuspicion(of: sequence)
            }
        }
        if let failure { report(.eventsNotDurable(reason: failure.description)) }
    }

    /// Notes that the server failed on a user's oldest event, which was alone.
    ///
    /// Returns the event where it was set aside for that.
    func noteFailure(of sequence: UInt64, user: String) -> LoggedEvent? {
        var event: LoggedEvent?
        let failure = logs.withLock { logs in
            Self.failure { () throws(FileError) in
                event = try logs.journals[BytewiseText(user)]?.noteFailure(of: sequence)
            }
        }
        if let failure { report(.eventsNotDurable(reason: failure.description)) }
        return event
    }

    /// The maximum number of events in a request, for the users for which that is known.
    var limits: [BytewiseText: Int] {
        logs.withLock { $0.journals.compactMapValues(\.trial.limit) }
    }

    /// The events that were alone in a request that failed, for the users who have one.
    var suspects: [BytewiseText: UInt64] {
        logs.withLock { logs in
            logs.journals.compactMapValues { $0.trial.isSuspected ? $0.trial.sequence : nil }
        }
    }

    /// The events of a user that were set aside, oldest first.
    func setAside(user: String) -> [LoggedEvent] {
        withJournal(user) { $0.setAside }
    }

    /// The number of pending events of each user who has some.
    var counts: [BytewiseText: Int] {
        logs.withLock { $0.journals.mapValues(\.pending.count).filter { $0.value > 0 } }
    }

    /// The pending events of a user, oldest first.
    func pending(user: String) -> [LoggedEvent] {
        withJournal(user) { $0.pending }
    }

    /// Closes the logs of users that have no pending events, but for some, given by the names of their folders.
    ///
    /// - Parameters:
    ///   - folders: the folders of the users whose logs stay open in any case.
    ///   - remove: removes the files of all users but those it is given; no event is logged before it returns.
    func closeEmpty(but folders: Set<String>, remove: (Set<String>) -> Void) {
        logs.withLock { logs in
            logs.journals = logs.journals.filter { user, journal in
                !journal.pending.isEmpty || journal.isBeingCopied || folders.contains(FileName.hash(user.text))
            }
            remove(folders.union(logs.journals.keys.map { FileName.hash($0.text) }))
        }
    }

    /// Forgets all events, and takes no more of those that happened before so many wipes.
    func removeAll(wipes: Int) {
        copying.withLock { _ in
            logs.withLock { ($0.journals, $0.wipes) = ([:], wipes) }
        }
    }

    /// Takes the logs of the disk, which could not be read until now, and adds what was logged since.
    func reopen(_ journals: [Journal]) {
        let failures = logs.withLock { logs -> [FileError] in
            guard !logs.isClosed else { return [] }
            let recent = logs.journals
            logs.journals = Dictionary(journals.map { (BytewiseText($0.user), $0) }) { first, _ in first }
            var failures: [FileError] = []
            for (user, journal) in recent {
                for event in journal.pending {
                    let outcome = add(event, to: &logs.journals[user, default: opener(user.text)])
                    if let failure = outcome.failure { failures.append(failure) }
                }
            }
            return failures
        }
        for failure in failures { report(.eventsNotDurable(reason: failure.description)) }
    }

    /// Brings everything to the medium and takes no more events: another client may have the files once this returns.
    func close() {
        copying.withLock { _ in
            logs.withLock { $0.isClosed = true }
        }
        synchronize()
    }

    /// Waits until all that was appended is on the medium.
    func synchronize() {
        for synchronize in logs.withLock({ $0.journals.values.map(\.synchronize) }) { synchronize() }
    }

    /// Does something with the log of a user, which is one in memory where the files are another client's by now.
    private func withJournal<Output>(_ user: String, _ body: (inout Journal) -> Output) -> Output {
        logs.withLock { logs -> Output in
            let isClosed = logs.isClosed
            return body(
                &logs.journals[BytewiseText(user), default: isClosed ? Journal(inMemoryFor: user) : opener(user)]
            )
        }
    }

    /// Does something with the log of a user, and returns `nil` where that takes no more events.
    private func withOpenJournal<Output>(
        _ user: String,
        wipes: Int?,
        _ body: (inout Journal) -> Output
    ) -> Output? {
        logs.withLock { logs -> Output? in
            guard !logs.isClosed, wipes == nil || wipes == logs.wipes else { return nil }
            return body(&logs.journals[BytewiseText(user), default: opener(user)])
        }
    }

    private static func failure(_ body: () throws(FileError) -> Void) -> FileError? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }

    /// Brings a log to the medium off the caller; one fsync serves all events that came while it waited.
    private func synchronizeLater(_ user: String) {
        guard isSynchronizing.withLock({ $0.insert(BytewiseText(user)).inserted }) else { return }
        disk.asyncAfter(deadline: .now() + Self.gathering) { [self] in
            isSynchronizing.withLock { _ = $0.remove(BytewiseText(user)) }
            logs.withLock { $0.journals[BytewiseText(user)]?.synchronize }?()
        }
    }
}

extension EventQueue {
    /// Replaces the file of a log by a smaller one where most of it is settled.
    ///
    /// That is written without the lock that log calls need, since they would wait for the medium otherwise. Where it
    /// fails, the file stays as it is, and nothing is lost.
    private func compact(_ user: BytewiseText) {
        copying.withLock { _ in
            let excerpt = logs.withLock { logs -> JournalCopy.Excerpt? in
                logs.isClosed ? nil : logs.journals[user]?.beginCopy()
            }
            guard let excerpt else { return }
            do throws(FileError) {
                try copy(excerpt, of: user)
            } catch {
                logs.withLock { $0.journals[user]?.endCopy() }
                JournalCopy.remove(beside: excerpt.path)
            }
        }
    }

    private func copy(_ excerpt: JournalCopy.Excerpt, of user: BytewiseText) throws(FileError) {
        var copy = try JournalCopy(beside: excerpt.path, writing: excerpt.writing)
        var text = excerpt.text
        for _ in 0..<Self.copyRounds where !text.isEmpty {
            try copy.append(text)
            copy.file.synchronize()
            text = logs.withLock { $0.journals[user]?.takeRest() } ?? ""
        }
        try copy.append(text)
        let done = copy
        let failure = logs.withLock { logs in
            Self.failure { () throws(FileError) in try logs.journals[user]?.replaceFile(by: done) }
        }
        if let failure { throw failure }
        // For what was logged since the copy was last brought there.
        done.file.synchronize()
    }
}
