import CardStore
import Foundation
import GRDB

extension SQLiteCardStore {
    /// Something that was looked at, and how it is.
    public struct Finding: Sendable, Hashable {
        /// How serious it is.
        public enum Level: String, Sendable {
            /// As it should be.
            case good
            /// Works, but wants looking after.
            case warning
            /// Does not work, or data is at risk.
            case bad
        }

        /// How serious it is.
        public let level: Level
        /// What was looked at, such as `integrity`; the same in every version.
        public let subject: String
        /// How it is and, where it is not good, what to do.
        public let message: String
    }

    /// Looks at the database as an operator would.
    ///
    /// The check of the whole file takes time in proportion to it; the store goes on working meanwhile.
    ///
    /// - Throws: `StoreError` where the database cannot even be read.
    public func diagnose() async throws -> [Finding] {
        let secrets = secrets
        let files = [
            Finding.freeSpace(at: path), Finding.writeAheadLog(at: path), Finding.exposure(of: exposedFiles),
        ]
        let settings = try await writer.write { session in
            [
                Finding.synchronous(try Int.fetchOne(session.database, sql: "PRAGMA synchronous") ?? -1),
                Finding.journal(try String.fetchOne(session.database, sql: "PRAGMA journal_mode") ?? ""),
            ]
        }
        let contents = try await read { database in
            [
                Finding.schema(try Schema.migrator.completedMigrations(database)),
                Finding.integrity(Self.lines { try String.fetchAll(database, sql: "PRAGMA quick_check(10)") }),
                Finding.references(Self.lines { try String.fetchAll(database, sql: Self.orphans) }),
                try Finding.secrets(in: database, secrets),
            ]
        }
        return contents + settings + files
    }

    private static let orphans = """
        SELECT 'A card belongs to no user' FROM deliveries WHERE user_id NOT IN (SELECT id FROM users) LIMIT 10
        """

    /// What a check prints; one that cannot be finished says why.
    private static func lines(_ check: () throws -> [String]) -> [String] {
        do { return try check() } catch { return [StoreError(error).message] }
    }
}

extension SQLiteCardStore.Finding {
    static func schema(_ done: [String]) -> Self {
        let isComplete = done.count == Schema.migrations.count
        return Self(
            level: isComplete ? .good : .bad,
            subject: "schema",
            message: isComplete ? "\(done.last ?? "none")" : "Steps are missing after \(done.last ?? "none"): migrate."
        )
    }

    static func integrity(_ lines: [String]) -> Self {
        guard lines != ["ok"] else { return Self(level: .good, subject: "integrity", message: "ok") }
        return Self(
            level: .bad,
            subject: "integrity",
            message: "\(lines.joined(separator: "; ")). Stop the server and put the last backup in its place."
        )
    }

    static func references(_ lines: [String]) -> Self {
        Self(
            level: lines.isEmpty ? .good : .bad,
            subject: "references",
            message: lines.first.map { "\($0): the file was changed by other means." } ?? "ok"
        )
    }

    static func secrets(in database: Database, _ secrets: StoreSecrets) throws -> Self {
        func finding(_ level: Level, _ message: String) -> Self {
            Self(level: level, subject: "secrets", message: message)
        }
        if try SealedColumn.isAnyReadable(in: database) {
            return finding(.warning, "Secrets of an older version aren't encrypted yet. Start the server once.")
        }
        guard let id = try SealedColumn.registeredKey(in: database) else { return finding(.good, "none so far") }
        let isSealed = try SealedColumn.isAnySealed(in: database)
        if secrets.key(id) == nil, isSealed { return finding(.bad, secrets.locked(id).message) }
        let name = SecretsKey.name(of: id)
        if let newest = secrets.newestKeyID, newest != id {
            return finding(.warning, "Key \(name) isn't the newest one. Run `placard secrets rotate`.")
        }
        return finding(.good, "encrypted with key \(name)")
    }

    static func exposure(of files: [SQLiteCardStore.ExposedFile]) -> Self {
        let names = files.map(\.path).joined(separator: ", ")
        if files.contains(where: \.isStillExposed) {
            return Self(
                level: .bad,
                subject: "files",
                message: "Other accounts can read \(names). Give the files to this account, with mode 600."
            )
        }
        return Self(
            level: files.isEmpty ? .good : .warning,
            subject: "files",
            message: files.isEmpty ? "only their owner reads them" : "Other accounts could read \(names) until now."
        )
    }

    static func synchronous(_ level: Int) -> Self {
        Self(
            level: level >= 2 ? .good : .bad,
            subject: "synchronous",
            message: level >= 2 ? "FULL" : "\(level): a loss of power may lose the last moments. Please report this."
        )
    }

    static func journal(_ mode: String) -> Self {
        Self(
            level: mode == "wal" ? .good : .warning,
            subject: "journal",
            message: mode == "wal" ? "wal" : "\(mode): readers wait for writers. Does the file system share memory?"
        )
    }

    static func writeAheadLog(at path: String) -> Self {
        let size = (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int64) ?? 0
        let isLarge = size > 1 << 30
        return Self(
            level: isLarge ? .warning : .good,
            subject: "wal",
            message: "\(size) bytes" + (isLarge ? ": a process holds an old read open; find and end it." : "")
        )
    }

    static func freeSpace(at path: String) -> Self {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        guard let free = attributes?[.systemFreeSize] as? NSNumber else {
            return Self(level: .warning, subject: "space", message: "The free space cannot be told.")
        }
        let isLow = free.int64Value < 1 << 30
        return Self(
            level: isLow ? .warning : .good,
            subject: "space",
            message: "\(free.int64Value) bytes free" + (isLow ? ": make room before the disk is full." : "")
        )
    }
}
