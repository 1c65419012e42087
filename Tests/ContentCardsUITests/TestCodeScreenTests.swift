import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

/// Gives codes when a test says so.
private final class AwaitedCodes: TestCodeSource {
    typealias Outcome = Result<ContentCardsClient.TestCode, ContentCardsError>

    let userID: String? = "user"
    private let waiting = Guarded<[CheckedContinuation<Outcome, Never>]>([])

    /// How often a code was asked for.
    var count: Int { waiting.value.count }

    func testCode() async throws(ContentCardsError) -> ContentCardsClient.TestCode {
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
            waiting.change { $0.append(continuation) }
        }
        return try outcome.get()
    }

    /// Answers one of the requests, counted from 0; each only once.
    func finish(_ number: Int, with outcome: Outcome) {
        waiting.value[number].resume(returning: outcome)
    }
}

/// Gives no codes, and is a value.
private struct NoCodes: TestCodeSource {
    var userID: String? { nil }

    func testCode() async throws(ContentCardsError) -> ContentCardsClient.TestCode {
        throw ContentCardsError(.offline, "There is no network.")
    }
}

@MainActor
@Suite("The screen with a code for tests")
struct TestCodeScreenTests {
    /// A screen of a client whose server gives the codes 1, 2 … for ten minutes each, or none.
    private func screen() async throws -> (FeedHarness, TestCodeViewController, isUp: Guarded<Bool>) {
        let harness = try await FeedHarness([])
        let isUp = Guarded(true)
        harness.transport.answer("v1/test-codes") { [transport = harness.transport] _ in
            guard isUp.value else { throw TransportError.unreachable("scripted") }
            let number = transport.requests(to: "v1/test-codes").count
            return .json(#"{"code":"CODE-\#(number)","expires_in":600}"#, status: 201)
        }
        return (harness, TestCodeViewController(source: harness.client, clock: harness.clock), isUp)
    }

    @Test("shows the code, letter by letter for those who hear it, and for how long it is valid")
    func shows() async throws {
        let (harness, screen, _) = try await screen()
        harness.show(screen)
        #expect(await harness.settle { screen.codeLabel.text == "CODE-1" })
        #expect(screen.codeLabel.accessibilityLabel == "C O D E - 1")
        #expect(screen.statusLabel.text == "Valid for 10:00" && screen.retryButton.isHidden)
        #expect(screen.title == "Test Code" && screen.purposeLabel.text?.contains("Send test") == true)
        await harness.pass(1)
        #expect(screen.statusLabel.text == "Valid for 9:59")
    }

    @Test("shows the code as large as the user reads text")
    func textSize() async throws {
        let (harness, screen, _) = try await screen()
        harness.show(screen)
        #expect(await harness.settle { screen.codeLabel.text == "CODE-1" })
        #expect(screen.codeLabel.shownFont.pointSize == 36)
        var environment = BrowserEnvironment()
        environment.textSize = 11
        harness.screen?.change(to: environment)
        harness.draw()
        #expect(screen.codeLabel.shownFont.pointSize > 36)
    }

    @Test("asks for another code when one ends, and when the user changes")
    func renews() async throws {
        let (harness, screen, _) = try await screen()
        harness.show(screen)
        #expect(await harness.settle { screen.codeLabel.text == "CODE-1" })
        await harness.pass(1)
        harness.clock.advance(by: 599)
        #expect(await harness.settle { screen.codeLabel.text == "CODE-2" })
        await harness.client.identify("other")
        harness.clock.advance(by: 1)
        #expect(await harness.settle { screen.codeLabel.text == "CODE-3" })
        #expect(harness.transport.requests(to: "v1/test-codes").count == 3)
    }

    @Test("says that there is none, and asks again when it is told to")
    func fails() async throws {
        let (harness, screen, isUp) = try await screen()
        isUp.change { $0 = false }
        harness.show(screen)
        #expect(await harness.settle { !screen.retryButton.isHidden })
        #expect(screen.statusLabel.text == "A code could not be created.")
        for _ in 0..<3 { await harness.pass(1) }
        #expect(harness.transport.requests(to: "v1/test-codes").count == 1)
        isUp.change { $0 = true }
        harness.draw()
        harness.tap(screen.retryButton.nodeID)
        #expect(screen.retryButton.isHidden && screen.statusLabel.text == "Loading")
        harness.clock.advance(by: 1)
        #expect(await harness.settle { screen.codeLabel.text == "CODE-2" })
    }

    @Test("asks for nothing when it isn't seen any more")
    func leaves() async throws {
        let (harness, screen, _) = try await screen()
        harness.show(screen)
        #expect(await harness.settle { screen.codeLabel.text == "CODE-1" })
        screen.viewDidDisappear(false)
        for _ in 0..<3 {
            harness.clock.advance(by: 700)
            for _ in 0..<200 { await Task.yield() }
        }
        #expect(harness.transport.requests(to: "v1/test-codes").count == 1)
    }

    @Test("shows its own code when it comes back before one came, whatever becomes of the first request")
    func comesBack() async throws {
        let failure = AwaitedCodes.Outcome.failure(ContentCardsError(.cancelled, "The screen was left."))
        for order in [[0, 1], [1, 0]] {
            let codes = AwaitedCodes()
            let harness = try await FeedHarness([])
            let screen = TestCodeViewController(source: codes, clock: harness.clock)
            harness.show(screen)
            #expect(await harness.settle { codes.count == 1 })
            screen.viewDidDisappear(false)
            screen.viewWillAppear(false)
            #expect(await harness.settle { codes.count == 2 })
            let code = ContentCardsClient.TestCode(text: "CODE-2", expiresAt: harness.clock.now + 600)
            for number in order { codes.finish(number, with: number == 0 ? failure : .success(code)) }
            #expect(await harness.settle { screen.codeLabel.text == "CODE-2" })
            for _ in 0..<200 { await Task.yield() }
            #expect(screen.retryButton.isHidden)
            #expect(screen.statusLabel.text == "Valid for 10:00")
            screen.viewDidDisappear(false)
        }
    }

    @Test("asks again when it comes back after it was left before a code came")
    func leftTooSoon() async throws {
        let codes = AwaitedCodes()
        let harness = try await FeedHarness([])
        let screen = TestCodeViewController(source: codes, clock: harness.clock)
        harness.show(screen)
        #expect(await harness.settle { codes.count == 1 })
        screen.viewDidDisappear(false)
        codes.finish(0, with: .failure(ContentCardsError(.cancelled, "The screen was left.")))
        for _ in 0..<200 { await Task.yield() }
        #expect(screen.retryButton.isHidden)
        screen.viewWillAppear(false)
        #expect(await harness.settle { codes.count == 2 })
        codes.finish(1, with: .failure(ContentCardsError(.offline, "There is no network.")))
        #expect(await harness.settle { !screen.retryButton.isHidden })
        screen.viewDidDisappear(false)
    }

    @Test("goes with its last reference, also where nobody tells it that it leaves, as when its scene ends")
    func released() async throws {
        let codes = AwaitedCodes()
        let harness = try await FeedHarness([])
        weak var left: TestCodeViewController?
        var screen: TestCodeViewController? = TestCodeViewController(source: codes, clock: harness.clock)
        left = screen
        screen?.loadViewIfNeeded()
        screen?.viewWillAppear(false)
        #expect(await harness.settle { codes.count == 1 })
        let code = ContentCardsClient.TestCode(text: "CODE-1", expiresAt: harness.clock.now + 600)
        codes.finish(0, with: .success(code))
        let hasCode = await harness.settle { screen?.codeLabel.text == "CODE-1" }
        #expect(hasCode)
        await harness.clock.waitForSleeper(of: 1)
        screen = nil
        let isGone = await harness.settle { left == nil }
        #expect(isGone)
    }

    @Test("is another one in SwiftUI for another client, and stays for the same one")
    func identity() {
        let (codes, other): (any TestCodeSource, any TestCodeSource) = (AwaitedCodes(), AwaitedCodes())
        #expect(SourceIdentity.of(codes) == SourceIdentity.of(codes) && SourceIdentity.of(codes) != nil)
        #expect(SourceIdentity.of(codes) != SourceIdentity.of(other))
        #expect(SourceIdentity.of(NoCodes() as any TestCodeSource) == nil)
    }

    @Test("needs a code where there is none, where it has ended, and where the user is another one")
    func needs() {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        var state = TestCodeState()
        #expect(state.needsCode(for: nil, at: now))
        state.request(for: "é")
        state.take(ContentCardsClient.TestCode(text: "A", expiresAt: now + 60))
        #expect(!state.needsCode(for: "é", at: now + 59))
        #expect(state.needsCode(for: "é", at: now + 60))
        // The same to a reader, but another user to the server.
        #expect(state.needsCode(for: "e\u{301}", at: now))
        #expect(state.needsCode(for: nil, at: now))
        state.fail()
        #expect(!state.needsCode(for: "é", at: now + 60))
        #expect(state.needsCode(for: "other", at: now))
        state.retry()
        #expect(state.needsCode(for: "é", at: now + 60))
    }

    @Test(
        "counts minutes and seconds",
        arguments: [(600.0, "10:00"), (65, "1:05"), (0.2, "0:01"), (0, "0:00"), (-5, "0:00"), (1e300, "1440:00")]
    )
    func countdown(_ seconds: Double, _ text: String) {
        #expect(TestCodeState.text(remaining: seconds) == text)
    }
}
