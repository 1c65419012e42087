public import CardModel
public import CardStore

/// Makes the stores that the conformance suite checks.
public protocol StoreFactory: Sendable {
    /// The capabilities of its stores beyond those of every store; none by default.
    var capabilities: Set<ConformanceCheck.Capability> { get }

    /// Runs a body with an empty place, which is removed afterwards, whether the body throws or not.
    func withPlace(_ body: (any ConformancePlace) async throws -> Void) async throws
}

/// A place in which a store keeps its data, so that it can be opened again, or by two nodes at once.
public protocol ConformancePlace: Sendable {
    /// Opens a store, which is closed before the place is removed.
    func open(_ options: StoreOpeningOptions) async throws -> any CardStore
}

/// A place of a store that can be backed up to a file.
public protocol BackupPlace: ConformancePlace {
    /// A path in a folder of the place at which there is no file yet.
    var backupPath: String { get }

    /// Opens what a backup was written to.
    func openBackup(at path: String) async throws -> any CardStore
}

/// The options with which the suite opens a store.
public struct StoreOpeningOptions: Sendable {
    /// The number of changes that a listener may fall behind before it is told `StoreChange.anything`.
    public var listenerBuffer = 1024
    /// The time that the store is to take for the present one.
    public var now: @Sendable () -> UnixTime = { noon }

    /// Creates the default options.
    public init() {}
}

extension StoreFactory {
    /// Nothing.
    public var capabilities: Set<ConformanceCheck.Capability> { [] }

    /// Runs a body with an empty store, which is closed and removed afterwards.
    package func withStore(_ body: (any CardStore) async throws -> Void) async throws {
        try await withPlace { place in
            let store = try await place.open()
            try await body(store)
            try await store.close()
        }
    }
}

extension ConformancePlace {
    /// Opens a store.
    package func open(listenerBuffer: Int = 1024) async throws -> any CardStore {
        var options = StoreOpeningOptions()
        options.listenerBuffer = listenerBuffer
        return try await open(options)
    }
}
