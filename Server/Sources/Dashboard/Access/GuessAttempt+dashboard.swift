import CardModel
import CardServer
import CardStore

/// The network that a request comes from: an address of version 4, or the 64 bits that a site has of version 6.
struct ClientNetwork: Sendable, Hashable {
    let text: String

    init(_ client: ClientConnection) {
        guard let address = client.address, address.isVersion6 else {
            text = client.addressText
            return
        }
        text = "6:" + String(address.bits >> 64, radix: 16)
    }
}

/// The secrets that can be guessed in the dashboard, and how often; `docs/decisions` says why so.
extension GuessAttempt {
    /// A password of an account, whether there is one or not, from a network; `device` is the browser, if the member
    /// was signed in there before.
    static func password(of email: String, from network: ClientNetwork, on device: KnownDevice?) -> GuessAttempt {
        if let device { return GuessAttempt([own("password", [email, SecretBytes.text(device.id)], free: 10)]) }
        return GuessAttempt([
            own("password", [email, network.text], free: 5),
            shared("address", [network.text], .shared, free: 30),
            shared("password", [email], .sharedExceptNewcomers, free: 300),
        ])
    }

    /// A code of the second factor, of one who knows the password; a recovery code is too long to be guessed, so that
    /// others' failures do not matter.
    static func code(
        of email: String,
        isRecovery: Bool,
        from network: ClientNetwork,
        on device: KnownDevice?
    ) -> GuessAttempt {
        if let device { return GuessAttempt([own("code", [email, SecretBytes.text(device.id)], free: 10)]) }
        let subjects = [
            own("code", [email, network.text], free: 5), shared("address", [network.text], .shared, free: 30),
        ]
        return GuessAttempt(isRecovery ? subjects : subjects + [shared("code", [email], .shared, free: 200)])
    }

    /// A request for a link by e-mail, whether there is an account or not: nothing is guessed by it, but each may be a
    /// message.
    static func passwordReset(of email: String, from network: ClientNetwork) -> GuessAttempt {
        GuessAttempt([
            own("reset", [email, network.text], free: 3), shared("reset", [email], .sharedExceptNewcomers, free: 3),
            // So many messages at the most, from however many networks they are asked for.
            shared("resets", [email], .shared, free: 20),
            shared("reset address", [network.text], .shared, free: 10),
        ])
    }

    /// A code of the second factor of a member who is signed in.
    static func codeInSession(_ session: Session) -> GuessAttempt {
        GuessAttempt([own("session code", [SecretBytes.text(session.hash)], free: 5)])
    }

    /// The password of a member who is signed in.
    static func inSession(_ session: Session) -> GuessAttempt {
        GuessAttempt([own("session", [SecretBytes.text(session.hash)], free: 5)])
    }

    /// The code that the server's log tells for the first account.
    static func setup(from network: ClientNetwork) -> GuessAttempt {
        GuessAttempt([shared("address", [network.text], .shared, free: 30)])
    }

    private static func own(_ kind: String, _ parts: [String], free: Int) -> AttemptSubject {
        shared("own \(kind)", parts, .own, free: free)
    }

    private static func shared(
        _ kind: String,
        _ parts: [String],
        _ scope: AttemptSubject.Scope,
        free: Int
    ) -> AttemptSubject {
        let text = ([kind] + parts).joined(separator: "\0")
        return AttemptSubject(hash: SecretBytes.hash(Array(text.utf8)), limit: AttemptLimit(free: free), scope: scope)
    }
}
