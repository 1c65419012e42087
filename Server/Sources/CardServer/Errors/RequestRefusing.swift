/// An error that says by itself what the client is told.
protocol RequestRefusing: Error, Sendable {
    /// The error that the client is told.
    var refusal: RequestError { get }
}
