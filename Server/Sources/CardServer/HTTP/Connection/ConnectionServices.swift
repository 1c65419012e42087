import NIOCore

/// What the connections of a server share.
struct ConnectionServices: Sendable {
    let table: ConnectionTable
    let bodies: BodyBudget
    let times: ConnectionTimes
    let metrics: ServerMetrics
    /// What encrypts connections, or `nil` where a proxy does or nothing.
    let certificate: ServerCertificate?
}
