public import CardModel
public import WireJSON

/// Keeps files of users that members upload, and how far their import is.
///
/// Users are changed as by ``UserStore/updateUsers(_:at:)``. The bytes of a file are removed when its import ends, and
/// its row with the lines that were rejected later.
public protocol ImportStore: Sendable {
    /// Adds an import whose file is to be uploaded.
    ///
    /// - Returns: The import; that of the same file where the same member has begun to upload it already, or `nil`
    ///   where ``ImportJob/openLimit`` wait or run.
    func insertImport(_ job: ImportJob) async throws -> ImportJob?

    /// Appends a piece to the file of an import, which has at most ``ImportJob/pieceBytes``.
    ///
    /// A piece that isn't the next one changes nothing, so that one may be sent again.
    ///
    /// - Returns: How many bytes of the file are there now, or `nil` where no file of that import is being uploaded.
    func appendImportBytes(_ bytes: [UInt8], at offset: Int, to id: String) async throws -> Int?

    /// Reads an import, or `nil` where there is none of that id.
    func importJob(_ id: String) async throws -> ImportJob?

    /// Reads imports by their ids, without those that there aren't; of the first 1000 ids.
    func findImports(_ ids: [String]) async throws -> [String: ImportJob]

    /// Reads imports, the newest first.
    func importJobs(offset: Int, limit: Int) async throws -> [ImportJob]

    /// Reads a part of the file of an import, of at most ``ImportJob/pieceBytes``; there is less where it ends before.
    func importBytes(_ id: String, in range: Range<Int>) async throws -> [UInt8]

    /// Starts an import whose file is complete; it runs when those that were started before have ended.
    ///
    /// - Parameters:
    ///   - id: The import.
    ///   - plan: What is made of the file, as text that only a worker reads.
    ///   - now: The time.
    ///   - actor: Who starts it.
    /// - Returns: Whether there is one to start.
    /// - Throws: What keeps the store from writing.
    func startImport(_ id: String, plan: String, at now: UnixTime, by actor: Actor) async throws -> Bool

    /// Ends an import that was not finished, and removes its file. What it has changed stays.
    ///
    /// - Returns: Whether there is one to cancel.
    func cancelImport(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool

    /// Leases the import that was started first to a worker, so that no other node works on it or on another one.
    ///
    /// The store's own time decides when a lease has ended: that of the database server, where there is one.
    ///
    /// - Parameters:
    ///   - worker: The worker's name among those of all nodes.
    ///   - seconds: How long it has the import; a worker can renew its own lease.
    /// - Returns: The import, or `nil` where none is started or another worker has it.
    /// - Throws: What keeps the store from reading or writing.
    func claimImport(for worker: String, seconds: Double) async throws -> ImportJob?

    /// Does a step of an import that a worker has, all in one transaction: users are changed, rejected lines kept, and
    /// the import moves on. It renews the worker's lease.
    ///
    /// - Parameters:
    ///   - step: What to do, with at most 1000 users.
    ///   - id: The import.
    ///   - worker: The worker.
    ///   - seconds: How long it has the import from now on.
    ///   - now: The time.
    /// - Returns: The import as it is now, or `nil` where the worker doesn't have it anymore; then nothing was changed.
    /// - Throws: What keeps the store from writing.
    func applyImport(
        _ step: ImportStep,
        to id: String,
        by worker: String,
        seconds: Double,
        at now: UnixTime
    ) async throws -> ImportJob?

    /// Reads lines of an import's file that were rejected, in order, after the line of that number.
    func importRejects(_ id: String, after line: Int, limit: Int) async throws -> [ImportReject]

    /// Ends imports that have lasted too long, and removes those that ended long ago; see ``ImportJob/Retention``.
    ///
    /// - Returns: How many were ended or removed.
    func removeOldImports(at now: UnixTime) async throws -> Int
}

/// A file of users that a member imports.
public struct ImportJob: Sendable, Hashable {
    /// The state of an import.
    public enum Status: String, Sendable, CaseIterable {
        /// The file is being uploaded, or is complete and waits for the member.
        case uploading
        /// It runs, or will when others have ended.
        case running
        /// The whole file was read.
        case finished
        /// The file can't be read any further.
        case failed
        /// A member has canceled it.
        case canceled
        /// It has lasted too long.
        case expired

        /// Whether it goes on.
        public var isOpen: Bool { self == .uploading || self == .running }
    }

    /// The times for which imports are kept, in seconds.
    public enum Retention {
        /// The time that a file can wait for its member: a day.
        public static let upload = 86_400.0
        /// The time that an import can run, or wait for others: a week.
        public static let run = 7 * 86_400.0
        /// The time for which an import is listed after its end: 90 days.
        public static let list = 90 * 86_400.0
    }

    /// The number of bytes that a file may have: 50 MiB.
    public static let fileBytes = 50 << 20
    /// The number of bytes of a piece of a file: 1 MiB.
    public static let pieceBytes = 1 << 20
    /// The number of imports that may wait or run.
    public static let openLimit = 10
    /// The number of rejected lines of an import that are kept.
    public static let keptRejects = 10_000

    /// The id.
    @Bytewise public var id: String
    /// The name of the file.
    @Bytewise public var fileName: String
    /// The format of the file, by the name that a worker knows.
    @Bytewise public var format: String
    /// The number of bytes of the file, 1 to ``fileBytes``.
    public var size: Int
    /// The fingerprint that tells that a file is the same when it is sent again.
    @Bytewise public var fingerprint: String
    /// The time at which it was added.
    public var createdAt: UnixTime
    /// The member who added it, by e-mail address.
    @Bytewise public var createdBy: String
    /// The state of the import.
    public var status = Status.uploading
    /// The number of bytes of the file that are there.
    public var received = 0
    /// The plan for the file, as text that a worker reads, or `nil` where it wasn't started.
    public var plan: String?
    /// The time at which the import was started.
    public var startedAt: UnixTime?
    /// The time at which the import ended.
    public var endedAt: UnixTime?
    /// The reason for the failure.
    public var failure: String?
    // bounded: by the size of the file
    /// The place in the file up to which all is done.
    public var offset = 0
    // bounded: by the size of the file
    /// The number of the line there, from 1.
    public var line = 1
    // bounded: by the number of lines
    /// The number of users that were imported.
    public var imported = 0
    // bounded: by the number of lines
    /// The number of lines that were rejected.
    public var rejected = 0

    /// Creates an import whose file is to be uploaded.
    public init(
        id: String,
        fileName: String,
        format: String,
        size: Int,
        fingerprint: String,
        createdAt: UnixTime,
        createdBy: String
    ) {
        self.size = size
        self.createdAt = createdAt
        self.id = id
        self.fileName = fileName
        self.format = format
        self.fingerprint = fingerprint
        self.createdBy = createdBy
    }

    /// Whether the whole file is there, and nothing was started.
    public var isReady: Bool { status == .uploading && received == size }

    /// Whether this is the same file of the same member as another.
    package func isSameFile(as other: ImportJob) -> Bool {
        size == other.size && fileName.hasSameBytes(as: other.fileName) && format.hasSameBytes(as: other.format)
            && fingerprint.hasSameBytes(as: other.fingerprint) && createdBy.hasSameBytes(as: other.createdBy)
    }
}

/// A line of a file that was rejected.
public struct ImportReject: Sendable, Hashable {
    /// The number of the line, from 1.
    public var line: Int
    /// The reason for the rejection, without the user's data.
    @Bytewise public var reason: String

    /// Creates a rejected line.
    public init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }
}

/// The work that a worker does at once.
public struct ImportStep: Sendable {
    /// A user, with the number of the line.
    public struct Entry: Sendable {
        /// The number of the line.
        public var line: Int
        /// The change of the user.
        public var update: UserUpdate

        /// Creates an entry.
        public init(line: Int, update: UserUpdate) {
            self.line = line
            self.update = update
        }
    }

    /// The users, in the order of the file.
    public var users: [Entry]
    /// The lines that are no users.
    public var rejects: [ImportReject]
    /// The place in the file up to which all is done then.
    public var offset: Int
    /// The number of the line there.
    public var line: Int
    /// The end of the import with this step, or `nil` where it goes on.
    public var end: End?

    /// The end of an import.
    public enum End: Sendable, Hashable {
        /// The whole file was read.
        case finished
        /// The file can't be read any further, for that reason.
        case failed(String)
    }

    /// Creates a step.
    public init(
        users: [Entry] = [],
        rejects: [ImportReject] = [],
        offset: Int,
        line: Int,
        end: End? = nil
    ) {
        self.users = users
        self.rejects = rejects
        self.offset = offset
        self.line = line
        self.end = end
    }
}
