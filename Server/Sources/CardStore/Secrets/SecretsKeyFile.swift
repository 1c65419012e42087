import Foundation

/// A file with the keys for the secrets in a store, one a line, the newest first.
package struct SecretsKeyFile: Sendable, Hashable {
    private static let comment = """
        # Encrypts the second factors and webhook secrets in Placard's database. Backups don't contain it:
        # keep a copy somewhere else. The newest key is in the first line; older ones open older backups.

        """

    /// The file's path.
    package let path: String

    /// Names a file.
    package init(path: String) { self.path = path }

    /// Reads the keys, or returns `nil` where there is no such file.
    ///
    /// - Throws: `StoreError.locked` where the file can't be read or holds something else.
    package func read() throws(StoreError) -> SecretsKeyring? {
        guard access(path, F_OK) == 0 else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw StoreError(.locked, "The secrets key file \(path) can't be read. Check its owner and permissions.")
        }
        guard let keyring = SecretsKeyring(text: String(decoding: data, as: UTF8.self)) else {
            throw StoreError(
                .locked,
                "The secrets key file \(path) doesn't hold a key: 32 random bytes in base 64 are expected on each line."
            )
        }
        return keyring
    }

    /// Creates the file where there is none, and returns the keys that are in it then.
    package func create() throws(StoreError) -> SecretsKeyring {
        let keyring = SecretsKeyring([.random()])
        if try PrivateFile.create(path, contents: contents(keyring)) { return keyring }
        // Another process was quicker.
        guard let other = try read() else {
            throw StoreError(.locked, "The secrets key file \(path) comes and goes. Try again.")
        }
        return other
    }

    /// Runs a body while no other process changes the file, where the file system has locks.
    ///
    /// The lock is that of the folder, so that no file is left behind.
    package func exclusively<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Unlocked first: a process that is just being made has the descriptor, too, until it begins its program.
        defer {
            if descriptor >= 0 {
                flock(descriptor, LOCK_UN)
                close(descriptor)
            }
        }
        if descriptor >= 0 { while flock(descriptor, LOCK_EX) != 0, errno == EINTR {} }
        return try body()
    }

    /// Puts other keys into the file.
    package func replace(with keyring: SecretsKeyring) throws(StoreError) {
        try PrivateFile.replace(path, contents: contents(keyring))
    }

    private func contents(_ keyring: SecretsKeyring) -> [UInt8] {
        Array((Self.comment + keyring.keys.map { $0.text + "\n" }.joined()).utf8)
    }
}
