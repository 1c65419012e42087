import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("A token provider", .timeLimit(.minutes(20)))
struct TokenProviderTests {
    let bed = TestBed()
    private let reports = Collected<Diagnostic>()

    private var failures: [Diagnostic] {
        reports.all.filter { if case .tokenFailed = $0 { true } else { false } }
    }

    private func launch(_ provider: @escaping ContentCardsClient.TokenProvider) -> ContentCardsClient {
        bed.serve([.fixture("a")])
        return bed.launch { [reports] in
            $0.tokenProvider = provider
            $0.log = { reports.add($0) }
        }
    }

    private var sentTokens: [String?] {
        bed.transport.requests(to: "v1/sync").map { $0.headers["Placard-User-Token"] }
    }

    @Test("that fails after its time was over spoils no later question")
    func lateFailure() async throws {
        let (first, second, asked) = (Gate(), Gate(), Locked(0))
        let client = launch { _ in
            let number = asked.withLock { count in
                count += 1
                return count
            }
            guard number == 1 else {
                await second.pass()
                return "token \(number)"
            }
            await first.pass()
            throw TransportError.timedOut
        }
        await client.identify("a")
        await first.arrival()
        await bed.clock.waitForSleeper(of: 15)
        bed.clock.advance(by: 15)
        await bed.clock.waitForSleeper(of: 1)
        bed.clock.advance(by: 1)
        await second.arrival()
        await first.open()
        // Time for the failure to come, if it did.
        for _ in 0..<50 { await Task.detached {}.value }
        for _ in 0..<200 { await Task.yield() }
        try #require(failures == [.tokenFailed(consecutiveFailures: 1)])
        await second.open()
        #expect(await client.updates.first { $0.lastSync != nil } != nil)
        #expect(sentTokens == ["token 2"])
        await client.close()
    }

    @Test("that answers after its time was over is taken at its word while the next question is open")
    func lateAnswer() async throws {
        let (first, second, asked) = (Gate(), Gate(), Locked(0))
        let client = launch { _ in
            let number = asked.withLock { count in
                count += 1
                return count
            }
            await (number == 1 ? first : second).pass()
            return "token \(number)"
        }
        await client.identify("a")
        await first.arrival()
        await bed.clock.waitForSleeper(of: 15)
        bed.clock.advance(by: 15)
        await bed.clock.waitForSleeper(of: 1)
        bed.clock.advance(by: 1)
        await second.arrival()
        await first.open()
        #expect(await client.updates.first { $0.lastSync != nil } != nil)
        await second.open()
        try await client.refresh()
        #expect(sentTokens == ["token 1", "token 1"] && asked.withLock({ $0 }) == 2)
        await client.close()
    }

    @Test("is asked for the user who is there, and its answer for one who left is sent for no other user")
    func switched() async throws {
        let gate = Gate()
        let client = launch { user in
            if user == "a" { await gate.pass() }
            return "token of \(user)"
        }
        await client.identify("a")
        await gate.arrival()
        await client.identify("b")
        #expect(await client.updates.first { $0.lastSync != nil && $0.userID == "b" } != nil)
        await gate.open()
        try await client.refresh()
        #expect(Set(sentTokens) == ["token of b"])
        await client.identify("a")
        #expect(await client.updates.first { $0.lastSync != nil && $0.userID == "a" } != nil)
        #expect(sentTokens.last == "token of a")
        await client.close()
    }

    @Test("that says a user needs no token leaves the header out, and one with an empty token sends that")
    func noToken() async throws {
        for token in [nil, ""] as [String?] {
            let bed = TestBed()
            bed.serve([.fixture("a")])
            let client = bed.launch { $0.tokenProvider = { _ in token } }
            await client.identify("a")
            #expect(await client.updates.first { $0.lastSync != nil } != nil)
            let request = try #require(bed.transport.requests(to: "v1/sync").first)
            #expect(request.headers["Placard-User-Token"] == token)
            await client.close()
        }
    }
}
