/// Says why the application does not get the rest of a request that it has the head of.
enum RequestReadError: RequestRefusing {
    /// It is no HTTP.
    case malformed(RequestError)
    /// It came too slowly.
    case tooSlow
    /// There is no room for it.
    case noRoom(BodyBudget.Refusal)

    /// What the client is told.
    var refusal: RequestError {
        switch self {
        case .malformed(let refusal): refusal
        case .tooSlow: .requestTimeout
        case .noRoom(let refusal): RequestError(refusal)
        }
    }
}
