import CardStore

/// Looks again and again whether another process has changed the file.
enum ForeignChangeWatch {
    /// Well within the second in which changes are to be announced.
    static let interval = Duration.milliseconds(200)
    /// While another process imports users, every device that listens would else ask five times a second.
    static let quietLooks = 4

    static func start(
        path: String,
        writerID: Int64,
        telling listeners: ChangeListeners,
        clock: any Clock<Duration>,
        onLook: @escaping @Sendable () -> Void = {}
    ) throws -> Task<Void, Never> {
        let changes = try ForeignChanges(path: path, writerID: writerID)
        return Task(priority: .utility) { await watch(changes, telling: listeners, clock: clock, onLook) }
    }

    private static func watch(
        _ changes: ForeignChanges,
        telling listeners: ChangeListeners,
        clock: any Clock<Duration>,
        _ onLook: @Sendable () -> Void
    ) async {
        defer { changes.close() }
        var pending = false
        var looks = quietLooks
        while (try? await clock.sleep(for: interval)) != nil {
            onLook()
            // A look that fails is made up for by the next; whoever reads or writes hears of the reason.
            let found = (try? changes.poll()) ?? []
            if found.contains(.catalog) { listeners.announce(.catalog) }
            if found.contains(.anything) { pending = true }
            looks += 1
            if pending, looks >= quietLooks {
                listeners.announce(.anything)
                pending = false
                looks = 0
            }
        }
    }
}
