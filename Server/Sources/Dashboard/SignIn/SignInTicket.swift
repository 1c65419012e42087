import CardModel
import CardStore

/// Says that the password was right, while the code of the second factor is asked for.
///
/// It is signed with a key that only the store's copy of the member gives, so any node can check it and nothing has to
/// be kept.
struct SignInTicket {
    let email: String
    let expiresAt: UnixTime

    private var signed: String { "\(Int64(expiresAt)).\(email)" }

    func text(of member: TeamMember) -> String {
        "\(SecretBytes.text(SecretBytes.code(of: Array(signed.utf8), key: Self.key(member)))).\(signed)"
    }

    private static func key(_ member: TeamMember) -> [UInt8] {
        SecretBytes.hash(Array(member.passwordHash.utf8) + (member.codeSecret ?? []))
    }

    private static func parse(_ text: String) -> SignInTicket? {
        let parts = text.split(separator: ".", maxSplits: 2)
        guard parts.count == 3, let expiry = Int64(parts[1]) else { return nil }
        return SignInTicket(email: String(parts[2]), expiresAt: UnixTime(expiry))
    }

    static func email(_ text: String) -> String? { parse(text)?.email }

    static func isValid(_ text: String, of member: TeamMember, at now: UnixTime) -> Bool {
        guard let ticket = parse(text), ticket.expiresAt > now, ticket.email == member.email else { return false }
        return SecretBytes.areEqual(Array(text.utf8), Array(ticket.text(of: member).utf8))
    }
}
