import Foundation

/// The owner of the files that an administrator's command creates.
///
/// A server runs under an account of its own, and commands beside it often as root: what these create in the server's
/// folder has to be the server's, or it can't open it.
package enum FileOwner {
    /// Gives a file that this process has just created to the account that owns its folder, where this is root and the
    /// folder is another account's.
    ///
    /// - Parameters:
    ///   - descriptor: The file, open; what a path leads to may be another one by now.
    ///   - path: The path, whose folder is asked.
    package static func inherit(_ descriptor: Int32, at path: String) {
        guard geteuid() == 0, let owner = folderOwner(of: path), owner.user != 0 else { return }
        _ = fchown(descriptor, owner.user, owner.group)
    }

    /// Looks for a file that its server's account can't open although it's in that account's folder.
    ///
    /// - Parameter paths: The files; those that aren't there are passed over.
    /// - Returns: The first one of root in a folder of another account, with that account; `nil` where there is none.
    package static func foreign(among paths: [String]) -> (path: String, folderOwner: uid_t)? {
        for path in paths {
            var status = stat()
            guard stat(path, &status) == 0, status.st_uid == 0, let owner = folderOwner(of: path), owner.user != 0,
                status.st_mode & 0o006 != 0o006
            else { continue }
            return (path, owner.user)
        }
        return nil
    }

    private static func folderOwner(of path: String) -> (user: uid_t, group: gid_t)? {
        var status = stat()
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard stat(folder, &status) == 0 else { return nil }
        return (status.st_uid, status.st_gid)
    }
}
