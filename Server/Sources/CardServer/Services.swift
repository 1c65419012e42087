import CardModel
import CardStore
import Logging

/// What the controllers share.
struct Services: Sendable {
    let store: any CardStore
    let catalog: CatalogCache
    let authenticator: Authenticator
    let hub: LiveHub
    let metrics: ServerMetrics
    /// The time now, in Unix seconds.
    let clock: @Sendable () -> UnixTime
    /// Gives each new card its id.
    let makeCardID: @Sendable () -> CardID
    let logger: Logger
}
