import CardModel
import Foundation
import Logging
import NIOHTTP1
import WireJSON

/// Signs members in with an OpenID provider: the authorization code flow of OpenID Connect Core 1.0 with PKCE.
///
/// The provider's document and keys are fetched when they are first needed, and again from time to time; what can't be
/// fetched is an answer of its own, so that a server starts while the provider is down.
package actor OpenIDProvider {
    /// The time for which the provider's document counts, in seconds.
    private static let configurationAge = 3_600.0
    /// The time for which its keys count, in seconds.
    private static let keysAge = 600.0
    /// The shortest time between two fetches of keys, in seconds, whatever tokens name.
    private static let shortestInterval = 60.0
    /// The most bytes of an answer with tokens, and of a token in it.
    private static let tokenSize = 131_072
    private static let longestCode = 4_096

    /// The settings.
    package nonisolated let settings: OpenIDSettings
    /// The address to which the provider sends browsers back.
    package nonisolated let redirectURL: String
    private let client: OutboundClient
    private let keySets: KeySetSource
    private let clock: @Sendable () -> UnixTime
    private var configuration: (value: OpenIDConfiguration, fetchedAt: UnixTime)?
    private var keys: (value: [UserTokenKey], fetchedAt: UnixTime)?
    /// The fetch that is under way: however many wait for it, it's one request.
    private var pendingConfiguration: Task<Result<OpenIDConfiguration, OpenIDError>, Never>?
    private var pendingKeys: Task<Result<[UserTokenKey], OpenIDError>, Never>?
    private let visits: OpenIDRateLimit

    init(
        _ settings: OpenIDSettings,
        publicURL: String,
        client: OutboundClient,
        clock: @escaping @Sendable () -> UnixTime,
        uptime: @escaping @Sendable () -> Double,
        logger: Logger
    ) {
        self.settings = settings
        redirectURL = (publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL) + Self.path
        self.client = client
        keySets = KeySetSource(client: client, logger: logger, timeout: settings.keysTimeout)
        self.clock = clock
        visits = OpenIDRateLimit(uptime: uptime)
    }

    /// The path of the page that the provider sends browsers back to.
    package static let path = "/dashboard/sign-in/provider/callback"

    /// Counts that a page was opened that has the provider asked, as everybody can have it without an account.
    ///
    /// - Returns: The seconds until the client may have it asked again, or `nil` where it may now.
    package nonisolated func wait(of client: ClientConnection) -> Double? { visits.wait(of: client) }

    /// Returns where to send a browser.
    ///
    /// - Throws: `OpenIDError` where the provider can't be asked where its page is.
    package func address(for attempt: OpenIDAttempt) async throws(OpenIDError) -> String {
        let page = try await currentConfiguration().authorization
        var fields: [(name: String, value: String)] = [
            ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", redirectURL),
            ("scope", settings.scopes.joined(separator: " ")), ("state", attempt.state), ("nonce", attempt.nonce),
            ("code_challenge", attempt.challenge), ("code_challenge_method", "S256"),
        ]
        if attempt.reauthenticatesAt != nil { fields += [("prompt", "login"), ("max_age", "0")] }
        return page.text + (page.target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + URLText.form(fields)
    }

    /// Exchanges a code for what the provider says of whoever signed in.
    ///
    /// - Parameters:
    ///   - code: What the browser brought.
    ///   - issuer: Who sent the browser, as it says.
    ///   - attempt: What the browser began with.
    /// - Returns: The claims of a token that was found good.
    /// - Throws: `OpenIDError`.
    package func claims(
        code: String,
        issuer: String?,
        attempt: OpenIDAttempt
    ) async throws(OpenIDError) -> OpenIDClaims {
        let configuration = try await currentConfiguration()
        // A code of another provider goes to none.
        guard issuer != nil || !configuration.namesIssuer else { throw .rejected("the answer doesn't name its issuer") }
        guard issuer.map({ $0.hasSameBytes(as: settings.issuer) }) ?? true else {
            throw .rejected("the answer is another issuer's")
        }
        guard (1...Self.longestCode).contains(code.utf8.count) else { throw .rejected("the code is too long or empty") }
        let answer = try await exchange(code, attempt, configuration)
        guard let text = answer["id_token"]?.string, let token = try? UserToken(text, atMost: Self.tokenSize) else {
            throw .rejected("the answer has no ID token that can be used")
        }
        try await check(token, configuration)
        let rules = OpenIDClaims.Rules(
            settings: settings,
            attempt: attempt,
            accessToken: answer["access_token"]?.string
        )
        return try OpenIDClaims(token, rules, at: clock())
    }

    // MARK: Tokens

    private func exchange(
        _ code: String,
        _ attempt: OpenIDAttempt,
        _ configuration: OpenIDConfiguration
    ) async throws(OpenIDError) -> JSONValue {
        var fields: [(name: String, value: String)] = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURL),
            ("code_verifier", attempt.verifier),
        ]
        var request = OutboundRequest(url: configuration.token, method: .POST)
        request.headers = ["Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"]
        switch settings.clientSecret {
        case let secret? where configuration.wantsSecretInForm:
            fields += [("client_id", settings.clientID), ("client_secret", secret)]
        case let secret?:
            // RFC 6749, section 2.3.1: both are encoded as in a form first.
            let pair = "\(URLText.escape(settings.clientID)):\(URLText.escape(secret))"
            request.headers["Authorization"] = "Basic \(Data(pair.utf8).base64EncodedString())"
        case nil: fields.append(("client_id", settings.clientID))
        }
        request.body = Array(URLText.form(fields).utf8)
        let response = try await send(request, bodyLimit: Self.tokenSize)
        guard response.status == 200 else {
            throw .rejected("the token endpoint answered HTTP \(response.status)")
        }
        guard let json = try? JSONValue(parsing: response.body) else {
            throw .unavailable("the token endpoint doesn't answer in JSON")
        }
        return json
    }

    /// Checks the signature of a token by a key of the provider.
    private func check(_ token: UserToken, _ configuration: OpenIDConfiguration) async throws(OpenIDError) {
        var candidates = Self.candidates(try await currentKeys(configuration, atMost: Self.keysAge), for: token)
        if candidates.isEmpty {
            // The provider may have a new key since then.
            let newest = try await currentKeys(configuration, atMost: Self.shortestInterval)
            candidates = Self.candidates(newest, for: token)
        }
        guard !candidates.isEmpty else { throw .rejected("the ID token names no key of the provider") }
        guard candidates.contains(where: { $0.verifies(token) }) else {
            throw .rejected("the signature of the ID token is wrong")
        }
    }

    private static func candidates(_ keys: [UserTokenKey], for token: UserToken) -> [UserTokenKey] {
        keys.filter { key in
            key.fits(token) && (key.id.isEmpty || token.keyID.map { key.id.hasSameBytes(as: $0) } ?? true)
        }
    }

    // MARK: What the provider publishes

    private func currentConfiguration() async throws(OpenIDError) -> OpenIDConfiguration {
        if let known = configuration, isFresh(known.fetchedAt, atMost: Self.configurationAge) { return known.value }
        let fetch =
            pendingConfiguration
            ?? Task { await self.result { () async throws(OpenIDError) in try await self.fetchConfiguration() } }
        pendingConfiguration = fetch
        defer { if pendingConfiguration == fetch { pendingConfiguration = nil } }
        return try await fetch.value.get()
    }

    private func fetchConfiguration() async throws(OpenIDError) -> OpenIDConfiguration {
        let issuer = settings.issuer.hasSuffix("/") ? String(settings.issuer.dropLast()) : settings.issuer
        guard let url = OutboundURL(issuer + "/.well-known/openid-configuration"), url.isSafeForSecrets else {
            throw .unavailable("the issuer isn't an address of HTTPS")
        }
        let request = OutboundRequest(url: url, headers: ["Accept": "application/json"])
        let response = try await send(request, bodyLimit: OpenIDConfiguration.maximumSize)
        guard response.status == 200, let json = try? JSONValue(parsing: response.body) else {
            throw .unavailable("there is no discovery document: HTTP \(response.status)")
        }
        let value = try OpenIDConfiguration(json, of: settings.issuer)
        configuration = (value, clock())
        return value
    }

    private func currentKeys(
        _ configuration: OpenIDConfiguration,
        atMost age: Double
    ) async throws(OpenIDError) -> [UserTokenKey] {
        if let keys, isFresh(keys.fetchedAt, atMost: age) { return keys.value }
        let fetch =
            pendingKeys
            ?? Task { await self.result { () async throws(OpenIDError) in try await self.fetchKeys(configuration) } }
        pendingKeys = fetch
        defer { if pendingKeys == fetch { pendingKeys = nil } }
        return try await fetch.value.get()
    }

    private func fetchKeys(_ configuration: OpenIDConfiguration) async throws(OpenIDError) -> [UserTokenKey] {
        let set: JSONWebKeySet
        do {
            set = try await keySets.keys(at: configuration.keySet.text)
        } catch {
            throw .unavailable("its keys can't be fetched")
        }
        let value = set.keys.compactMap { try? UserTokenKey($0) }
        keys = (value, clock())
        return value
    }

    private func result<Value: Sendable>(
        _ body: () async throws(OpenIDError) -> Value
    ) async -> Result<Value, OpenIDError> {
        do throws(OpenIDError) { return .success(try await body()) } catch { return .failure(error) }
    }

    private func isFresh(_ time: UnixTime, atMost age: Double) -> Bool { (0...age).contains(clock() - time) }

    private func send(_ request: OutboundRequest, bodyLimit: Int) async throws(OpenIDError) -> OutboundResponse {
        do {
            return try await client.send(request, timeout: settings.timeout, bodyLimit: bodyLimit)
        } catch {
            throw .unavailable("\(request.url.authority) doesn't answer: \(error)")
        }
    }
}
