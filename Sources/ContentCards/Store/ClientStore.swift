import Foundation

/// The files of one endpoint and key.
///
/// ```
/// <directory>/<hash of endpoint and key>/lock
///                                       /device
///                                       /users/<hash of user>/feed
///                                                            /events
/// ```
/// Files that cannot be read are set aside and reported. A store without files keeps nothing.
final class ClientStore: Sendable {
    private let root: URL?
    private let lock: DirectoryLock?
    private let writing: FileWriting
    private let report: @Sendable (Diagnostic) -> Void

    /// Opens the files below `directory`; `nil` keeps everything in memory.
    init(
        directory: URL?,
        endpoint: URL,
        key: String,
        writing: FileWriting = .system,
        report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.writing = writing
        self.report = report
        guard let directory else {
            (root, lock) = (nil, nil)
            return
        }
        let root = directory.appendingPathComponent(
            FileName.hash("\(endpoint.absoluteString)\n\(key)"),
            isDirectory: true
        )
        do {
            try PrivateDirectory.create(root)
            lock = try DirectoryLock(path: root.appendingPathComponent("lock").path)
            self.root = root
        } catch {
            (self.root, lock) = (nil, nil)
            report(.storageUnavailable(reason: "\(error)"))
        }
    }

    // MARK: The device

    func loadDevice() -> DeviceRecord? {
        load("device") { try JSONDecoder().decode(DeviceRecord.self, from: Data($0)) }
    }

    func save(_ device: DeviceRecord) {
        if let body = try? JSONEncoder().encode(device) { save(body, file: "device") }
    }

    // MARK: The feed of a user

    func loadFeed(user: String) -> FeedState? {
        guard let cached = load(userPath(user, "feed"), CachedFeed.init), cached.user.hasSameBytes(as: user) else {
            return nil
        }
        return cached.state
    }

    func save(_ state: FeedState, user: String) {
        guard makeUserDirectory(user) else { return }
        save(CachedFeed(user: user, state: state).bytes, file: userPath(user, "feed"))
    }

    /// Deletes the cached feeds of all users; their events stay.
    func removeFeeds() {
        for user in userDirectories { remove(user.appendingPathComponent("feed")) }
    }

    /// Lets another client have the files.
    ///
    /// Nothing may be written after that.
    func release() { lock?.release() }

    /// Deletes everything but the lock.
    func removeAll() {
        guard let root else { return }
        remove(root.appendingPathComponent("users"))
        remove(root.appendingPathComponent("device"))
    }

    // MARK: The event logs

    func openJournal(user: String) -> Journal {
        guard let root, makeUserDirectory(user) else { return Journal(inMemoryFor: user) }
        let path = root.appendingPathComponent(userPath(user, "events")).path
        return Journal(user: user, path: path, writing: writing, report: report)
    }

    /// Opens the logs of all users that have any pending events.
    func openJournals() -> [Journal] {
        userDirectories.compactMap { directory in
            let path = directory.appendingPathComponent("events").path
            // A log that says it is another's is opened by nobody: it would open, or create, that user's own.
            guard let user = JournalHeader.user(path: path), UserID.isValid(user),
                FileName.hash(user) == directory.lastPathComponent
            else { return nil }
            let journal = openJournal(user: user)
            return journal.pending.isEmpty ? nil : journal
        }
    }
}

extension ClientStore {
    private var userDirectories: [URL] {
        guard let users = root?.appendingPathComponent("users") else { return [] }
        return (try? FileManager.default.contentsOfDirectory(at: users, includingPropertiesForKeys: nil)) ?? []
    }

    private func userPath(_ user: String, _ file: String) -> String {
        "users/\(FileName.hash(user))/\(file)"
    }

    private func makeUserDirectory(_ user: String) -> Bool {
        guard let root else { return false }
        let directory = root.appendingPathComponent(userPath(user, ""), isDirectory: true)
        return (try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)) != nil
    }

    private func load<Value>(_ file: String, _ read: (UnsafeRawBufferPointer) throws -> Value) -> Value? {
        guard let url = root?.appendingPathComponent(file) else { return nil }
        let stored = StoredFile.read(path: url.path, limit: StoredFile.feedLimit)
        if case .missing = stored { return nil }
        if let data = stored.data, let value = Envelope.open(data, read) { return value }
        SetAside.move(path: url.path)
        report(.fileSetAside(name: url.lastPathComponent, lostRecords: 1))
        return nil
    }

    private func save(_ body: some Collection<UInt8>, file: String) {
        guard let url = root?.appendingPathComponent(file) else { return }
        do {
            try Envelope.seal(body).write(to: url, options: .atomic)
        } catch {
            report(.storageUnavailable(reason: "\(url.lastPathComponent) could not be written"))
        }
    }

    private func remove(_ url: URL) {
        try? FileManager.default.removeItem(at: url)
    }
}

/// Names files after texts of any length and alphabet.
enum FileName {
    /// Two 64-bit FNV-1a hashes, the second over the bytes in reverse.
    ///
    /// What is in a file names its owner again, so a collision costs a cache and never shows one user to another.
    static func hash(_ text: String) -> String {
        fnv(text.utf8, 0xCBF2_9CE4_8422_2325) + fnv(text.utf8.reversed(), 0x8422_2325_CBF2_9CE4)
    }

    private static func fnv(_ bytes: some Sequence<UInt8>, _ seed: UInt64) -> String {
        let value = bytes.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(value, radix: 16)
        // safe: 64 bits have sixteen digits at most
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// Reads whose log a file is.
enum JournalHeader {
    /// More bytes than the longest user id takes in JSON.
    private static let longest = 8192

    static func user(path: String) -> String? {
        guard case .contents = StoredFile.read(path: path, limit: StoredFile.eventsLimit),
            let file = FileHandle(forReadingAtPath: path)
        else { return nil }
        defer { try? file.close() }
        guard let head = try? file.read(upToCount: longest) else { return nil }
        let line = String(decoding: head, as: UTF8.self).utf8.prefix { $0 != UInt8(ascii: "\n") }
        guard case .header(let user) = JournalRecord(line: line) else { return nil }
        return user
    }
}

/// Makes directories that stay on this device.
enum PrivateDirectory {
    /// The place for the SDK's files: Application Support, or the XDG data home.
    static var standard: URL? {
        #if canImport(Darwin)
        let base = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        #else
        let base = dataHome
        #endif
        return base?.appendingPathComponent("ContentCards", isDirectory: true)
    }

    #if !canImport(Darwin)
    private static var dataHome: URL? {
        let environment = ProcessInfo.processInfo.environment
        if let home = environment["XDG_DATA_HOME"], home.hasPrefix("/") { return URL(fileURLWithPath: home) }
        return environment["HOME"].map { URL(fileURLWithPath: $0).appendingPathComponent(".local/share") }
    }
    #endif

    /// Creates a directory that is left out of backups: a restored copy of a device must not share its id.
    static func create(_ directory: URL) throws {
        try FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        #if canImport(Darwin)
        var directory = directory
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try directory.setResourceValues(values)
        #endif
    }
}
