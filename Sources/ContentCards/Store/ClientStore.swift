import Foundation

/// The files of one endpoint and key.
///
/// ```
/// <directory>/<hash of endpoint and key>/lock
///                                       /device
///                                       /users/<hash of user>/feed
///                                                            /events
/// ```
/// Damaged files are set aside and reported. Files that can't be read for now, such as before the first unlock of a
/// device, are left as they are. A store without files keeps nothing. In a container that an app shares with its
/// extensions, the lock is elsewhere; see `StorePlace`.
final class ClientStore: Sendable {
    private struct Access {
        var root: URL?
        var lock: DirectoryLock?
        var isDeviceUnreadable = false
        var isReleased = false
    }

    private let place: StorePlace?
    private let access = Locked(Access())
    /// Files that could not be read, and are not written.
    private let unreadable = Locked<Set<String>>([])
    private let writing: FileWriting
    private let report: @Sendable (Diagnostic) -> Void

    /// Opens the files below `directory`; `nil` keeps everything in memory.
    init(
        directory: URL?,
        endpoint: URL,
        key: String,
        writing: FileWriting = .system,
        bundle: String? = Bundle.main.bundleIdentifier,
        locks: URL? = PrivateDirectory.standard,
        report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.writing = writing
        self.report = report
        let name = "\(endpoint.absoluteString)\n\(key)"
        place = directory.map { StorePlace(directory: $0, name: name, bundle: bundle, locks: locks) }
        if let place { open(place, unless: Self.obstacle(at: place)) }
    }

    /// Whether there may be a record of the device that says that content cards are disabled, and can't be read for
    /// now.
    var isDeviceUnreadable: Bool { access.withLock(\.isDeviceUnreadable) }

    /// Opens the files where the record of the device could not be read at first, and can be by now.
    ///
    /// Another client may have them, which is reported: then everything stays in memory.
    /// - Returns: whether it can be read now.
    func reopen() -> Bool {
        guard let place, isDeviceUnreadable, Self.obstacle(at: place) == nil else { return false }
        return open(place, unless: nil)
    }

    /// Returns whether the files were not released.
    @discardableResult
    private func open(_ place: StorePlace, unless obstacle: FileError?) -> Bool {
        var failure: (any Error)?
        let isOpen = access.withLock { access -> Bool in
            guard !access.isReleased else { return false }
            access.isDeviceUnreadable = obstacle != nil
            do {
                access.lock = try Self.take(place, unless: obstacle)
                access.root = place.root
            } catch {
                failure = error
            }
            return true
        }
        if let failure {
            let consequence = obstacle == nil ? "" : "; content cards are off until it can be read"
            report(.storageUnavailable(reason: "\(failure)\(consequence)"))
        }
        return isOpen
    }

    /// Returns why the record of the device can't be read for now; `nil` where it can, or isn't there.
    private static func obstacle(at place: StorePlace) -> FileError? {
        let path = place.root.appendingPathComponent("device").path
        return StoredFile.read(path: path, limit: StoredFile.feedLimit, count: 1).obstacle
    }

    private var root: URL? { access.withLock(\.root) }

    private static func take(_ place: StorePlace, unless obstacle: FileError?) throws -> DirectoryLock {
        if let obstacle { throw obstacle }
        try PrivateDirectory.create(place.root)
        try PrivateDirectory.create(place.lock.deletingLastPathComponent())
        return try DirectoryLock(path: place.lock.path)
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

    /// Deletes the files of all users but some, given by the names of their folders, and but those whose events can't
    /// be read for now.
    func removeUsers(but folders: Set<String>) {
        for user in userDirectories where !folders.contains(user.lastPathComponent) {
            let events = user.appendingPathComponent("events").path
            let stored = StoredFile.read(path: events, limit: StoredFile.eventsLimit, count: 0)
            if stored.obstacle == nil { remove(user) }
        }
    }

    /// Lets another client have the files.
    ///
    /// Nothing may be written after that.
    func release() {
        access.withLock { access in
            access.isReleased = true
            access.lock?.release()
        }
    }

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
            guard let user = JournalHeader.user(path: path), UserIDRules.isValid(user),
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
        if let obstacle = stored.obstacle {
            unreadable.withLock { _ = $0.insert(file) }
            report(.storageUnavailable(reason: "\(url.lastPathComponent) cannot be read: \(obstacle)"))
            return nil
        }
        if let data = stored.data, let value = Envelope.open(data, read) { return value }
        SetAside.move(path: url.path)
        report(.fileSetAside(name: url.lastPathComponent, lostRecords: 1))
        return nil
    }

    private func save(_ body: some Collection<UInt8>, file: String) {
        guard let url = root?.appendingPathComponent(file), !unreadable.withLock({ $0.contains(file) }) else { return }
        do {
            try Envelope.seal(body).write(to: url, options: FileProtection.replacing)
        } catch {
            report(.storageUnavailable(reason: "\(url.lastPathComponent) could not be written"))
        }
    }

    private func remove(_ url: URL) {
        try? FileManager.default.removeItem(at: url)
    }
}
