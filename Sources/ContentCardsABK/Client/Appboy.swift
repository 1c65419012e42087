import ContentCards
import Foundation

/// Is the way into the SDK under the documented names.
///
/// All of it can be used from any thread.
public final class Appboy: Sendable {
    private struct State {
        /// Ends when the last change of users has been made; each waits for the one before.
        var lastChange: Task<Void, Never>?
        var pendingChanges = 0
        weak var urlDelegate: (any ABKURLDelegate)?
        var imageDelegate: (any ABKImageDelegate)?
    }

    static let run = Locked(AppRun())
    /// The client behind the names, for what they do not offer.
    public let client: ContentCardsClient
    /// Gives the cards of the current user.
    public let contentCardsController: ABKContentCardsController
    private let state: Locked<State>

    private init(_ client: ContentCardsClient) {
        let state = Locked(State())
        self.client = client
        self.state = state
        contentCardsController = ABKContentCardsController(client) { state.withLock { $0.pendingChanges > 0 } }
    }

    // MARK: Start

    /// Returns the instance that was started last; `nil` before the start.
    public static func sharedInstance() -> Appboy? { run.withLock(\.instance) }

    /// Returns the instance that was started last, and ends the process where there is none.
    public static func unsafeInstance() -> Appboy {
        guard let instance = sharedInstance() else { preconditionFailure("Start the SDK before you use it.") }
        return instance
    }

    /// Starts the SDK; does nothing where it is disabled.
    ///
    /// - Parameters:
    ///   - apiKey: the publishable key, `pk_…`.
    ///   - application: is not used.
    ///   - launchOptions: are not used.
    ///   - appboyOptions: must have the address of the server under ``ABKEndpointKey``, unless that is in the main
    ///     bundle's information, as `Endpoint` in `Appboy` or `Braze`; may have ``ABKURLDelegateKey`` and
    ///     ``ABKSessionTimeoutKey``.
    public static func start(
        withApiKey apiKey: String,
        in application: Any? = nil,
        withLaunchOptions launchOptions: [AnyHashable: Any]? = nil,
        withAppboyOptions appboyOptions: [AnyHashable: Any]? = nil
    ) {
        guard run.withLock({ $0.begin() }) else { return }
        var configuration = ContentCardsClient.Configuration()
        if let timeout = appboyOptions?[ABKSessionTimeoutKey] as? Int, timeout > 0 {
            configuration.sessionTimeout = TimeInterval(timeout)
        }
        let endpoint = endpoint(in: appboyOptions)
        let instance = start(with: ContentCardsClient(endpoint: endpoint, key: apiKey, configuration: configuration))
        instance.appboyUrlDelegate = appboyOptions?[ABKURLDelegateKey] as? any ABKURLDelegate
    }

    /// Starts with a client that the app has set up itself, with tokens and storage as it needs them.
    ///
    /// Where the SDK is disabled, the instance is not shared.
    @discardableResult
    public static func start(with client: ContentCardsClient) -> Appboy {
        let instance = Appboy(client)
        let (isStarted, wasDisabled) = run.withLock { ($0.share(instance), $0.takeWasDisabled()) }
        guard isStarted else { return instance }
        if wasDisabled { instance.changeUser { await $0.client.enable() } }
        if client.userID == nil { instance.changeUser { instance in await instance.beAnonymous() } }
        return instance
    }

    /// Without an address the client reports that, and asks nobody.
    private static func endpoint(in options: [AnyHashable: Any]?) -> URL {
        if let url = options?[ABKEndpointKey] as? URL { return url }
        let main = Bundle.main.infoDictionary
        let settings = (main?["Braze"] ?? main?["Appboy"]) as? [String: Any]
        let text = (options?[ABKEndpointKey] ?? settings?["Endpoint"]) as? String ?? ""
        return URL(string: text.contains("://") ? text : "https://" + text) ?? URL(fileURLWithPath: "/")
    }

    // MARK: Users

    /// Says who uses the app; an empty id changes nothing.
    public func changeUser(_ userId: String) {
        changeUser(userId, sdkAuthSignature: nil)
    }

    /// Says who uses the app, with a token for that user.
    public func changeUser(_ userId: String, sdkAuthSignature signature: String?) {
        guard !userId.isEmpty else { return }
        changeUser { await $0.client.identify(userId, token: signature) }
    }

    /// The current user.
    public var user: ABKUser { ABKUser(client) }

    func changeUser(_ change: @escaping @Sendable (Appboy) async -> Void) {
        state.withLock { state in
            let previous = state.lastChange
            state.pendingChanges += 1
            state.lastChange = Task {
                await previous?.value
                await change(self)
                self.state.withLock { $0.pendingChanges -= 1 }
            }
        }
    }

    /// Does nothing where the app has said meanwhile who its user is.
    private func beAnonymous() async {
        guard state.withLock({ $0.pendingChanges == 1 }) else { return }
        await client.identifyAnonymously()
    }

    // MARK: Cards

    /// Asks for the user's cards; the notification tells of the end, exactly once for each call.
    public func requestContentCardsRefresh() {
        Task { try? await refresh(.manual) }
    }

    func refresh(_ reason: SyncReason) async throws(ContentCardsError) {
        await state.withLock(\.lastChange)?.value
        do throws(ContentCardsError) {
            try await client.refresh(reason)
            await post(isSuccessful: true)
        } catch {
            await post(isSuccessful: false)
            throw error
        }
    }

    @MainActor private func post(isSuccessful: Bool) {
        NotificationCenter.default.post(
            name: .ABKContentCardsProcessed,
            object: self,
            userInfo: [ABKContentCardsProcessedIsSuccessfulKey: isSuccessful]
        )
    }

    /// Logs that a feed was displayed, as the custom event `content_cards_displayed`.
    public func logContentCardsDisplayed() {
        client.logEvent("content_cards_displayed")
    }

    /// Delivers what was logged, as far as that is possible now.
    public func flushDataAndProcessRequestQueue() {
        Task { try? await client.flush() }
    }

    /// Loads the images of cells in place of the SDK.
    ///
    /// The default is `nil`.
    public var imageDelegate: (any ABKImageDelegate)? {
        get { state.withLock { $0.imageDelegate } }
        set { state.withLock { $0.imageDelegate = newValue } }
    }

    /// Is asked about addresses before the SDK opens them.
    public var appboyUrlDelegate: (any ABKURLDelegate)? {
        get { state.withLock { $0.urlDelegate } }
        set { state.withLock { $0.urlDelegate = newValue } }
    }
}
