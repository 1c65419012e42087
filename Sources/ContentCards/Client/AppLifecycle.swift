#if os(iOS) || os(tvOS) || os(visionOS)
import Foundation

/// Follows the app to the foreground and to the background, by the names of UIKit's notifications, so that the core
/// does not need UIKit.
final class AppLifecycle: Sendable {
    /// Longest time for the last events on the way to the background.
    private static let longest: TimeInterval = 10
    /// The names of what says that the app is in use: at a launch, the first comes with scenes alone.
    private static let arrivals = [
        "UIApplicationWillEnterForegroundNotification", "UIApplicationDidBecomeActiveNotification",
    ]
    /// The value of `UIApplication.State.background`.
    private static let background = 2

    /// Tells whether the app is on screen or on its way there.
    static let foregroundCheck: (@Sendable () async -> Bool)? = { await AppLifecycle.isInForeground() }

    private let observers: Locked<[any NSObjectProtocol]>

    init(_ core: ClientCore) {
        let leftAt = Locked<TimeInterval?>(nil)
        let entered = Self.arrivals.map { name in
            Self.observe(name) { [weak core] in
                guard let core else { return }
                let uptime = leftAt.withLock { $0 }
                Task {
                    let engine = core.open().engine
                    // The system may have had no time for the end of the session, or gives it only after this.
                    if let uptime { await engine.leaveSession(at: uptime) }
                    await engine.enterSession()
                }
            }
        }
        let left = Self.observe("UIApplicationDidEnterBackgroundNotification") { [weak core] in
            guard let core else { return }
            let uptime = core.configuration.clock.uptime
            leftAt.withLock { $0 = uptime }
            Self.sayGoodbye(core, leftAt: uptime)
        }
        observers = Locked(entered + [left])
    }

    deinit {
        for observer in observers.withLock({ $0 }) { NotificationCenter.default.removeObserver(observer) }
    }

    private static func observe(_ name: String, _ body: @escaping @Sendable () -> Void) -> any NSObjectProtocol {
        NotificationCenter.default.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in body()
        }
    }

    /// Asks UIKit by the names of its properties; an extension has no app, and none of its life.
    @MainActor
    private static func isInForeground() -> Bool {
        guard !Bundle.main.bundlePath.hasSuffix(".appex") else { return false }
        guard let type = NSClassFromString("UIApplication") as? NSObject.Type,
            let application = type.value(forKey: "sharedApplication") as? NSObject,
            let state = application.value(forKey: "applicationState") as? Int
        else { return true }
        return state != background
    }

    /// Ends the session, as of when the app was left, and sends what is pending, for as long as the system lets it and
    /// ten seconds at most.
    ///
    /// The system calls the block again, on another thread, when its time is over before the first call has returned.
    private static func sayGoodbye(_ core: ClientCore, leftAt uptime: TimeInterval) {
        let farewell = Farewell()
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Deliver content card events") { isExpired in
            if isExpired { return farewell.expire() }
            farewell.run(for: Self.longest) {
                await core.open().engine.leaveSession(at: uptime)
                try? await core.open().engine.wait(timeout: Self.longest) { .flush($0) }
            }
        }
    }
}
#else
/// Does nothing where an app has no background: it is in the foreground for as long as it runs.
final class AppLifecycle: Sendable {
    static let foregroundCheck: (@Sendable () async -> Bool)? = nil

    init?(_ core: ClientCore) { return nil }
}
#endif
