import ContentCards
import Foundation

/// The way into the SDK under the documented names.
///
/// All of it can be used from any thread.
#if canImport(ObjectiveC)
@objc(Appboy) @objcMembers
#endif
public final class Appboy: NSObject, Sendable {
    private struct State {
        /// The attributes that the app has set of its user since that changed.
        var attributes: [ContentCardsClient.StandardAttribute: String] = [:]
        weak var urlDelegate: (any ABKURLDelegate)?
        #if !os(tvOS)
        var imageDelegate: (any ABKImageDelegate)?
        #endif
    }

    static let run = Locked(AppRun())
    /// The client behind the names, for what they do not offer.
    public let client: ContentCardsClient
    /// Gives the cards of the current user.
    public let contentCardsController: ABKContentCardsController
    private let state = Locked(State())
    let changes: UserChanges
    let policy = Locked(ABKRequestProcessingPolicy.automaticRequestProcessing)
    let authentication = Locked(Authentication())
    /// Seconds that events wait for others.
    var interval: TimeInterval { client.flushDelay }

    private init(_ client: ContentCardsClient) {
        let changes = UserChanges()
        self.client = client
        self.changes = changes
        contentCardsController = ABKContentCardsController(client) { changes.pendingCount > 0 }
    }

    // MARK: Start

    /// Returns the instance that was started last; `nil` before the start.
    public static func sharedInstance() -> Appboy? { run.withLock(\.instance) }

    /// The shared instance, and every later one; `nil` stands for none.
    static var instances: AsyncStream<Appboy?> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = UUID()
            continuation.onTermination = { _ in run.withLock { $0.removeFollower(id) } }
            run.withLock { $0.add(continuation, id: id) }
        }
    }

    /// Returns the instance that was started last, and ends the process where there is none.
    public static func unsafeInstance() -> Appboy {
        // safe: whoever calls this asks for it
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
    ///     bundle's information, as `Endpoint` in `Appboy` or `Braze`; may have the other keys that begin with `ABK`.
    #if canImport(ObjectiveC)
    @objc(startWithApiKey:inApplication:withLaunchOptions:withAppboyOptions:)
    #endif
    public static func start(
        withApiKey apiKey: String,
        in application: Any? = nil,
        withLaunchOptions launchOptions: [AnyHashable: Any]? = nil,
        withAppboyOptions appboyOptions: [AnyHashable: Any]? = nil
    ) {
        guard run.withLock({ $0.begin() }) else { return }
        let options = StartOptions(appboyOptions ?? [:])
        let endpoint = endpoint(in: appboyOptions)
        let client = ContentCardsClient(endpoint: endpoint, key: apiKey, configuration: options.configuration)
        options.apply(to: start(with: client))
    }

    /// Starts with a client that the app has set up itself, with tokens and storage as it needs them.
    ///
    /// Where the SDK is disabled, the instance is not shared.
    @discardableResult
    public static func start(with client: ContentCardsClient) -> Appboy {
        let instance = Appboy(client)
        StartedClient.find { sharedInstance()?.client }
        let (isStarted, wasDisabled) = run.withLock { ($0.share(instance), $0.takeWasDisabled()) }
        guard isStarted else { return instance }
        if wasDisabled { instance.changeUser { await $0.client.enable() } }
        if client.userID == nil { instance.changes.make { await instance.beAnonymous() } }
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
        if !client.userID.hasSameBytes(as: userId) || changes.pendingCount > 0 {
            state.withLock { $0.attributes = [:] }
        }
        if let signature { authentication.withLock { $0.signature = signature } }
        changeUser { await $0.client.identify(userId, token: signature) }
    }

    /// The current user, whose attributes can be set.
    public var user: ABKUser { ABKUser(self) }

    func changeUser(_ change: @escaping @Sendable (Appboy) async -> Void) {
        changes.make {
            await change(self)
            return true
        }
    }

    /// Logs as the user that the app named last.
    func log(_ body: @escaping @Sendable (ContentCardsClient) -> Void) {
        changes.perform { [client] in body(client) }
    }

    /// Accesses the attributes that the app has set of its user since that changed.
    subscript(attribute: ContentCardsClient.StandardAttribute) -> String? {
        get { state.withLock { $0.attributes[attribute] } }
        set {
            state.withLock { $0.attributes[attribute] = newValue }
            log { $0.setAttribute(attribute, to: newValue) }
        }
    }

    /// Does nothing, and returns that, where the app has said since who its user is.
    private func beAnonymous() async -> Bool {
        guard changes.pendingCount == 1 else { return false }
        await client.identifyAnonymously()
        return true
    }

    // MARK: Cards

    /// Asks for the user's cards; the notification tells of the end, exactly once for each call.
    ///
    /// Where the device has asked too often and has cards of an earlier answer, nobody is asked and that is no failure:
    /// they are those to show.
    public func requestContentCardsRefresh() {
        Task { try? await refresh(.manual) }
    }

    func refresh(_ reason: SyncReason) async throws(ContentCardsError) {
        await changes.settle()
        do throws(ContentCardsError) {
            try await client.refresh(reason)
            await post(isSuccessful: true)
        } catch {
            await post(isSuccessful: error.code == .rateLimited && client.feed.lastSync != nil)
            throw error
        }
    }

    @MainActor func post(isSuccessful: Bool) {
        NotificationCenter.default.post(
            name: .ABKContentCardsProcessed,
            object: self,
            userInfo: [ABKContentCardsProcessedIsSuccessfulKey: isSuccessful]
        )
    }

    /// Logs that a feed was displayed, as the custom event `content_cards_displayed`.
    public func logContentCardsDisplayed() {
        log { $0.logEvent("content_cards_displayed") }
    }

    /// Delivers what was logged, as far as that is possible now.
    public func requestImmediateDataFlush() {
        Task {
            await changes.settle()
            try? await client.flush()
        }
    }

    /// Delivers what was logged, under the older name.
    public func flushDataAndProcessRequestQueue() { requestImmediateDataFlush() }

    #if !os(tvOS)
    /// Loads the images of cells in place of the SDK.
    ///
    /// The default is `nil`.
    public var imageDelegate: (any ABKImageDelegate)? {
        get { state.withLock { $0.imageDelegate } }
        set { state.withLock { $0.imageDelegate = newValue } }
    }
    #endif

    /// The object that is asked about addresses before the SDK opens them.
    public var appboyUrlDelegate: (any ABKURLDelegate)? {
        get { state.withLock { $0.urlDelegate } }
        set { state.withLock { $0.urlDelegate = newValue } }
    }
}
