import NIOCore

/// What the connections of a server share.
struct ConnectionServices: Sendable {
    let table: ConnectionTable
    let bodies: BodyBudget
    let times: ConnectionTimes
    let metrics: ServerMetrics
}
