import CardStore
import Foundation

/// Says that a process has a database open for writing, and remembers the marks of the database whose log is beside it.
///
/// Whoever writes holds the lock together with others; whoever opens the database first or replaces its file holds it
/// alone. The system releases it when the process ends, however it ends. It lies in a file of its own, because closing
/// any descriptor of the database itself would release SQLite's locks.
final class DatabaseLock: Sendable {
    /// The time that a process waits for one that opens the database at the same time, in microseconds a time.
    private static let pause: useconds_t = 20_000

    /// The way in which a process holds the lock.
    enum Hold {
        /// No other process has the database open for writing.
        case alone
        /// Other processes have it open, too.
        case shared
        /// The file system has no such locks, so nothing is known of other processes.
        case unknown
    }

    private let descriptor: Int32
    /// The file that is held.
    let identity: FileIdentity?

    /// Opens the file of the lock, or returns `nil` where it can't be opened.
    ///
    /// - Parameters:
    ///   - files: The database.
    ///   - isCreated: Whether the file is created where there is none.
    init?(_ files: DatabaseFiles, isCreated: Bool) {
        // Only a file that wasn't there is given away.
        if isCreated { PrivateFile.createEmpty(files.lock) }
        descriptor = open(files.lock, (isCreated ? O_RDWR : O_RDONLY) | O_CLOEXEC)
        identity = FileIdentity(files.lock, descriptor: descriptor)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Takes the lock alone, unless another process has it; returns whether it did.
    func takeAlone() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Takes the lock together with others, unless a process has it alone; returns whether it did.
    func share() -> Bool { flock(descriptor, LOCK_SH | LOCK_NB) == 0 }

    /// Releases the lock.
    func release() { flock(descriptor, LOCK_UN) }

    /// Takes the lock, exclusively where no other process has it.
    ///
    /// - Parameter patience: How long to wait for a process that has it alone.
    /// - Returns: How it is held.
    /// - Throws: `StoreError.unavailable` where another process has it alone for longer.
    func take(patience: Duration) throws(StoreError) -> Hold {
        let end = ContinuousClock.now + patience
        while true {
            if takeAlone() { return .alone }
            if share() { return .shared }
            guard errno == EWOULDBLOCK || errno == EINTR else { return .unknown }
            guard ContinuousClock.now < end else {
                throw StoreError(
                    .unavailable,
                    "Another process migrates, repairs or restores this database. Wait until it has ended."
                )
            }
            usleep(Self.pause)
        }
    }

    // MARK: Marks

    /// The state of a database's log, and the letter for it in the record.
    enum LogState: String {
        /// It was written back, and goes with the last one that closes the database.
        case closed = ""
        /// It has to be there, as the database is open, and may be empty.
        case open = "o"
        /// It has to be there, and has what may be nowhere else.
        case written = "w"
        /// It was left by the last one that closed the database, since a process that read kept it from being written
        /// back; its end is the last mark. It may go once the database has that mark.
        case left = "l"
    }

    /// The bytes of the record: a word, two numbers of eight hexadecimal digits, and the letter of a state.
    private static let recordBytes = 32
    private static let word = "placard-log"

    /// The marks of the database whose log may be beside it, the newest last, or `nil` where none were noted.
    ///
    /// There are always two, which differ while the mark is being changed.
    var marks: [UInt32]? {
        let parts = record
        let numbers = parts.dropFirst().compactMap { UInt32($0, radix: 16) }
        guard parts.first == Self.word[...], numbers.count == 2 else { return nil }
        return numbers
    }

    /// The state of the log, as it was noted last.
    var logState: LogState {
        guard marks != nil, let letter = record.last else { return .closed }
        return LogState(rawValue: String(letter)) ?? .closed
    }

    /// The words of the record.
    private var record: [Substring] {
        var bytes = [UInt8](repeating: 0, count: Self.recordBytes)
        guard pread(descriptor, &bytes, Self.recordBytes, 0) == Self.recordBytes else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    }

    /// Notes that the log has what may be nowhere else.
    func noteWritten() { change(to: .written) }

    /// Notes that the log was written back and goes, where marks were noted.
    func noteClosed() {
        if logState != .closed { change(to: .closed) }
    }

    private func change(to state: LogState) {
        guard let marks, let first = marks.first, let last = marks.last else { return }
        _ = note(first, last, state)
    }

    /// Notes the marks, the newest last, and what has become of the log, and waits until they are on the disk; returns
    /// whether they are.
    func note(_ first: UInt32, _ second: UInt32, _ state: LogState = .closed) -> Bool {
        let text = [first, second].reduce(Self.word) { text, mark in
            let digits = String(mark, radix: 16)
            return text + " " + String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits
        }
        var bytes = Array((state == .closed ? text : "\(text) \(state.rawValue)").utf8)
        bytes += repeatElement(UInt8(ascii: "\n"), count: max(0, Self.recordBytes - bytes.count))
        return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count && fsync(descriptor) == 0
    }

    /// Forgets the marks, since the log is gone.
    func forgetMarks() { _ = ftruncate(descriptor, 0) }
}
