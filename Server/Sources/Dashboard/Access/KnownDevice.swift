import CardModel
import CardServer
import CardStore

/// A browser in which a member was signed in before, by a cookie that stays when the session ends.
///
/// What others fail at does not slow it down: it has attempts of its own. It lets nobody in. It is signed with a key
/// that only the store's copy of the member gives, so a new password makes every device unknown, and nothing has to be
/// kept.
struct KnownDevice: Sendable, Equatable {
    /// The time for which a device is known after it was last signed in, in seconds: half a year.
    static let lifetime: Int64 = 15_552_000
    /// As many accounts as one browser is known for.
    private static let limit = 4
    /// The bytes of a token: a device's id, its expiry and their signature.
    private static let tokenSize = 16 + 8 + 32

    let id: [UInt8]

    /// Returns the device that a cookie names for a member.
    static func find(_ cookie: String?, of member: TeamMember, at now: UnixTime) -> KnownDevice? {
        tokens(cookie).lazy.compactMap { read($0, of: member, at: now) }.first
    }

    /// The cookie of a browser in which a member is signed in now; other accounts of the browser stay in it.
    static func cookie(adding member: TeamMember, to cookie: String?, at now: UnixTime) -> String {
        let others = tokens(cookie).filter { read($0, of: member, at: now) == nil }
        let id = find(cookie, of: member, at: now)?.id ?? SecretBytes.random(16)
        let signed = id + SignedExpiry(lifetime, after: now).bytes
        let token = SecretBytes.text(signed + signature(of: signed, member))
        return ([token] + others.prefix(limit - 1)).joined(separator: ".")
    }

    private static func tokens(_ cookie: String?) -> [String] {
        guard let cookie, cookie.utf8.count < 512 else { return [] }
        // By bytes: a mark that combines with the full stop before it would hide the token there. What is no token
        // isn't kept: with it the cookie could grow beyond what is read of one.
        let parts = cookie.utf8.split(separator: UInt8(ascii: ".")).prefix(limit).map { String(Substring($0)) }
        return parts.filter { SecretBytes.bytes($0)?.count == tokenSize }
    }

    private static func read(_ token: String, of member: TeamMember, at now: UnixTime) -> KnownDevice? {
        guard let bytes = SecretBytes.bytes(token), bytes.count == tokenSize,
            ConstantTime.areEqual(Array(bytes[24...]), signature(of: Array(bytes[..<24]), member)),
            SignedExpiry(bytes: bytes[16..<24])?.state(at: now, lifetime: lifetime) == .valid
        else { return nil }
        return KnownDevice(id: Array(bytes[..<16]))
    }

    private static func signature(of bytes: [UInt8], _ member: TeamMember) -> [UInt8] {
        let key = SecretBytes.hash(Array("known device\0\(member.passwordHash)".utf8))
        return SecretBytes.code(of: bytes + Array(member.email.utf8), key: key)
    }
}
