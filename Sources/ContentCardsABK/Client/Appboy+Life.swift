import ContentCards
import Foundation

extension Appboy {
    // MARK: Requests

    /// Whether events are sent by themselves.
    ///
    /// The default is `automaticRequestProcessing`. It can be set at any time.
    public var requestProcessingPolicy: ABKRequestProcessingPolicy {
        get { policy.withLock { $0 } }
        set {
            policy.withLock { $0 = newValue }
            let delay = newValue == .manualRequestProcessing ? Self.never : interval
            Task { [client] in await client.setFlushDelay(delay) }
        }
    }

    /// Seconds that are never over.
    static let never: TimeInterval = 1e9

    /// Ends all requests for the rest of this run; what is logged from now on is lost.
    ///
    /// What was logged before is delivered in the next run.
    public func shutdownServerCommunication() {
        changeUser { await $0.client.close() }
    }

    /// Returns the id of the device: a random UUID that lasts until the data are wiped.
    public func getDeviceId() -> String { client.deviceID }

    // MARK: Signatures

    /// Gives a new signature of the current user.
    public func setSdkAuthenticationSignature(_ signature: String) {
        authentication.withLock { $0.signature = signature }
        changeUser { appboy in
            if let user = appboy.client.userID { await appboy.client.identify(user, token: signature) }
        }
    }

    /// Hears of refused signatures.
    ///
    /// The default is `nil`.
    public var sdkAuthenticationDelegate: (any ABKSdkAuthenticationDelegate)? {
        get { authentication.withLock { $0.delegate } }
        set {
            authentication.withLock { authentication in
                authentication.delegate = newValue
                authentication.listener?.cancel()
                authentication.listener = newValue == nil ? nil : listen()
            }
        }
    }

    /// Stops telling the delegate of refused signatures.
    public func unsubscribeFromSdkAuthenticationErrors() {
        sdkAuthenticationDelegate = nil
    }

    private func listen() -> Task<Void, Never> {
        let diagnostics = client.diagnostics
        return Task { [weak self] in
            for await diagnostic in diagnostics {
                guard !Task.isCancelled else { return }
                if case .tokenFailed = diagnostic { await self?.tellOfRefusal() }
            }
        }
    }

    @MainActor private func tellOfRefusal() {
        let (delegate, signature) = authentication.withLock { ($0.delegate, $0.signature) }
        let reason = "The server did not accept the signature."
        let error = ABKSdkAuthenticationError(code: 0, reason: reason, user: user.userID, signature: signature ?? "")
        delegate?.handle(error)
    }

    // MARK: Other channels

    /// The other framework that the app is made with; it is not reported.
    public var sdkFlavor: ABKSDKFlavor? {
        get { nil }
        // swift-format-ignore: UnusedSetter
        set { client.noteUnsupported("sdkFlavor") }
    }

    /// Does nothing but say so: there is no news feed.
    public func logFeedDisplayed() { client.noteUnsupported("logFeedDisplayed") }

    /// Does nothing but say so: there is no news feed.
    public func requestFeedRefresh() { client.noteUnsupported("requestFeedRefresh") }

    /// Does nothing but say so: there are no geofences.
    public func requestGeofences(withLongitude longitude: Double, latitude: Double) {
        client.noteUnsupported("requestGeofences")
    }

    /// Does nothing but say so: there are no push notifications.
    public func registerDeviceToken(_ deviceToken: Data) { client.noteUnsupported("registerDeviceToken") }

    /// Does nothing but say so: there are no push notifications.
    public func pushAuthorization(fromUserNotificationCenter pushAuthGranted: Bool) {
        client.noteUnsupported("pushAuthorization")
    }
}

/// The app's settings of signatures.
struct Authentication {
    var signature: String?
    var delegate: (any ABKSdkAuthenticationDelegate)?
    var listener: Task<Void, Never>?
}
