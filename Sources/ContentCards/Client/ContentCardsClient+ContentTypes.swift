extension ContentCardsClient {
    /// Tells the server what the app's typed contents expect, so that the dashboard checks campaigns before launch.
    ///
    /// Call it once for each version of the app. With the app's publishable key it is a proposal, which a member
    /// accepts in the dashboard; a build script that has a secret key publishes it directly.
    public func publishContentTypes(_ types: [any CardContent.Type]) async throws(ContentCardsError) {
        try await publishContentTypes(types.map { $0.schema })
    }

    /// Tells the server what the extras of some class types have to be, or proposes it, as
    /// the other method does.
    public func publishContentTypes(_ schemas: [ContentTypeSchema]) async throws(ContentCardsError) {
        try await core.open().engine.publish(schemas)
    }
}

extension SyncEngine {
    private var currentToken: String? { parts.feed.current.id.flatMap(token) }

    /// The token of a user, or `nil` where there is none that can be sent now.
    func token(of user: BytewiseText) -> String? {
        guard var authorization = machine.authorizations[user] else { return nil }
        guard case .go(let token) = authorization.check(at: parts.clock.uptime) else { return nil }
        return token
    }

    func publish(_ schemas: [ContentTypeSchema]) async throws(ContentCardsError) {
        if let obstacle = machine.obstacle(for: parts.feed.current) { throw obstacle }
        let rest = machine.blockedUntil - parts.clock.uptime
        if rest > 0 { throw .rateLimited(rest) }
        let request = parts.requests.contentTypes(.array(schemas.map(\.json)), token: currentToken)
        let answer = await TimedExchange(parts).send(request)
        do throws(RequestFailure) {
            try ReplyReader.check(answer.get(), at: parts.clock.now)
        } catch {
            take(.failed(error))
            throw error.error
        }
    }
}
