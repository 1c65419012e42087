import CardModel
import CardServer
import CardStore

/// Looks at guesses of passwords and codes: each takes a permit of the store before anything is compared, and gives it
/// back where it was right.
struct GuessCheck: Sendable {
    /// The reason why a guess failed, as the log says it.
    enum Result: String {
        /// It was looked at, or can't be right.
        case wrong
        /// It came too soon to be looked at.
        case limited
    }

    let site: Site
    /// The request that brings the guess.
    let context: AppContext

    /// Looks at a guess.
    ///
    /// - Parameters:
    ///   - attempt: What the guess is counted for.
    ///   - clears: Whether a right one makes earlier failures forgotten.
    ///   - evaluate: Returns `nil` for a wrong guess.
    /// - Returns: What `evaluate` finds, or `nil` where the guess was wrong.
    /// - Throws: ``TryLater``, then nothing was evaluated; or what `evaluate` throws.
    func callAsFunction<Value>(
        _ attempt: GuessAttempt,
        clears: Bool,
        evaluate: () async throws -> Value?
    ) async throws -> Value? {
        let wait = try await site.store.takeAttempt(attempt, at: site.now)
        guard wait <= 0 else {
            logFailure(.limited)
            throw TryLater.throttled(wait)
        }
        do {
            guard let value = try await evaluate() else {
                logFailure(.wrong)
                return nil
            }
            try await site.store.returnAttempt(attempt, clearing: clears)
            return value
        } catch is PasswordQueue.Busy {
            try await site.store.returnAttempt(attempt, clearing: false)
            throw TryLater.busy
        }
    }

    /// Writes the line that `packaging/fail2ban` looks for.
    ///
    /// The address is in the message, so that lines of one client aren't left out for those of another. A proxy that
    /// names no client is none: whoever blocks its address blocks everybody.
    func logFailure(_ result: Result) {
        let address = context.client.provenAddress?.description ?? "unknown"
        site.server.logger.notice("Failed sign-in from \(address)", metadata: ["result": "\(result.rawValue)"])
    }

    /// Notes that signing in has failed, in the audit log as far as its budget goes.
    ///
    /// It is noted for the member of the address that was typed; where there is none, nothing of it is kept.
    func noteFailure(of member: TeamMember?) async throws {
        guard site.refusals.take(at: site.now) else {
            return site.server.logger.notice("Signing in failed, and the audit log takes no more of it for now")
        }
        let subject = member?.email ?? "unknown"
        try await site.store.appendAuditNote("session.refused", of: subject, at: site.now, by: .unauthenticated)
    }
}
