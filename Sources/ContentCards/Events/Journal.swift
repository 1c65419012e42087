import Foundation

/// The event log of one user: a queue in memory over an append-only file.
///
/// An event is in the file when `append` returns, or `unsaved` says that it is not. A journal without a file is a
/// queue in memory. It is a value that must be used by one thread at a time: `EventQueue` sees to that.
struct Journal: Sendable {
    let user: String
    private(set) var pending: [LoggedEvent]
    private(set) var lastSequence: UInt64
    private(set) var trial = EventTrial()
    /// Events on which the server failed, oldest first: they are never sent again, and are there to be looked at.
    private(set) var setAside: [LoggedEvent] = []
    /// The number of the newest pending events that are not in the file.
    private(set) var unsaved = 0
    private let path: String?
    private let writing: FileWriting
    private var file: AppendOnlyFile?
    private var length = 0
    /// The text that was written since a smaller copy was begun; `nil` while there is none.
    private var rest: String?

    static let compactionSize = 64 * 1024
    /// The maximum number of events that were set aside that are kept; the oldest make room.
    static let setAsideLimit = 20

    /// Creates an empty log in memory.
    init(inMemoryFor user: String) {
        self.user = user
        pending = []
        lastSequence = 0
        path = nil
        writing = .system
    }

    /// Opens a log, trimming a torn end and setting a damaged file aside.
    ///
    /// A file that can't be read for now is left as it is, and the log is in memory.
    init(user: String, path: String, writing: FileWriting, report: (Diagnostic) -> Void) {
        let stored = StoredFile.read(path: path, limit: StoredFile.eventsLimit)
        self.user = user
        self.path = stored.obstacle == nil ? path : nil
        self.writing = writing
        if let obstacle = stored.obstacle { report(.storageUnavailable(reason: "events cannot be read: \(obstacle)")) }
        let text = stored.data.map { String(decoding: $0, as: UTF8.self) }
        var contents = JournalContents(text: text ?? "")
        if stored.isUnusable { contents.damaged = 1 }
        let isForeign = contents.user.map { !$0.hasSameBytes(as: user) } ?? false
        if isForeign {
            let lost = contents.pending.count + contents.damaged
            contents = JournalContents()
            contents.damaged = lost
        }
        pending = contents.pending
        (trial, setAside) = (contents.trial, contents.setAside)
        lastSequence = max(contents.lastSequence, contents.settledThrough)
        if contents.damaged > 0 || isForeign {
            SetAside.move(path: path)
            report(.fileSetAside(name: "events", lostRecords: contents.damaged))
        }
        rewriteOrReopen(
            isWhole: text != nil && contents.damaged == 0 && !contents.isTorn && contents.user.hasSameBytes(as: user)
        )
        length = file == nil ? 0 : (text?.utf8.count ?? 0)
        if contents.damaged > 0 || contents.isTorn || !contents.user.hasSameBytes(as: user) { length = compactedLength }
    }

    private var compactedLength: Int { compacted.utf8.count }

    private mutating func rewriteOrReopen(isWhole: Bool) {
        if isWhole {
            reopen()
        } else {
            try? rewrite()
        }
    }

    private mutating func reopen() {
        guard let path else { return }
        file = try? AppendOnlyFile(path: path, writing: writing)
    }
}

extension Journal {
    /// Puts an event at the end.
    ///
    /// Throws when it could not be written; it is in the queue all the same.
    mutating func append(_ event: LoggedEvent, dropping drop: Int) throws(FileError) {
        lastSequence = event.sequence
        pending.append(event)
        unsaved += 1
        // safe: the event itself is there
        if drop > 0 { pending.removeFirst(min(drop, pending.count - 1)) }
        // safe: sequences begin at 1
        let settled = drop > 0 ? pending.first.map { $0.sequence - 1 } : nil
        if drop > 0 { trial.settle(first: pending.first?.sequence) }
        try save(settled: settled)
    }

    /// Notes that all events up to a sequence are settled.
    ///
    /// Returns how many were.
    @discardableResult
    mutating func settle(through sequence: UInt64) throws(FileError) -> Int {
        let count = pending.prefix { $0.sequence <= sequence }.count
        guard count > 0 else { return 0 }
        pending.removeFirst(count)
        unsaved = min(unsaved, pending.count)
        let before = trial
        trial.settle(first: pending.first?.sequence)
        try save(settled: sequence, also: trial == before ? [] : [.trial(trial)])
        return count
    }

    /// Notes how many events a request may carry; `nil` for as many as fit.
    mutating func note(limit: Int?) throws(FileError) {
        guard trial.limit != limit else { return }
        trial.limit = pending.isEmpty ? nil : limit
        try save(settled: nil, also: [.trial(trial)])
    }

    /// Notes that a request failed in which the oldest event was alone.
    mutating func noteSuspicion(of sequence: UInt64) throws(FileError) {
        guard pending.first?.sequence == sequence else { return }
        trial.suspect(sequence)
        try save(settled: nil, also: [.trial(trial)])
    }

    /// Notes that the server failed on the oldest event, which was alone.
    ///
    /// Returns the event where that was once too often: it is set aside.
    mutating func noteFailure(of sequence: UInt64) throws(FileError) -> LoggedEvent? {
        guard let first = pending.first, first.sequence == sequence else { return nil }
        guard trial.fail(sequence) else {
            try save(settled: nil, also: [.trial(trial)])
            return nil
        }
        pending.removeFirst()
        unsaved = min(unsaved, pending.count)
        setAside = (setAside + [first]).suffix(Self.setAsideLimit)
        trial.settle(first: pending.first?.sequence)
        // It is set aside in memory whatever becomes of the file.
        try? save(settled: sequence, also: [.setAside(first), .trial(trial)])
        return first
    }

    /// Writes what is not in the file yet, all in one write.
    private mutating func save(settled: UInt64?, also records: [JournalRecord] = []) throws(FileError) {
        guard path != nil else {
            unsaved = 0
            return
        }
        guard let file else { return try rewrite() }
        var text = ""
        for event in pending.suffix(unsaved) { text += JournalRecord.event(event).line }
        if let settled { text += JournalRecord.settled(through: settled).line }
        for record in records { text += record.line }
        try file.append(text, length: length)
        length += text.utf8.count
        rest?.append(text)
        unsaved = 0
    }

    /// Replaces the file by one that holds the pending events alone.
    mutating func rewrite() throws(FileError) {
        guard let path else {
            unsaved = 0
            return
        }
        var copy = try JournalCopy(beside: path, writing: writing)
        try copy.append(compacted)
        copy.file.synchronize()
        rest = ""
        try replaceFile(by: copy)
        unsaved = 0
    }

    private var compacted: String {
        var text = JournalRecord.header(user: user).line
        // safe: sequences begin at 1 and end long before the largest number
        text += JournalRecord.settled(through: (pending.first?.sequence ?? lastSequence + 1) - 1).line
        for event in setAside { text += JournalRecord.setAside(event).line }
        if trial != EventTrial() { text += JournalRecord.trial(trial).line }
        for event in pending { text += JournalRecord.event(event).line }
        return text
    }

    /// Waits until the log is on the medium.
    var synchronize: @Sendable () -> Void {
        { [file] in file?.synchronize() }
    }
}

extension Journal {
    /// Whether a smaller copy is being written.
    var isBeingCopied: Bool { rest != nil }

    /// Begins a smaller copy of the file, where most of that is settled.
    ///
    /// What is written from now on is kept for the copy, too, until ``replaceFile(by:)`` or ``endCopy()``.
    ///
    /// - Parameter size: the bytes of a file for which no copy is worth it.
    /// - Returns: what the copy begins with; `nil` where there is to be none.
    mutating func beginCopy(beyond size: Int = Journal.compactionSize) -> JournalCopy.Excerpt? {
        guard let path, file != nil, rest == nil, length > size else { return nil }
        let text = compacted
        guard text.utf8.count < length / 2 else { return nil }
        rest = ""
        return JournalCopy.Excerpt(path: path, text: text, writing: writing)
    }

    /// Returns what was written since the copy was begun, or since this was called before.
    mutating func takeRest() -> String {
        guard let text = rest else { return "" }
        rest = ""
        return text
    }

    /// Puts the copy in the place of the file, with what was written in the meantime.
    ///
    /// Events that are in neither file are still unsaved; one that is in both is the same event.
    mutating func replaceFile(by copy: JournalCopy) throws(FileError) {
        guard let path, let rest else { return }
        var copy = copy
        defer { self.rest = nil }
        try copy.append(rest)
        try copy.move(to: path)
        (file, length) = (copy.file, copy.length)
    }

    /// Leaves the file as it is.
    mutating func endCopy() {
        rest = nil
    }
}
