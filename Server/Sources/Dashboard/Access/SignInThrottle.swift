import CardModel
import CardStore

/// Decides how long somebody who failed to sign in has to wait.
///
/// Each subject, an account or an address, has some failures for free; after that the wait doubles with each, up to a
/// quarter of an hour. Failures are forgotten after a day without any.
struct SignInThrottle: Sendable {
    /// Failures that cost nothing.
    let free: Int

    /// For one account: guessing it is slow whoever tries.
    static let account = SignInThrottle(free: 5)
    /// For one address, behind which there may be many people.
    static let address = SignInThrottle(free: 30)

    private static let longestWait = 900.0
    private static let memory = 86_400.0

    /// The seconds until another attempt is looked at, or 0.
    func wait(after failures: SignInFailures?, at now: UnixTime) -> Double {
        guard let failures, failures.count >= free else { return 0 }
        let doublings = min(failures.count - free, 10)
        let wait = min(Self.longestWait, 5 * Double(1 << doublings))
        return max(0, failures.lastAt + wait - now)
    }

    /// The count after one more failure.
    func counting(_ failures: SignInFailures?, at now: UnixTime) -> SignInFailures {
        guard let failures, now - failures.lastAt < Self.memory else { return SignInFailures(count: 1, lastAt: now) }
        return SignInFailures(count: failures.count + 1, lastAt: now)
    }
}
