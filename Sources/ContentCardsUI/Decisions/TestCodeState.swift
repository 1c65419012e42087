import ContentCards
import Foundation

/// The code that a screen shows, and when it asks for another one.
struct TestCodeState: Equatable {
    /// The code that is shown.
    private(set) var code: ContentCardsClient.TestCode?
    /// Whether the last request has failed; nothing is asked until someone tries again.
    private(set) var hasFailed = false
    private var user: String?

    /// Whether a code is to be asked for: there is none, it has ended, or it is another user's.
    func needsCode(for user: String?, at now: Date) -> Bool {
        guard user.map(BytewiseText.init(_:)) == self.user.map(BytewiseText.init(_:)) else { return true }
        guard !hasFailed else { return false }
        return code.map { $0.expiresAt <= now } ?? true
    }

    /// Notes that a code is asked for.
    mutating func request(for user: String?) {
        self.user = user
        (code, hasFailed) = (nil, false)
    }

    /// Notes the code that came.
    mutating func take(_ code: ContentCardsClient.TestCode) { self.code = code }

    /// Notes that none came.
    mutating func fail() { hasFailed = true }

    /// Lets a code be asked for again.
    mutating func retry() { hasFailed = false }

    /// The minutes and seconds that remain, such as `9:05`.
    static func text(remaining seconds: TimeInterval) -> String {
        // safe: a day at most
        let whole = Int(max(0, min(seconds, 86_400)).rounded(.up))
        let rest = whole % 60
        return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}
