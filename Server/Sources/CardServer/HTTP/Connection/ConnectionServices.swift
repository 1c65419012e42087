import NIOCore

/// The services that the connections of a server share.
struct ConnectionServices: Sendable {
    let table: ConnectionTable
    let bodies: BodyBudget
    /// Bounds the bytes of answers that clients don't read.
    let answers: BodyBudget
    let times: ConnectionTimes
    let metrics: ServerMetrics
    /// The requests that are refused before the application has them.
    let refusals: EarlyRefusals
    /// The certificate that encrypts connections, or `nil` where a proxy does or nothing.
    let certificate: ServerCertificate?
}
