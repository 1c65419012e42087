import CardStore
import Logging
import ServiceLifecycle

/// Moves the events of users who were merged into others, which stay where they are in the log until then.
///
/// Any node does it, and one that is started does what one before left when it ended.
struct MergedEventMover: Service {
    /// The number of events of a transaction, for which others wait.
    static let pieceSize = 1_000
    /// The time that a mover that has nothing to do waits, in seconds.
    static let pause = 1.0

    let store: any CardStore
    let logger: Logger

    func run() async throws {
        await WorkLoop().run { await step() ? 0 : Self.pause }
    }

    /// Moves some events, and returns whether there are more.
    func step() async -> Bool {
        do {
            return try await store.moveMergedEvents(limit: Self.pieceSize)
        } catch {
            logger.error("The events of merged users could not be moved", metadata: ["error": "\(error)"])
            return false
        }
    }
}
