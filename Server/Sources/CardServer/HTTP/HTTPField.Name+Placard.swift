import HTTPTypes

extension HTTPField.Name {
    /// The token by which a device proves who its user is.
    static let placardUserToken = checked("Placard-User-Token")
    /// Names a request in the logs of all programs that handle it.
    static let xRequestID = checked("X-Request-ID")
    /// Tells a reverse proxy not to hold a stream back.
    static let xAccelBuffering = checked("X-Accel-Buffering")

    /// The number of requests in the present window.
    static let rateLimitLimit = checked("X-RateLimit-Limit")
    /// The number of requests that are left in it.
    static let rateLimitRemaining = checked("X-RateLimit-Remaining")
    /// The end of the window, in Unix seconds.
    static let rateLimitReset = checked("X-RateLimit-Reset")

    static func checked(_ name: String) -> HTTPField.Name {
        // safe: names in the source, each of which a test makes
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is not a header name") }
        return name
    }
}
