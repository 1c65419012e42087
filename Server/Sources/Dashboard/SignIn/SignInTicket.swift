import CardModel
import CardServer
import CardStore
import WireJSON

/// Says that the password was right, while the code of the second factor is asked for.
///
/// It is signed with a key that only the store's copy of the member gives, so any node can check it and nothing has to
/// be kept.
struct SignInTicket {
    /// The time for the code, in seconds.
    static let lifetime: Int64 = 300

    let email: String
    let expiry: SignedExpiry

    init(email: String, at now: UnixTime) {
        self.email = email
        expiry = SignedExpiry(Self.lifetime, after: now)
    }

    /// Reads a ticket without checking its signature, or returns `nil` if the text is none.
    private init?(_ text: String) {
        let parts = text.split(at: ".", maxSplits: 2)
        guard text.utf8.count < 512, parts.count == 3, let expiry = SignedExpiry(decimal: parts[1]) else { return nil }
        email = String(parts[2])
        self.expiry = expiry
    }

    private var signed: String { "\(expiry.seconds).\(email)" }

    func text(of member: TeamMember) -> String {
        "\(SecretBytes.text(SecretBytes.code(of: Array(signed.utf8), key: Self.key(member)))).\(signed)"
    }

    private static func key(_ member: TeamMember) -> [UInt8] {
        SecretBytes.hash(Array(member.passwordHash.utf8) + (member.codeSecret ?? []))
    }

    static func email(_ text: String) -> String? { SignInTicket(text)?.email }

    static func isValid(_ text: String, of member: TeamMember, at now: UnixTime) -> Bool {
        guard let ticket = SignInTicket(text), ticket.expiry.state(at: now, lifetime: lifetime) == .valid,
            ConstantTime.areEqual(ticket.email, member.email)
        else { return false }
        return ConstantTime.areEqual(text, ticket.text(of: member))
    }
}
