import CardModel
import CardStore
import WireJSON

@testable import CardServer
@testable import Dashboard

#if canImport(FuzzTargets)
import FuzzTargets
#endif

/// What services answer that the server asks: a mail server, and the provider with which members sign in.
extension FuzzTarget {
    private static let now = 1_800_000_000.0

    // MARK: Mail

    /// How the mail server is spoken to, in the first byte, and all that it says.
    static let mail = FuzzTarget("mail", maximumLength: 2_048) { input in
        guard let sender = MailSender("Placard <cards@example.com>"), let way = input.first else { return }
        var settings = MailSettings(host: "mail.example.com", sender: sender)
        settings.security = MailSettings.Security.allCases[Int(way) % 3]
        if way & 4 != 0 { settings.login = MailSettings.Login(user: "placard", password: "s3cret, and long") }
        let recipient = MailAddress(way & 8 != 0 ? "käthe@example.com" : "kate@example.com")
        let message = recipient.map {
            let text = MailText(subject: "Hello", text: ".\nHello\n.\n")
            return MailMessage(sender: sender, recipient: $0, text: text, id: "1", date: now)
        }
        do {
            let conversation = SMTPConversation(settings, as: "placard.example.com", giving: message)
            try converse(conversation, input.dropFirst(), isEncrypted: settings.security == .implicit)
        } catch let failure as SMTPError {
            try require(failure.reason.unicodeScalars.count <= 200, "A reason is short: \(failure.reason)")
            let isPlain = failure.reason.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            try require(isPlain, "A reason has one line: \(failure.reason)")
        }
    }

    /// Leads a conversation as a connection does, until the server has said all.
    private static func converse(
        _ begin: SMTPConversation,
        _ spoken: ArraySlice<UInt8>,
        isEncrypted begunEncrypted: Bool
    ) throws {
        var (conversation, reader, isEncrypted) = (begin, SMTPReplyReader(), begunEncrypted)
        for byte in spoken {
            guard let reply = try reader.read(byte) else { continue }
            var action = try conversation.receive(reply)
            if action == .encrypt {
                try require(!isEncrypted, "A connection is encrypted once")
                isEncrypted = true
                action = conversation.encrypted()
            }
            switch action {
            case .send(let command):
                let isLine = command.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
                try require(isLine && command.utf8.count <= 510, "A command is one line")
                try require(isEncrypted || !command.hasPrefix("AUTH"), "No password is sent without encryption")
            case .sendMessage: try requireSame(reply.code, 354, "A message is asked for")
            case .encrypt: throw Finding("A connection is encrypted once")
            case .quit: return
            }
        }
    }

    // MARK: Sign-in with a provider

    private static let provider: OpenIDSettings = {
        var settings = OpenIDSettings(issuer: "https://login.example.com", clientID: "placard")
        settings.groupsClaim = "/realm/roles"
        settings.groupRoles = [OpenIDSettings.GroupRole(group: "editors", role: .editor)]
        return settings
    }()

    /// What a provider says of itself, and after zero bytes what its token says and an access token.
    static let openID = FuzzTarget("openid", maximumLength: 2_048) { input in
        let parts = Parts(input, count: 3)
        if let json = try? JSONValue(parsing: parts[0]),
            let found = try? OpenIDConfiguration(json, of: provider.issuer)
        {
            for url in [found.authorization, found.token, found.keySet] {
                try require(url.isSafeForSecrets, "Secrets are sent by HTTPS: \(url)")
                try requireSame(OutboundURL(url.text), url, "An address is read back")
            }
        }
        let header = SecretBytes.text(Array(#"{"alg":"RS256"}"#.utf8))
        let text = "\(header).\(SecretBytes.text(parts[1])).\(SecretBytes.text([1]))"
        guard let token = try? UserToken(text) else { return }
        for start in [nil, now - 30] {
            let attempt = OpenIDAttempt(state: "s", nonce: "n", verifier: "v", reauthenticatesAt: start)
            let accessToken = parts[2].isEmpty ? nil : parts.text(2)
            let rules = OpenIDClaims.Rules(settings: provider, attempt: attempt, accessToken: accessToken)
            guard let claims = try? OpenIDClaims(token, rules, at: now) else { continue }
            try check(claims, of: token, attempt)
        }
    }

    private static func check(_ claims: OpenIDClaims, of token: UserToken, _ attempt: OpenIDAttempt) throws {
        let payload = token.payload
        try require(payload["nonce"] == "n", "A token is this sign-in's")
        try require(payload["iss"]?.string == provider.issuer, "A token is the provider's")
        try require(token.claims.audiences.contains("placard"), "A token is for this server")
        try require(token.claims.expiresAt > now - 3_600, "A token isn't over")
        try require(IdentityText.isValid(claims.subject), "A subject is readable")
        try require(claims.name.isEmpty || IdentityText.isValid(claims.name), "A name is readable")
        if let email = claims.email {
            try requireSame(EmailAddress(email)?.text, email, "An address is read back")
            try require(payload["email_verified"] == true, "An address is verified")
        }
        if claims.role != nil {
            let groups = payload["realm"]?["roles"]
            let isNamed = groups == "editors" || groups?.array?.contains("editors") == true
            try require(isNamed, "A role is that of a group")
        }
        let time = claims.authenticatedAt
        try require((time ?? 0) <= now, "Nobody has signed in after now")
        if let start = attempt.reauthenticatesAt {
            try require((time ?? 0) >= start - 600, "They have signed in again")
        }
    }
}
