public import Testing

/// A sentence that holds of every store, and how to find out.
///
/// The tests of a store run all of them:
///
/// ```swift
/// @Test("Every check of the conformance suite", arguments: ConformanceCheck.all(for: SQLiteStores()))
/// func conforms(_ check: ConformanceCheck) async throws { try await check.run(with: SQLiteStores()) }
/// ```
///
/// The environment variable `PLACARD_CHECKS` leaves those whose topic or name contains a text.
public struct ConformanceCheck: Sendable, CustomTestStringConvertible {
    /// Something that not every store can do.
    public enum Capability: Sendable {
        /// The store is a `BackupStore`, and its place a ``BackupPlace``.
        case backup
    }

    /// The topic that it belongs to.
    public internal(set) var topic = ""
    /// The sentence.
    public let name: String
    /// The capability that the store needs, or `nil` where every store has it.
    public let capability: Capability?
    private let body: @Sendable (any StoreFactory) async throws -> Void

    init(
        _ name: String,
        needs capability: Capability? = nil,
        _ body: @escaping @Sendable (any StoreFactory) async throws -> Void
    ) {
        self.name = name
        self.capability = capability
        self.body = body
    }

    /// The topic and the sentence.
    public var testDescription: String { "\(topic): \(name)" }

    /// Checks the stores of a factory; what is wrong is an issue of the current test.
    ///
    /// - Throws: An error of the store that the check doesn't expect.
    public func run(with stores: any StoreFactory) async throws { try await body(stores) }
}
