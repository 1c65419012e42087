import CardModel
import Simulation
import Testing
import WireJSON

@testable import CardStoreConformance

@Suite("Audiences: how long an answer stays")
struct AudienceVerdictTests {
    @Test(
        "Between two moments that a verdict tells, the answer stays",
        arguments: [11, 12, 13, 14] as [UInt64]
    )
    func verdictsHold(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var changes = 0
        for number in 0..<120 {
            let person = RandomPerson(number: number, using: &random)
            let json = RandomAudience.passing(using: &random)
            let matcher = AudienceMatcher(try Audience(json: json))
            var state = person.state
            state.profile.lastSeenAt = nil
            func verdict(_ time: UnixTime) -> AudienceMatcher.Answer {
                matcher.answer(of: UserFacts(state, at: time, workspaceZone: NaiveAudience.workspaceZone))
            }
            var now = noon - 86_400
            while now < noon + 14 * 86_400 {
                let answer = verdict(now)
                let until = min(answer.until ?? .infinity, now + 30 * 86_400)
                #expect(until > now)
                for _ in 0..<3 {
                    let between = Double.random(in: now..<until, using: &random)
                    #expect(verdict(between).matches == answer.matches, "\(json.text) from \(now) at \(between)")
                }
                if verdict(until).matches != answer.matches { changes += 1 }
                now = until
            }
        }
        #expect(changes > 5, "Answers that never change would prove little.")
    }
}
