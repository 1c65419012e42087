import CardModel
import CardStore
import Synchronization
import WireJSON

/// Notes in the audit log what members and keys can do any number of times: reading personal data, before they get it,
/// and asking for what they aren't allowed to do.
package final class ReadAudit: Sendable {
    private let store: any CardStore
    private let clock: @Sendable () -> UnixTime
    private let throttle = Mutex(ReadThrottle(limit: 300))
    private let refusals = Mutex(ReadThrottle(limit: 30, pageSeconds: 0))
    /// Counts that couldn't be written yet.
    private let unwritten = Mutex<[AuditNote]>([])
    /// The number of such counts that are kept: a store that takes nothing for long takes no reads either.
    private static let unwrittenLimit = 1_000
    private let append: @Sendable ([AuditNote]) async throws -> Void

    init(store: any CardStore, clock: @escaping @Sendable () -> UnixTime) {
        self.store = store
        self.clock = clock
        append = { try await store.appendAuditNotes($0) }
    }

    /// Creates one that writes notes in another way.
    init(
        store: any CardStore,
        clock: @escaping @Sendable () -> UnixTime,
        append: @escaping @Sendable ([AuditNote]) async throws -> Void
    ) {
        self.store = store
        self.clock = clock
        self.append = append
    }

    /// Notes a read; the same again within seconds of its entry is left out, unless there are details.
    ///
    /// As long as the entry isn't written, the same read has one of its own: it must not be answered for an entry that
    /// the store then doesn't take.
    ///
    /// - Parameters:
    ///   - action: What is done, such as `user.read`.
    ///   - user: The user whose data it is, or `nil` where it isn't one user's.
    ///   - details: What else there is to say.
    ///   - actor: Who does it.
    /// - Throws: What keeps the store from writing; then nothing may be read.
    package func note(
        _ action: String,
        of user: UserID? = nil,
        details: JSONValue = .null,
        by actor: Actor
    ) async throws {
        let subject = user.map(store.pseudonym) ?? ""
        let now = clock()
        let note = AuditNote(action, of: subject, details: details, at: now, by: actor)
        let notes = throttle.withLock { $0.take(note, at: now) }
        do {
            try await append(notes)
            if notes.contains(note) { throttle.withLock { $0.confirm(note) } }
        } catch {
            if notes.contains(note) { throttle.withLock { $0.forget(note) } }
            keep(notes.filter { $0 != note })
            throw error
        }
    }

    /// Notes a request that was refused; beyond thirty of an actor in five minutes they are counted.
    ///
    /// - Parameters:
    ///   - action: Why, such as `request.forbidden`.
    ///   - subject: The method and path, without anything that names a person.
    ///   - actor: Who sent it.
    /// - Throws: What keeps the store from writing.
    package func noteRefusal(_ action: String, of subject: String, by actor: Actor) async throws {
        let now = clock()
        let note = AuditNote(action, of: subject, at: now, by: actor)
        let notes = refusals.withLock { $0.take(note, at: now) }
        do {
            try await append(notes)
            if notes.contains(note) { refusals.withLock { $0.confirm(note) } }
        } catch {
            if notes.contains(note) { refusals.withLock { $0.forget(note) } }
            keep(notes.filter { $0 != note })
            throw error
        }
    }

    /// Writes how many reads and refusals were left out in windows that are over; what can't be written is written with
    /// the next call.
    ///
    /// - Throws: What keeps the store from writing.
    func flush() async throws {
        let now = clock()
        var notes = unwritten.withLock { notes in
            defer { notes = [] }
            return notes
        }
        notes.append(contentsOf: throttle.withLock { $0.expire(at: now) })
        notes.append(contentsOf: refusals.withLock { $0.expire(at: now) })
        do {
            try await append(notes)
        } catch {
            keep(notes)
            throw error
        }
    }

    /// Keeps counts that couldn't be written for the next call of ``flush()``.
    private func keep(_ notes: [AuditNote]) {
        guard !notes.isEmpty else { return }
        unwritten.withLock { $0 = Array(($0 + notes).prefix(Self.unwrittenLimit)) }
    }
}

/// A choice of the requests that get an entry in the audit log: so many of each actor in some minutes, and one of each
/// page.
///
/// Beyond that, reads are counted, and one entry tells how many there were: a backend that reads everything all the
/// time must not fill the disk.
struct ReadThrottle: Sendable {
    /// The length of a window, in seconds.
    static let window = 300.0
    /// The maximum number of entries of an actor in a window.
    let limit: Int
    /// The time for which the same read is a part of the one before it, in seconds: a page asks several times.
    static let pageSeconds = 5.0

    private struct Read: Hashable {
        let action: String
        let subject: String
    }

    private struct Window {
        let start: UnixTime
        /// The reads whose entries are written, each with the time of the last.
        var named: [Read: UnixTime] = [:]
        /// The number of entries of each read that are being written.
        var pending: [Read: Int] = [:]
        var count = 0
        var omitted: [String: Int64] = [:]
    }

    private var windows: [Actor: Window] = [:]

    private let pageSeconds: Double

    /// Creates a throttle.
    ///
    /// - Parameters:
    ///   - limit: How many entries an actor gets in a window.
    ///   - pageSeconds: For how long the same request is a part of the one before it, in seconds.
    init(limit: Int, pageSeconds: Double = ReadThrottle.pageSeconds) {
        self.limit = limit
        self.pageSeconds = pageSeconds
    }

    /// Takes a read, and returns what is to be written now; then it is confirmed, or forgotten.
    mutating func take(_ note: AuditNote, at now: UnixTime) -> [AuditNote] {
        var notes: [AuditNote] = []
        if let window = windows[note.actor], hasEnded(window, at: now) { notes = end(window, of: note.actor, at: now) }
        var window = windows[note.actor] ?? Window(start: now)
        let read = Read(action: note.action, subject: note.subject)
        // An export is no part of the one before it: it may be of others.
        if note.details == nil, let last = window.named[read], abs(now - last) < pageSeconds { return notes }
        if window.count < limit {
            window.count += 1
            // safe: at most the limit
            window.pending[read, default: 0] += 1
            notes.append(note)
        } else {
            // safe: one for each request within a few minutes
            window.omitted[note.action, default: 0] += 1
        }
        windows[note.actor] = window
        return notes
    }

    /// Notes that the entry of a read is written: the same again within seconds is a part of it.
    mutating func confirm(_ note: AuditNote) {
        guard let read = endPending(note) else { return }
        let last = windows[note.actor]?.named[read] ?? note.at
        windows[note.actor]?.named[read] = max(last, note.at)
    }

    /// Forgets a read that couldn't be written: the same again is written, and isn't a part of it.
    mutating func forget(_ note: AuditNote) {
        guard endPending(note) != nil else { return }
        windows[note.actor]?.count -= 1
    }

    /// Ends the writing of an entry, and returns what it is of, or `nil` where none is written in this window.
    private mutating func endPending(_ note: AuditNote) -> Read? {
        let read = Read(action: note.action, subject: note.subject)
        guard var window = windows[note.actor], let count = window.pending[read] else { return nil }
        // safe: counts are never 0
        window.pending[read] = count == 1 ? nil : count - 1
        windows[note.actor] = window
        return read
    }

    /// Ends the windows that are over, and returns what they left out.
    mutating func expire(at now: UnixTime) -> [AuditNote] {
        windows.filter { hasEnded($0.value, at: now) }.flatMap { end($0.value, of: $0.key, at: now) }
    }

    private func hasEnded(_ window: Window, at now: UnixTime) -> Bool {
        now >= window.start + Self.window || now < window.start
    }

    private mutating func end(_ window: Window, of actor: Actor, at now: UnixTime) -> [AuditNote] {
        windows[actor] = nil
        return window.omitted.sorted { $0.key < $1.key }.map { action, count in
            AuditNote(action, of: "", details: ["more": .integer(count)], at: now, by: actor)
        }
    }
}
