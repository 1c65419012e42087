import Foundation

/// The place of a client's files, and the lock that keeps other clients away from them.
///
/// iOS ends a process that is suspended while it holds a lock on a file in a container that it shares (`0xdead10cc`).
/// So in such a container each app and each extension has files of its own, and the lock lies outside of it.
struct StorePlace: Equatable {
    let root: URL
    let lock: URL

    /// Finds the place of the client of an endpoint and key.
    ///
    /// - Parameters:
    ///   - directory: the directory of all clients.
    ///   - name: names endpoint and key.
    ///   - bundle: the identifier of the app or extension.
    ///   - locks: a directory in the container of the app or extension alone.
    init(directory: URL, name: String, bundle: String?, locks: URL?) {
        guard Self.isShared(directory), let locks else {
            root = directory.appendingPathComponent(FileName.hash(name), isDirectory: true)
            lock = root.appendingPathComponent("lock")
            return
        }
        root = directory.appendingPathComponent(FileName.hash("\(name)\n\(bundle ?? "")"), isDirectory: true)
        lock = locks.appendingPathComponent("locks", isDirectory: true)
            .appendingPathComponent(FileName.hash(root.standardizedFileURL.path))
    }

    /// Returns whether a directory is in the container of an app group: `…/Containers/Shared/AppGroup/…` on iOS,
    /// `…/Library/Group Containers/…` on macOS.
    static func isShared(_ directory: URL) -> Bool {
        let parts = directory.standardizedFileURL.pathComponents
        // characters: a name of a folder, as a whole
        return parts.contains("Group Containers")
            || zip(parts, parts.dropFirst()).contains { $0 == ("Shared", "AppGroup") }
    }
}
