import Foundation
import Testing

@testable import ContentCards

@Suite("The tokens of a user")
struct TokenAuthorizationTests {
    /// Lets the provider answer with a token, which the server refuses.
    private func refuse(_ tokens: inout TokenAuthorization, _ token: String, at uptime: TimeInterval) -> Bool {
        tokens.provide(token)
        return tokens.refuse(token, random: 1, at: uptime)
    }

    @Test("are not asked for where nobody can give one, and are paused once the server wants one")
    func noProvider() {
        var tokens = TokenAuthorization(hasProvider: false)
        let first = tokens.check(at: 0)
        let isNews = tokens.refuse(nil, random: 1, at: 0)
        let second = tokens.check(at: 1e9)
        #expect(first == .go(nil) && isNews && second == .paused)
        tokens.adopt("given")
        let third = tokens.check(at: 1e9)
        #expect(third == .go("given") && tokens.failures == 0)
    }

    @Test("are asked for once, and waited for by whoever comes after")
    func once() {
        var tokens = TokenAuthorization(hasProvider: true)
        let answers = (0..<3).map { tokens.check(at: Double($0)) }
        #expect(answers == [.ask, .wait, .wait])
        tokens.provide("fresh")
        let ready = tokens.check(at: 3)
        #expect(ready == .go("fresh"))
        // An answer that nobody waits for any more.
        tokens.provide("late")
        let kept = tokens.check(at: 4)
        #expect(kept == .go("fresh"))
    }

    @Test("may be none: the provider says that the server asks for none")
    func none() {
        var tokens = TokenAuthorization(hasProvider: true)
        _ = tokens.check(at: 0)
        tokens.provide(nil)
        let answer = tokens.check(at: 1)
        #expect(answer == .go(nil))
    }

    @Test("that the server refuses are asked for again, at once and then after growing delays")
    func refusals() throws {
        var tokens = TokenAuthorization(hasProvider: true)
        _ = tokens.check(at: 0)
        let isFirst = refuse(&tokens, "one", at: 0)
        let again = tokens.check(at: 0)
        #expect(isFirst && again == .ask)
        var (uptime, delays): (TimeInterval, [TimeInterval]) = (0, [])
        for number in 0..<5 {
            let isNews = refuse(&tokens, "token \(number)", at: uptime)
            #expect(isNews)
            guard case .later(let next) = tokens.check(at: uptime) else {
                Issue.record("asked at once")
                return
            }
            delays.append(next - uptime)
            uptime = next
            let due = tokens.check(at: uptime)
            #expect(due == .ask)
        }
        #expect(delays == delays.sorted() && Set(delays).count == 5)
    }

    @Test("that were replaced say nothing when an answer to the one before comes late")
    func replaced() {
        var tokens = TokenAuthorization(hasProvider: true)
        tokens.adopt("new")
        let isNews = tokens.refuse("old", random: 1, at: 0)
        let answer = tokens.check(at: 0)
        #expect(!isNews && answer == .go("new") && tokens.failures == 0)
    }

    @Test("that a provider can't give count as refused, and a new session begins after fifty")
    func patience() {
        var tokens = TokenAuthorization(hasProvider: true)
        var uptime: TimeInterval = 0
        for _ in 0..<TokenAuthorization.patience {
            _ = tokens.check(at: uptime)
            let isAwaited = tokens.failProvider(random: 1, at: uptime)
            #expect(isAwaited)
            uptime += 86_400
        }
        let paused = tokens.check(at: uptime)
        #expect(paused == .paused && tokens.failures == TokenAuthorization.patience)
        tokens.resume()
        let resumed = tokens.check(at: uptime)
        #expect(resumed == .ask && tokens.failures == 0)
    }
}
