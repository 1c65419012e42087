package import CardModel
import CardStore

/// The progress of the webhook of several databases.
package struct WebhookPlace: Sendable, Hashable {
    /// The position up to which it has the events, in the index of all logs.
    package let position: Int64
    /// The number of attempts in a row that have failed.
    package let failures: Int
    /// The time of the oldest notice that waits, or `nil` where none waits.
    package let noticeAt: UnixTime?
}

extension PostgresCardStore {
    /// Reads how far the webhook is, or returns `nil` where there is none.
    package func webhookPlace() async throws -> WebhookPlace? { try await read { try WebhookRow.place(in: $0) } }
}
