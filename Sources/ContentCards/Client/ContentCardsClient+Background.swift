import Foundation

/// Says what a refresh in the background brought.
public enum BackgroundRefresh: Sendable, Equatable {
    /// The feed has other cards than before.
    case newCards
    /// The feed is as it was.
    case noChange
    /// The server could not be asked, or allows no refresh yet.
    case failed
}

extension ContentCardsClient {
    /// The key of a push message that asks for a refresh; its value is not read.
    public static let pushKey = "placard_sync"

    /// The number of seconds for which the system lets an app work for a push message, with something left for the app
    /// itself.
    private static let backgroundTime: TimeInterval = 20

    /// Refreshes the feed if a push message asks for it.
    ///
    /// A backend sends a silent push (`content-available: 1`) that has the key ``pushKey``. Call this in the app's
    /// delegate, and answer the system with what it returns:
    ///
    /// ```swift
    /// func application(
    ///     _ application: UIApplication,
    ///     didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    /// ) async -> UIBackgroundFetchResult {
    ///     guard let refresh = cards.handle(push: userInfo) else { return .noData }
    ///     return await refresh.value == .newCards ? .newData : .noData
    /// }
    /// ```
    /// It takes from the device's budget as any refresh, so a backend that pushes often costs no more than that.
    /// - Parameter userInfo: the message, as the system gave it.
    /// - Returns: the refresh, which ends within twenty seconds; `nil` for a message that is not about content cards.
    public func handle(push userInfo: [AnyHashable: Any]) -> Task<BackgroundRefresh, Never>? {
        guard userInfo[Self.pushKey] != nil else { return nil }
        return Task { await refresh(inBackground: .push) }
    }

    /// Refreshes the feed, and delivers pending events, in time that the system gave the app in the background, such as
    /// that of a `BGAppRefreshTask`.
    ///
    /// Events are delivered also where the device has no refresh left, and however many there are, as far as there is
    /// time; what isn't stays queued.
    /// - Returns: what it brought, within twenty seconds.
    public func refreshInBackground() async -> BackgroundRefresh {
        await refresh(inBackground: .background)
    }

    private func refresh(inBackground reason: SyncReason) async -> BackgroundRefresh {
        let engine = core.open().engine
        let before = feed
        let time = min(Self.backgroundTime, core.configuration.refreshTimeout)
        let end = core.configuration.clock.uptime + time
        do throws(ContentCardsError) {
            try await engine.refresh(reason, timeout: time)
        } catch {
            if error.code == .rateLimited || error.code == .noUser { await deliverEvents(until: end) }
            return .failed
        }
        let after = feed
        core.saveFeed(core.open().store, isLeaving: true)
        await deliverEvents(until: end)
        return after.userID.hasSameBytes(as: before.userID) && after.cards == before.cards ? .noChange : .newCards
    }

    /// Delivers what the refresh had no room for, or was not made for: once this is over, the system stops the app.
    private func deliverEvents(until end: TimeInterval) async {
        let rest = end - core.configuration.clock.uptime
        guard rest > 0, pendingEventCount > 0 else { return }
        let engine = core.open().engine
        await engine.updateBacklog()
        try? await engine.wait(timeout: rest) { .flush($0) }
    }
}
