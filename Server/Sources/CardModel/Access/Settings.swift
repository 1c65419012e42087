public import WireJSON

/// The settings of the whole workspace.
public struct Settings: Sendable, Hashable {
    /// Whether devices prove who their user is.
    public enum UserTokenMode: String, Sendable, CaseIterable {
        /// Tokens are not looked at.
        case disabled
        /// A token is checked where there is one.
        case optional
        /// Every device request needs a token.
        case required
    }

    /// A key that user tokens are checked with.
    public struct PublicKey: Sendable, Hashable {
        /// The `kid` of the tokens that it verifies; where it is empty, and for tokens without one, any key may.
        @Bytewise public var id: String
        /// The key in PEM: RSA of 2048 bits or more, or P-256.
        @Bytewise public var pem: String

        /// The maximum number of bytes in the text of a key; one of 8192 bits has about 1,500.
        static let maximumSize = 8_192

        /// Creates a key.
        public init(id: String, pem: String) {
            self.id = id
            self.pem = pem
        }
    }

    /// The claims that user tokens need beyond the user's ID.
    public struct TokenRules: Sendable, Hashable {
        /// The longest time that the clock of whoever signs tokens can be ahead, in seconds.
        public static let leeway = 60.0
        /// The default lifetime of a token, in seconds: 30 days.
        public static let standardLifetime = 30.0 * 86_400

        /// The `iss` that tokens have to have, or `nil` for any.
        @Bytewise public var issuer: String?
        /// The `aud` that tokens have to have, alone or among others, or `nil` for any.
        @Bytewise public var audience: String?
        /// The longest lifetime of a token in seconds, from when it was issued or else from now, 60 to 3,153,600,000.
        public var maximumLifetime: Double? = standardLifetime

        /// Creates the default rules.
        public init() {}
    }

    /// The IANA time zone of the workspace's days.
    @Bytewise public var timeZone = "UTC"
    /// Whether devices prove who their user is.
    public var userTokens = UserTokenMode.disabled
    /// The keys that user tokens are checked with; at most 3.
    public var publicKeys: [PublicKey] = []
    /// Further keys that user tokens are checked with, as identity providers publish them, or `nil` for none.
    public var keySet: JSONWebKeySet?
    /// The address that ``keySet`` is fetched from, again and again, or `nil` where it is set by hand; at most 2,048
    /// bytes.
    @Bytewise public var keySetURL: String?
    /// The claims that user tokens need beyond the user's ID.
    public var tokenRules = TokenRules()
    /// The maximum number of cards of a user, 1 to 1000.
    public var cardLimit = 250
    /// The maximum size of a card's texts, URLs and key-value pairs in bytes, 256 to 65,536.
    public var cardSizeLimit = 2_048
    /// The maximum number of refreshes that a device makes at once, 1 to 1000.
    public var refreshBurst = 5
    /// The number of seconds after which a device gets one refresh back, 0 to 86,400.
    public var refreshSeconds = 180.0
    /// The limits on requests of a backend's key, by group; a group that is absent has ``RateLimit/Group/standard``.
    public var rateLimits: [RateLimit.Group: RateLimit] = [:]

    /// The limits on requests of devices, and on what is kept for one user.
    public var deviceLimits = DeviceLimits()

    /// The number of days for which the events themselves are kept, 31 to 3650, or `nil` for ever; what was counted is
    /// kept for ever.
    ///
    /// An event that is older when it arrives is refused, since nobody could tell any more whether it was counted.
    public var eventDays: Int?
    /// The number of days for which entries of the audit log are kept, 30 to 3650, or `nil` for ever.
    public var auditDays: Int?
    /// The number of days for which earlier versions of campaigns are kept, 1 to 3650, or `nil` for ever.
    public var versionDays: Int?

    /// The limits on the new cards that a user gets in some days; at most 10 caps, all of which hold.
    public var frequencyCaps: [FrequencyCap] = []
    /// The part of every day in which nobody gets a new card, or `nil` for none.
    public var quietHours: QuietHours?

    /// The hosts that `connected_content` in templates may ask; at most ``ContentHost/limit``, none by default.
    public var connectedContentHosts: [ContentHost] = []

    /// Whether members of the team need a second factor to use the dashboard; `false` by default.
    ///
    /// A member without one is let in as far as setting it up.
    public var requiresTwoFactor = false

    /// Whether personal data of users is hidden from members with the role viewer; `false` by default.
    ///
    /// Viewers then see numbers and campaigns, and neither attributes, e-mail addresses and ids of users nor their
    /// feeds.
    public var masksPersonalData = false

    /// The members who need another member's approval to launch a campaign, or to edit one that users have; nobody by
    /// default.
    public var launchApproval = ApprovalPolicy.none

    /// Creates the defaults.
    public init() {}
}
