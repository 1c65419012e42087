import CardModel
import CardStore
import Foundation

// What is found at the files of a database.
extension SQLiteCardStore.Finding {
    /// Below this, in bytes, a write may fail at any moment.
    private static let fullBytes: Int64 = 64 << 20
    /// Below this, in bytes, there is time to make room.
    private static let lowBytes: Int64 = 1 << 30
    /// The size in bytes at which a log isn't written back any more.
    private static let largeLogBytes: Int64 = 1 << 30

    private static func good(_ subject: String, _ message: String) -> Self {
        Self(level: .good, subject: subject, message: message)
    }

    static func freeSpace(in folder: String) -> Self { freeSpace(DatabaseFiles.freeBytes(in: folder), in: folder) }

    static func freeSpace(_ free: Int64?, in folder: String) -> Self {
        guard let free else {
            return Self(
                level: .warning,
                subject: "space",
                message: "The free space can't be told.",
                command: "df \(folder.shellWord)"
            )
        }
        guard free < lowBytes else { return good("space", "\(Quantity.text(free, "byte")) free") }
        let message =
            switch free {
            case ..<SQLiteCardStore.leastFreeBytes:
                "The disk is full: \(free) bytes are free. Make room; the server then goes on by itself."
            case ..<fullBytes:
                "The disk is nearly full: \(free) bytes are free, and writes may fail at any moment. Make room."
            default: "\(Quantity.text(free, "byte")) free: make room before the disk is full."
            }
        // What is bad here is so for the server's readiness, too.
        let isFull = free < SQLiteCardStore.leastFreeBytes
        let command = "df \(folder.shellWord)"
        return Self(level: isFull ? .bad : .warning, subject: "space", message: message, command: command)
    }

    static func log(of files: DatabaseFiles) -> Self {
        let size = DatabaseFiles.size(of: files.log) ?? 0
        guard size > largeLogBytes else { return good("wal", Quantity.text(size, "byte")) }
        return Self(
            level: .warning,
            subject: "wal",
            message: "\(Quantity.text(size, "byte")): a process holds an old read open. Find and end it.",
            command: "fuser -v \(files.main.shellWord)"
        )
    }

    static func endOfLog(of files: DatabaseFiles) -> Self {
        let lock = DatabaseLock(files, isCreated: false)
        guard lock?.takeAlone() ?? true else { return good("log-end", "in use") }
        defer { lock?.release() }
        if let lock, LogOwnership.isLogLost(files, lock) { return lostLog(of: files) }
        let pageBytes = LogOwnership.pageBytes(of: files)
        // A server that starts waits for the lock, and a log can take long to read.
        lock?.release()
        var end = LogScan(files.log, pageBytes: pageBytes).end
        if end != .whole {
            guard lock?.takeAlone() ?? true else { return good("log-end", "in use") }
            end = LogScan(files.log, pageBytes: pageBytes).end
        }
        return endOfLog(of: files, end)
    }

    private static func lostLog(of files: DatabaseFiles) -> Self {
        let event = DatabaseFiles.size(of: files.log) == nil ? "is gone" : "was emptied"
        return Self(
            level: .warning,
            subject: "log-end",
            message: "The write-ahead log \(files.log) \(event), and the server was killed, or stopped while another "
                + "process read, before it had written it back. What was acknowledged last is lost, unless another "
                + "program has written it back since.",
            command: "placard audit verify"
        )
    }

    private static func endOfLog(of files: DatabaseFiles, _ end: LogScan.End) -> Self {
        if end == .damaged {
            return Self(
                level: .bad,
                subject: "log-end",
                message: "The write-ahead log \(files.log) is damaged: what was written after the damage is lost. "
                    + "A server that starts keeps a copy, \(files.damagedLog). A backup may have more.",
                command: "placard restore FILE"
            )
        }
        if end == .blank {
            return Self(
                level: .warning,
                subject: "log-end",
                message: "The write-ahead log \(files.log) has zeros in the place of what was written last, as after a "
                    + "power failure. Where the disk had said that it was written, what was acknowledged last is lost. "
                    + "Compare the newest entries with what you expect.",
                command: "placard audit verify"
            )
        }
        guard end == .unfinished else { return good("log-end", "whole") }
        return Self(
            level: .warning,
            subject: "log-end",
            message: "The write-ahead log ends within a transaction: a server was killed while it wrote, or a part of "
                + "the log is missing. Compare the newest entries with what you expect; they are lost otherwise.",
            command: "placard audit verify"
        )
    }

    static func exposure(of files: [SQLiteCardStore.ExposedFile]) -> Self {
        guard !files.isEmpty else { return good("files", "only their owner reads them") }
        let names = files.map(\.path)
        return Self(
            level: .bad,
            subject: "files",
            message: "Other accounts can read \(names.joined(separator: " ")). "
                + "Give the files to the server's account, with mode 600.",
            command: "chmod 600 \(names.shellWords)"
        )
    }

    static func openness(of files: DatabaseFiles) -> Self {
        let folders = [files.folder, MediaFolder(files).path].filter { StoreFiles.isOpenToWriters($0) }
        guard !folders.isEmpty else { return good("folders", "only their owner changes them") }
        let names = folders.joined(separator: " ")
        return Self(
            level: .bad,
            subject: "folders",
            message: "Other accounts can write to \(names), and put other files in the place of those there.",
            command: "chmod go-w \(folders.shellWords)"
        )
    }

    static func writability(of files: DatabaseFiles) -> Self {
        if files.isOnReadOnlyDisk {
            return Self(
                level: .warning,
                subject: "access",
                message: "The disk of \(files.folder) is mounted read-only: commands that only read work, and no "
                    + "server starts. Mount it for writing.",
                command: "findmnt --target \(files.folder.shellWord)"
            )
        }
        if let obstacle = files.folderObstacle() {
            let command = "ls -ld \(files.folder.shellWord)"
            return Self(level: .warning, subject: "access", message: obstacle.message, command: command)
        }
        let paths: [String] = [files.main, files.log, files.index, files.folder]
        guard let first = paths.first(where: { access($0, F_OK) == 0 && access($0, W_OK) != 0 }) else {
            return foreignFile(files) ?? good("access", "this account can write it")
        }
        return Self(
            level: .warning,
            subject: "access",
            message: "This account can't write \(first). The server's has to.",
            command: "ls -l \(files.folder.shellWord)"
        )
    }

    /// A file that root may have created in the server's folder: this may be root's process, which can write
    /// everything.
    private static func foreignFile(_ files: DatabaseFiles) -> Self? {
        let paths = [files.main, files.log, files.index, files.lock, files.serverLock, files.journal]
        guard let (path, owner) = FileOwner.foreign(among: paths) else { return nil }
        return Self(
            level: .bad,
            subject: "access",
            message: "\(path) belongs to root, and its folder to account \(owner), whose server can't open it.",
            command: "chown --reference=\(files.folder.shellWord) \(path.shellWord)"
        )
    }

    static func leftovers(in folder: String) -> Self {
        let paths = PartialFile.leftovers(in: folder)
        guard !paths.isEmpty else { return good("leftovers", "none") }
        return Self(
            level: .warning,
            subject: "leftovers",
            message: "Backups that were interrupted take space: \(paths.joined(separator: " ")). "
                + "The next backup removes them.",
            command: "rm \(paths.shellWords)"
        )
    }
}
