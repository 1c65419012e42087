/// The space that a store takes.
public struct StorageSizes: Sendable, Hashable {
    /// The size of the database, in bytes.
    public var databaseBytes: Int64
    /// The size of what is written but isn't in its final place yet, in bytes.
    public var logBytes: Int64
    /// The free space where the database lies, in bytes, or `nil` where it can't be told.
    public var freeBytes: Int64?

    /// Creates sizes.
    public init(databaseBytes: Int64, logBytes: Int64, freeBytes: Int64?) {
        self.databaseBytes = databaseBytes
        self.logBytes = logBytes
        self.freeBytes = freeBytes
    }
}

/// One thing that was looked at to see whether a store can serve.
public struct HealthCheck: Sendable, Hashable {
    /// The name of what was looked at, such as `write`; the same in every version.
    public let name: String
    /// The error that was found, or `nil` for none.
    public let failure: StoreError?
    /// The detail that was found, such as the server that takes writes; `nil` where there is nothing to say.
    public let detail: String?
    /// The time that it took, in seconds.
    public let seconds: Double

    /// Creates a check that has been done.
    public init(_ name: String, failure: StoreError? = nil, detail: String? = nil, seconds: Double = 0) {
        self.name = name
        self.failure = failure
        self.detail = detail
        self.seconds = seconds
    }

    /// Does a check, and takes the time.
    public static func run(_ name: String, _ body: () async throws -> Void) async -> HealthCheck {
        await finding(name) {
            try await body()
            return nil
        }
    }

    /// Does a check that returns what it found, and takes the time.
    public static func finding(_ name: String, _ body: () async throws -> String?) async -> HealthCheck {
        let start = ContinuousClock.now
        var (failure, detail): (StoreError?, String?) = (nil, nil)
        do {
            detail = try await body()
        } catch let error as StoreError {
            failure = error
        } catch {
            failure = StoreError(.unavailable, "The check failed: \(type(of: error)).")
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        return HealthCheck(name, failure: failure, detail: detail, seconds: seconds)
    }
}
