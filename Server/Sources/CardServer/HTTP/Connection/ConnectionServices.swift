import NIOCore

/// What the connections of a server share.
struct ConnectionServices: Sendable {
    let table: ConnectionTable
    let bodies: BodyBudget
    /// Bounds the bytes of answers that clients don't read.
    let answers: BodyBudget
    let times: ConnectionTimes
    let metrics: ServerMetrics
    /// What is refused before the application has it.
    let refusals: EarlyRefusals
    /// What encrypts connections, or `nil` where a proxy does or nothing.
    let certificate: ServerCertificate?
}
