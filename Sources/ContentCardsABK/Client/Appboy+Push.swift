#if !os(tvOS)
import ContentCards
import Foundation

#if canImport(UIKit) && canImport(ObjectiveC)
import UIKit
#else
import BrowserUIKit
#endif

extension Appboy {
    /// Refreshes the content cards where a silent push message asks for it, and tells the system what that has brought.
    ///
    /// Your backend names content cards in the message by `ContentCardsClient.pushKey`. Any other message changes
    /// nothing: it is answered with `noData`. The cards are those of the user that the app has named last, also where
    /// that was just before.
    ///
    /// - Parameters:
    ///   - application: the app.
    ///   - notification: the message, as the system gave it.
    ///   - completionHandler: what the system gave with it. It is called once, on the main thread, within twenty
    ///     seconds.
    #if canImport(ObjectiveC)
    @objc(registerApplication:didReceiveRemoteNotification:fetchCompletionHandler:)
    #endif
    public func register(
        _ application: UIApplication,
        didReceiveRemoteNotification notification: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: ((UIBackgroundFetchResult) -> Void)? = nil
    ) {
        // It is called on the main actor alone, as the system's is.
        nonisolated(unsafe) let completionHandler = completionHandler
        let asksForCards = notification[ContentCardsClient.pushKey] != nil
        Task { @MainActor in
            let outcome = await refresh(ifAsked: asksForCards)
            if let outcome { post(isSuccessful: outcome != .failed) }
            completionHandler?(UIBackgroundFetchResult(outcome))
        }
    }

    /// Refreshes the cards, once it is known whose: a switch of users would end a refresh that began before it.
    private func refresh(ifAsked isAsked: Bool) async -> BackgroundRefresh? {
        guard isAsked else { return nil }
        await changes.settle()
        return await client.handle(push: [ContentCardsClient.pushKey: true])?.value
    }
}

extension UIBackgroundFetchResult {
    fileprivate init(_ outcome: BackgroundRefresh?) {
        self =
            switch outcome {
            case .newCards: .newData
            case .failed: .failed
            case .noChange, nil: .noData
            }
    }
}
#endif
