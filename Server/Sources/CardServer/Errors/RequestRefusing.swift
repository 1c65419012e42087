/// An error that says by itself what the client is told.
protocol RequestRefusing: Error, Sendable {
    /// What the client is told.
    var refusal: RequestError { get }
}
