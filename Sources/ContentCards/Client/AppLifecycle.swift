#if os(iOS) || os(tvOS) || os(visionOS)
import Foundation

/// Follows the app to the foreground and to the background, by the names of UIKit's notifications, so that the core
/// does not need UIKit.
final class AppLifecycle: Sendable {
    /// Longest time for the last events on the way to the background.
    private static let longest: TimeInterval = 10

    private let observers: Locked<[any NSObjectProtocol]>

    init(_ core: ClientCore) {
        let leftAt = Locked<TimeInterval?>(nil)
        let entered = Self.observe("UIApplicationWillEnterForegroundNotification") { [weak core] in
            guard let core else { return }
            let uptime = leftAt.withLock { $0 }
            Task {
                let engine = core.open().engine
                // The system may have had no time for the end of the session, or gives it only after this.
                if let uptime { await engine.leaveSession(at: uptime) }
                await engine.enterSession()
            }
        }
        let left = Self.observe("UIApplicationDidEnterBackgroundNotification") { [weak core] in
            guard let core else { return }
            let uptime = core.configuration.clock.uptime
            leftAt.withLock { $0 = uptime }
            Self.sayGoodbye(core, leftAt: uptime)
        }
        observers = Locked([entered, left])
    }

    deinit {
        for observer in observers.withLock({ $0 }) { NotificationCenter.default.removeObserver(observer) }
    }

    private static func observe(_ name: String, _ body: @escaping @Sendable () -> Void) -> any NSObjectProtocol {
        NotificationCenter.default.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in body()
        }
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
/// Does nothing where an app has no background.
final class AppLifecycle: Sendable {
    init?(_ core: ClientCore) { return nil }
}
#endif
