import CardStore
import Foundation
import GRDB

extension SQLiteCardStore {
    /// The work that was done to bring a database up to date.
    public struct Migration: Sendable, Hashable {
        /// The names of the steps, in order; empty where there was nothing to do.
        public var steps: [String] = []
        /// The copy that was made before, or `nil` where there was nothing to copy or none was wanted.
        public var copy: String?
    }

    /// The plan of a migration.
    public struct MigrationPlan: Sendable, Hashable {
        /// The names of the steps, in order; empty where there is nothing to do.
        public let steps: [String]
        /// The size of the database with its log, in bytes.
        public let databaseBytes: Int64
        /// The free space that the copy before and the steps need, in bytes.
        public let neededBytes: Int64
        /// The space that is free, in bytes, or `nil` where it can't be told.
        public let freeBytes: Int64?
        /// The path of the copy, or `nil` where there is no database yet or none is wanted.
        public let copy: String?
        /// The approximate time that it takes, in seconds.
        public let seconds: Int64

        /// Whether there is room for it, as far as it can be told.
        public var hasRoom: Bool { freeBytes.map { $0 >= neededBytes } ?? true }
    }

    /// Brings a database up to date, creating it where there is none.
    ///
    /// - Parameters:
    ///   - path: The file. Its folder has to exist.
    ///   - secretsKey: Where the keys for secrets come from; see ``Options/secretsKey``.
    ///   - isCopied: Whether a database that is migrated is copied before.
    /// - Returns: What was done.
    /// - Throws: As ``init(path:options:)`` does.
    @discardableResult
    public static func migrate(
        path: String,
        secretsKey: SecretsKeySource? = nil,
        isCopied: Bool = true
    ) throws -> Migration {
        var options = Options()
        options.secretsKey = secretsKey
        options.copiesBeforeMigrating = isCopied
        let opened = try StoreOpening(path, options).open()
        let isLast = opened.lock?.takeAlone() ?? true
        try close(opened.pool, DatabaseFiles(path), opened.lock, isLast: isLast)
        return opened.migration
    }

    /// Says what ``migrate(path:secretsKey:isCopied:)`` would do, and changes nothing.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isCopied: Whether a database that is migrated is copied before.
    /// - Returns: The steps, and what they take.
    /// - Throws: `StoreError` where the file can't be migrated at all.
    public static func migrationPlan(path: String, isCopied: Bool = true) throws -> MigrationPlan {
        let files = DatabaseFiles(path)
        try StoreOpening.checkLog(files)
        let copy = MigrationCopy(files)
        let steps: [String]
        var copyPath: String?
        switch try DatabaseState(of: files) {
        case .current: steps = []
        case .missing, .empty: steps = Schema.migrations.map { $0.identifier }
        case .older(let done, let pending):
            steps = pending
            if isCopied { copyPath = done.last.map(copy.path) }
        }
        return MigrationPlan(
            steps,
            bytes: copy.bytes,
            copy: copyPath,
            freeBytes: DatabaseFiles.freeBytes(in: files.folder)
        )
    }
}

extension SQLiteCardStore.MigrationPlan {
    /// Bytes a second that are copied, and that a step rewrites which goes through the data of users; measured on a
    /// machine with two cores, and rounded down.
    private static let copied = 100_000_000.0
    private static let rewritten = 10_000_000.0

    fileprivate init(_ steps: [String], bytes: Int64, copy: String?, freeBytes: Int64?) {
        self.steps = steps
        self.copy = copy
        self.freeBytes = freeBytes
        databaseBytes = bytes
        let large = Schema.migrations.filter { $0.rewritesUsers && steps.contains($0.identifier) }.count
        // What is rewritten is in the log until it is written back, and in the file beside what it replaces.
        let copies = (copy == nil ? 0.0 : 1) + (large > 0 ? 2 : 0)
        let data = Double(bytes)
        // The other steps write little, for which there is the room that the copy has to leave.
        let needed = Int64(exactly: (data * copies).rounded())?.addingReportingOverflow(MigrationCopy.margin)
        neededBytes = steps.isEmpty ? 0 : needed.flatMap { $0.overflow ? nil : $0.partialValue } ?? .max
        let seconds = (copy == nil ? 0 : data / Self.copied) + Double(large) * data / Self.rewritten
        self.seconds = steps.isEmpty ? 0 : max(1, Int64(exactly: seconds.rounded(.up)) ?? .max)
    }
}
