import Foundation

/// Files that only the account which runs Placard can read: databases, backups, exports and keys.
package enum PrivateFile {
    /// The permission bits of such a file: its owner reads and writes it, nobody else does anything.
    package static let mode: mode_t = 0o600
    private static let othersBits: mode_t = 0o077

    /// A finding about who can read a file.
    package enum Exposure: Sendable, Hashable {
        /// Only its owner can, or there is no such file.
        case none
        /// Other accounts could until now.
        case ended
        /// Other accounts can, and this process isn't allowed to change that, or doesn't because the path is a link.
        case remains
    }

    /// Takes the permissions of other accounts away.
    ///
    /// What a symbolic link leads to stays as it is: a command that runs as root in a folder of the service's account
    /// would otherwise take any file of the machine from those who read it.
    ///
    /// - Parameter path: The file.
    /// - Returns: Who could read it before, and whether that has ended.
    package static func tighten(_ path: String) -> Exposure {
        guard isExposed(path) else { return .none }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .remains }
        // Nor is a link followed that takes the file's place now. Not by a descriptor: closing one would release the
        // locks that SQLite has on the file in this process.
        return fchmodat(AT_FDCWD, path, mode, AT_SYMLINK_NOFOLLOW) == 0 ? .ended : .remains
    }

    /// Returns whether other accounts can read or write a file; a symbolic link is followed.
    package static func isExposed(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & othersBits != 0
    }

    /// Returns whether a file with a secret can be read or written by others than its owner and, where that is root,
    /// the group that root lets read it.
    package static func isSecretExposed(_ path: String) -> Bool {
        var status = stat()
        guard isExposed(path), stat(path, &status) == 0 else { return false }
        return status.st_uid != 0 || status.st_mode & othersBits != S_IRGRP
    }

    /// Returns whether a file belongs to root.
    package static func isOfRoot(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_uid == 0
    }

    /// Creates an empty file where there is none.
    ///
    /// - Returns: Whether there was none.
    @discardableResult
    package static func createEmpty(_ path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { return false }
        FileOwner.inherit(descriptor, at: path)
        close(descriptor)
        return true
    }

    /// Creates a file with its contents, all or nothing, where there is none of that name.
    ///
    /// The file is on the disk when this returns.
    ///
    /// - Returns: Whether there was none.
    /// - Throws: `StoreError` where it can't be written.
    package static func create(_ path: String, contents: [UInt8]) throws(StoreError) -> Bool {
        try withPartial(of: path, contents) { partial throws(StoreError) in
            if link(partial, path) == 0 { return true }
            guard errno == EEXIST else { throw unwritable(path) }
            return false
        }
    }

    /// Puts a file with those contents in the place of the one that is there, all or nothing.
    ///
    /// - Throws: `StoreError` where it can't be written; the file that was there is then still there.
    package static func replace(_ path: String, contents: [UInt8]) throws(StoreError) {
        try withPartial(of: path, contents) { partial throws(StoreError) in
            guard rename(partial, path) == 0 else { throw unwritable(path) }
        }
    }

    /// Waits until a file or folder is on the disk.
    ///
    /// - Returns: Whether it is.
    package static func synchronize(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    private static func withPartial<Value>(
        of path: String,
        _ contents: [UInt8],
        _ publish: (String) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let partial = "\(path).\(UUID().uuidString).partial"
        defer { unlink(partial) }
        guard createEmpty(partial), write(contents, to: partial), synchronize(partial) else { throw unwritable(path) }
        let value = try publish(partial)
        _ = synchronize(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        return value
    }

    private static func write(_ contents: [UInt8], to path: String) -> Bool {
        guard let handle = FileHandle(forWritingAtPath: path) else { return false }
        defer { try? handle.close() }
        return (try? handle.write(contentsOf: Data(contents))) != nil
    }

    private static func unwritable(_ path: String) -> StoreError {
        StoreError(.unavailable, "\(path) can't be written. Check that its folder exists, is writable and has room.")
    }
}
