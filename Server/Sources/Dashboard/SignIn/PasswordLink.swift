import CardModel
import CardServer
import CardStore
import Hummingbird

/// A link by which a member chooses a password once: an invitation, or a reset that an admin passes on.
///
/// Only the hash of its token is stored, and the page that issues it is the only one that shows it.
struct PasswordLink {
    /// The time for which an invitation works, in seconds: seven days.
    static let invitationLifetime = 604_800.0
    /// The time for which the link of a reset works, in seconds: one day.
    static let resetLifetime = 86_400.0
    /// The time for which the link that a member has asked for by e-mail works, in seconds: one hour.
    static let requestedLifetime = 3_600.0

    /// The token in the address: 256 random bits.
    let token = SecretBytes.text(SecretBytes.random(32))

    /// Returns the hash of a token that is stored, or `nil` for a text that is none.
    static func hash(of token: String) -> [UInt8]? {
        guard let bytes = SecretBytes.bytes(token), bytes.count == 32 else { return nil }
        return SecretBytes.hash(bytes)
    }

    /// The page on which the password is chosen.
    var path: String { "/dashboard/password?token=\(token)" }

    /// Returns the address of that page: at the server's own address, or where none is set at the host by which the
    /// admin's browser knows the dashboard.
    func address(for context: PageContext) -> String {
        context.site.server.publicAddress.base(context.request, context.appContext) + path
    }

    /// Saves the link for a member; one that was asked for voids none that an administrator made.
    func issue(
        for email: String,
        until expiry: UnixTime,
        isRequested: Bool = false,
        in store: any CardStore
    ) async throws {
        guard let hash = Self.hash(of: token) else { throw DashboardError.notFound }
        try await store.setPasswordLink(hash, until: expiry, of: email, isRequested: isRequested)
    }
}
