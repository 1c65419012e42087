import Foundation

extension ContentCardsClient {
    /// A code by which the team sends test cards to this device.
    public struct TestCode: Sendable, Equatable {
        /// The code, as it is shown: two groups of letters and digits with a hyphen between them.
        public let text: String
        /// The time at which the code expires, on this device's clock.
        ///
        /// Ask for another one then.
        public let expiresAt: Date

        /// Creates a code, for previews and tests.
        public init(text: String, expiresAt: Date) {
            self.text = text
            self.expiresAt = expiresAt
        }
    }

    /// Asks the server for a code that stands for the current user on this device.
    ///
    /// Show it on a screen for your team: whoever types it on the dashboard's page “Send test” sends a card of any
    /// campaign, variant and language to this user, marked as a test and not counted. `TestCodeViewController` of
    /// `ContentCardsUI` does all of this. The user may be anonymous.
    ///
    /// A code is valid for about ten minutes, and a device has one: a new one ends the one before. Ask for another one
    /// when the user changes, since a code stays that of the user it was asked for. A user that the server doesn't know
    /// yet is synced first.
    /// - Returns: the code, and when it ends.
    /// - Throws: `noUser` while nobody is identified, `userChanged` if the user was switched in the meantime,
    ///   `rateLimited` where there are too many codes, and what requests of the SDK fail with.
    public func testCode() async throws(ContentCardsError) -> TestCode {
        let engine = core.open().engine
        do throws(ContentCardsError) {
            return try await engine.testCode()
        } catch {
            guard error.serverCode == "user_unknown" || error.serverCode?.hasPrefix("token_") == true else {
                throw error
            }
        }
        // A sync makes the user known, and gets a new token.
        try await refresh()
        return try await engine.testCode()
    }
}

/// The server's answer to a request for a code.
private struct TestCodeReply: Decodable {
    let code: String
    let duration: Double

    enum CodingKeys: String, CodingKey {
        case code
        case duration = "expires_in"
    }
}

extension SyncEngine {
    fileprivate func testCode() async throws(ContentCardsError) -> ContentCardsClient.TestCode {
        let user = takeTokens()
        if let obstacle = machine.obstacle(for: user) { throw obstacle }
        guard let id = user.id else { throw .noUser }
        let rest = machine.blockedUntil - parts.clock.uptime
        if rest > 0 { throw .rateLimited(rest) }
        let request = parts.requests.testCode(user: id.text, token: token(of: id))
        let answer = await TimedExchange(parts).send(request)
        let now = parts.clock.now
        let reply: TestCodeReply
        do throws(RequestFailure) {
            reply = try ReplyReader.read(answer.get(), as: TestCodeReply.self, at: now)
            guard (1...86_400).contains(reply.duration), !reply.code.isEmpty else { throw .invalidReply }
        } catch {
            // Too many codes are no reason to ask for nothing else.
            if case .status(_, let code, _, _?) = error, code != "too_many_codes" { take(.failed(error)) }
            throw error.error
        }
        guard parts.feed.current == user else { throw .userChanged }
        return ContentCardsClient.TestCode(text: reply.code, expiresAt: now + reply.duration)
    }
}
