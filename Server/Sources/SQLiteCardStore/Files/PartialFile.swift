import CardStore
import Foundation

/// A copy that isn't whole yet.
///
/// Its process holds a lock on it. What a process left that was killed has none, and the next copy into the same folder
/// removes it.
final class PartialFile {
    private static let suffix = ".partial"
    /// The maximum number of times that a file that another command takes for a leftover is created.
    private static let attempts = 16
    /// The endings of files that SQLite can have left beside it.
    private static let companions = ["", "-journal", "-wal", "-shm"]

    let path: String
    private let descriptor: Int32

    /// Creates an empty file beside another, and removes what earlier processes left in the folder; `nil` where it
    /// can't be created.
    init?(beside destination: String) {
        Self.removeLeftovers(in: URL(fileURLWithPath: destination).deletingLastPathComponent().path)
        guard let made = Self.make(beside: destination) else { return nil }
        (path, descriptor) = made
        FileOwner.inherit(descriptor, at: path)
    }

    /// Creates a file and locks it, another one where a command that removes leftovers was in between.
    private static func make(beside destination: String) -> (path: String, descriptor: Int32)? {
        for _ in 0..<attempts {
            let path = "\(destination).\(UUID().uuidString)\(suffix)"
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, PrivateFile.mode)
            if descriptor < 0 { return nil }
            // Whoever removes it has the lock while it does.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, access(path, F_OK) == 0 { return (path, descriptor) }
            close(descriptor)
        }
        return nil
    }

    deinit { close(descriptor) }

    /// Removes the file, unless it has got another name.
    func remove() { Self.remove(path) }

    /// Removes a copy with what lies beside it, its pictures among it.
    private static func remove(_ path: String) {
        for companion in companions { unlink(path + companion) }
        let pictures = MediaFolder(DatabaseFiles(path)).path
        if access(pictures, F_OK) == 0 { try? FileManager.default.removeItem(atPath: pictures) }
    }

    /// Removes the copies in a folder that nobody is writing any more.
    ///
    /// - Returns: The number of files that were removed.
    @discardableResult
    static func removeLeftovers(in folder: String) -> Int {
        paths(in: folder).count { path in
            ifLeft(path) { remove(path) }
        }
    }

    /// Returns the paths of the copies in a folder that nobody is writing any more.
    static func leftovers(in folder: String) -> [String] {
        paths(in: folder).filter { ifLeft($0) {} }.sorted()
    }

    private static func paths(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter(isName).map { "\(folder)/\($0)" }
    }

    /// Whether it is the name of such a file: it ends in a UUID and the suffix.
    private static func isName(_ name: String) -> Bool {
        guard name.hasSuffix(suffix) else { return false }
        return UUID(uuidString: String(name.dropLast(suffix.count).suffix(36))) != nil
    }

    /// Does something with a file that nobody is writing any more, under its lock, and returns whether it is one.
    private static func ifLeft(_ path: String, _ body: () -> Void) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
        body()
        return true
    }
}
