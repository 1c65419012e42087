/// Says why the application does not get the rest of a request that it has the head of.
enum RequestReadError: RequestRefusing {
    /// It is no HTTP.
    case malformed(RequestError)
    /// It came too slowly.
    case tooSlow
    /// The server closes the connection, because its time to stop is over.
    case stopping
    /// There is no room for it.
    case noRoom(BodyBudget.BodyError)

    /// The error that the client is told.
    var refusal: RequestError {
        switch self {
        case .malformed(let refusal): refusal
        case .tooSlow: .requestTimeout
        case .stopping: .stopping
        case .noRoom(let refusal): RequestError(refusal)
        }
    }
}
