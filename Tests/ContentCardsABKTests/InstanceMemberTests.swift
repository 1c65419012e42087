import AppboyKit
import AppboyUI
import Appboy_iOS_SDK
import ContentCards
import ContentCardsTesting
import Foundation
import Testing

@MainActor
private final class Refusals: NSObject, ABKSdkAuthenticationDelegate {
    private(set) var errors: [ABKSdkAuthenticationError] = []

    func handle(_ authError: ABKSdkAuthenticationError) { errors.append(authError) }
}

extension SharedInstanceTests {
    @Suite("The documented members of the instance")
    @MainActor
    struct Members {
        @Test("tell the delegate which signature was refused, and take a new one for the same user")
        func signatures() async {
            let harness = await Harness()
            harness.transport.answer { request in
                guard request.headers["Placard-User-Token"] != "good" else { return nil }
                return .failure(401, code: "token_expired")
            }
            let refusals = Refusals()
            harness.appboy.sdkAuthenticationDelegate = refusals
            harness.appboy.changeUser("signed", sdkAuthSignature: "bad")
            await harness.refresh()
            await harness.settle { !refusals.errors.isEmpty }
            #expect(refusals.errors.first?.signature == "bad")
            #expect(refusals.errors.first?.userId == "signed")
            harness.appboy.setSdkAuthenticationSignature("good")
            await harness.refresh()
            #expect(harness.outcomes.last == true)
            #expect(harness.appboy.user.userID == "signed")
            // Then a delegate that was taken away hears of nothing more
            harness.appboy.unsubscribeFromSdkAuthenticationErrors()
            #expect(harness.appboy.sdkAuthenticationDelegate == nil)
            await harness.stop()
        }

        @Test("send no event by themselves under the manual policy, and all on demand")
        func policy() async {
            let harness = await Harness()
            await harness.appboy.client.startSession()
            await harness.refresh()
            harness.appboy.requestProcessingPolicy = .manualRequestProcessing
            #expect(harness.appboy.requestProcessingPolicy == .manualRequestProcessing)
            await harness.settle()
            let before = harness.transport.requests.count
            harness.appboy.logCustomEvent("waits")
            harness.clock.advance(by: 3_600)
            await harness.settle()
            #expect(harness.transport.requests.count == before)
            #expect(harness.appboy.client.pendingEventCount > 0)
            harness.appboy.requestImmediateDataFlush()
            await harness.settle { harness.appboy.client.pendingEventCount == 0 }
            #expect(harness.appboy.client.pendingEventCount == 0)
            await harness.stop()
        }

        @Test("tell messages that ask for a refresh from those that show something, and from all others")
        func pushes() {
            let ask: [AnyHashable: Any] = [ContentCardsClient.pushKey: 1, "aps": ["content-available": 1]]
            let shown: [AnyHashable: Any] = [ContentCardsClient.pushKey: 1, "aps": ["alert": "New"]]
            let bare: [AnyHashable: Any] = [ContentCardsClient.pushKey: 1]
            let other: [AnyHashable: Any] = ["ab": 1, "aps": ["content-available": 1]]
            let all = [ask, shown, bare, other]
            #expect(all.map(ABKPushUtils.isAppboyRemoteNotification) == [true, true, true, false])
            #expect(all.map(ABKPushUtils.isAppboySilentRemoteNotification) == [true, false, true, false])
            #expect(all.allSatisfy { !ABKPushUtils.isUninstallTrackingRemoteNotification($0) })
            #expect(all.allSatisfy { !ABKPushUtils.isGeofencesSyncRemoteNotification($0) })
            #expect(all.allSatisfy { !ABKPushUtils.isPushStoryRemoteNotification($0) })
            #expect(all.allSatisfy { !ABKPushUtils.shouldFetchTestTriggersFlagContained(inPayload: $0) })
        }

        @Test("of other channels say once that they do nothing, and never more")
        func unsupported() async {
            let harness = await Harness()
            var diagnostics = harness.appboy.client.diagnostics.makeAsyncIterator()
            for _ in 0..<3 { harness.appboy.registerDeviceToken(Data([1])) }
            harness.appboy.requestFeedRefresh()
            #expect(!harness.appboy.user.addAlias("alias", withLabel: "label"))
            var names: [String] = []
            while names.count < 3, case .notSupported(let name) = await diagnostics.next() { names.append(name) }
            #expect(names == ["registerDeviceToken", "requestFeedRefresh", "addAlias"])
            #expect(harness.appboy.getDeviceId().count == 36)
            await harness.stop()
        }
    }
}
