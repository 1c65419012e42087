import ContentCards
import Foundation

extension Appboy {
    /// Deletes everything the SDK has stored, the user included, and stops it until the app is started again.
    ///
    /// There is no shared instance any more, and feeds that are open become empty.
    public static func wipeDataAndDisableForAppRun() {
        run.withLock { $0.stop() }?.changeUser { await $0.client.wipe() }
    }

    /// Stops the SDK and deletes its cards, now and whenever the app is started, until
    /// ``requestEnableSDKOnNextAppRun()``.
    ///
    /// There is no shared instance any more, and feeds that are open become empty.
    public static func disableSDK() {
        AppRun.isDisabled = true
        run.withLock { $0.stop() }?.changeUser { await $0.client.disable() }
    }

    /// Lets the SDK be started again after ``disableSDK()``, when the app is started next.
    public static func requestEnableSDKOnNextAppRun() {
        AppRun.isDisabled = false
    }
}

/// Knows the instance of this run of the app, and whether there may be one.
struct AppRun {
    private(set) var instance: Appboy? {
        didSet {
            for follower in followers.values { follower.yield(instance) }
        }
    }
    private var isStopped = false
    private var followers: [UUID: AsyncStream<Appboy?>.Continuation] = [:]

    private static let key = "ContentCardsABK.isDisabled"

    /// Whether the SDK is disabled over launches; `nil` where it never was, or was started since.
    static var isDisabled: Bool? {
        get { UserDefaults.standard.object(forKey: key) as? Bool }
        set { UserDefaults.standard.set(newValue, forKey: key) }
    }

    /// Returns whether the SDK may be started in this run.
    mutating func begin() -> Bool {
        if Self.isDisabled == true { isStopped = true }
        return !isStopped
    }

    /// Shares an instance, if the SDK may be started; returns whether it may.
    mutating func share(_ new: Appboy) -> Bool {
        guard begin() else { return false }
        instance = new
        return true
    }

    /// Returns whether this is the first start after the SDK was disabled in an earlier run.
    mutating func takeWasDisabled() -> Bool {
        guard !isStopped, Self.isDisabled == false else { return false }
        Self.isDisabled = nil
        return true
    }

    /// Lets go of the instance for the rest of the run, and returns it.
    mutating func stop() -> Appboy? {
        isStopped = true
        defer { instance = nil }
        return instance
    }

    /// Tells of the instance now, and whenever there is another.
    mutating func add(_ follower: AsyncStream<Appboy?>.Continuation, id: UUID) {
        followers[id] = follower
        follower.yield(instance)
    }

    /// Stops telling.
    mutating func removeFollower(_ id: UUID) {
        followers[id] = nil
    }
}
