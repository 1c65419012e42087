import CardModel
import CardStore
import Foundation
import Hummingbird
import WireJSON

@testable import CardServer
@testable import Dashboard

#if canImport(FuzzTargets)
import FuzzTargets
#endif

/// What identifies users, members and hosts.
extension FuzzTarget {
    private static let now = 1_800_000_000.0

    /// A user token in parts, with zero bytes between them: the header, the claims, the signature and a set of keys.
    static let token = FuzzTarget("token", maximumLength: 2_048) { input in
        let parts = Parts(input, count: 4)
        var settings = Settings()
        settings.userTokens = .required
        if let json = try? JSONValue(parsing: parts[3]), let set = try? JSONWebKeySet(json: json, at: "jwks") {
            try requireSame(try JSONWebKeySet(json: set.json, at: "jwks"), set, "A set of keys is read back")
            var unused: [String] = []
            settings.keySet = try? UserTokenVerifier.usable(set, unused: &unused)
        }
        let verifier = UserTokenVerifier(settings)
        let encoded = (0..<3).map { SecretBytes.text(parts[$0]) }.joined(separator: ".")
        for text in [encoded, parts.text(0)] {
            if let token = try? UserToken(text) { _ = token.claims.agree(with: settings.tokenRules, at: now) }
            let user = UserID(rawValue: "u")
            try require((try? verifier.verify(text, for: user, at: now)) == nil, "No key has signed the token")
            try require(!verifier.accepts(text, for: user, at: now), "A refused token is not remembered as valid")
        }
    }

    private static let member: TeamMember = {
        var member = TeamMember(email: "kate@example.com", role: .admin, passwordHash: "hash", createdAt: 0)
        member.codeSecret = Array("12345678901234567890".utf8)
        return member
    }()

    /// What the sign-in pages take: a cookie, a ticket, the token of a form, a code.
    static let signIn = FuzzTarget("sign-in", maximumLength: 512) { input in
        let text = String(decoding: input, as: UTF8.self)
        let key = [UInt8](repeating: 7, count: 32)
        try require(!SignInTicket.isValid(text, of: member, at: now), "Nobody has signed the ticket")
        try require(FormToken(text, key: key) == nil, "Nobody has signed the form")
        try require(KnownDevice.find(text, of: member, at: now) == nil, "Nobody has signed the device")
        let cookie = KnownDevice.cookie(adding: member, to: text, at: now)
        try require(KnownDevice.find(cookie, of: member, at: now) != nil, "A known device is found again")
        try requireSame(SecretBytes.bytes(SecretBytes.text(input)), input, "Bytes are read back")
        _ = (SignInTicket.email(text), SecretBytes.bytes(text), RecoveryCodes.digest(text))
        _ = TimeBasedCode(secret: input).step(of: text, at: now, after: 0)
        if let expiry = SignedExpiry(decimal: text) {
            try requireSame(SignedExpiry(bytes: expiry.bytes[...]), expiry, "An expiry is read back")
            for lifetime in [SignInTicket.lifetime, FormToken.lifetime] {
                let isValid = expiry.state(at: now, lifetime: lifetime) == .valid
                try require(!isValid || expiry.time <= now + 90_000, "Nothing is valid for longer than it can be")
            }
        }
        _ = Cookies(from: [text])[BrowserCookie.session.name(isSecure: true)]?.value
    }

    /// A URL that webhooks and templates may call, an address, a range of addresses, or a host.
    static let outbound = FuzzTarget("outbound", maximumLength: 512) { input in
        let text = String(decoding: input, as: UTF8.self)
        if let url = OutboundURL(text) { try check(url) }
        if let address = IPAddress(text) {
            try requireSame(IPAddress(address.description), address, "An address is read back")
            try requireSame(IPAddress(bytes: address.bytes), address, "An address is read from its bytes")
        }
        if let ranges = try? AddressRange.list(text) {
            for range in ranges {
                try requireSame(AddressRange(range.description), range, "A range is read back")
                try require(range.contains(range.first), "A range contains its first address")
            }
        }
        if let host = ContentHost(text) {
            try requireSame(ContentHost(host.text), host, "A host is read back")
            _ = host.covers("example.com", port: 443)
        }
    }

    private static func check(_ url: OutboundURL) throws {
        let isPlain = (url.authority + url.target).utf8.allSatisfy { (0x21...0x7E).contains($0) }
        try require(isPlain, "Nothing of a URL ends a line of the request: \(url)")
        let scheme = url.isSecure ? "https" : "http"
        try requireSame(OutboundURL("\(scheme)://\(url.authority)\(url.target)"), url, "A URL is read back")
        try require((1...65_535).contains(url.port), "A port is a possible one")
        let (host, address) = (HostAddress(url.host), IPAddress(url.host))
        try requireSame(host == nil, address == nil, "Both readers of addresses agree about \(url.host)")
        _ = (host?.isPublic, url.hasForeignPort)
    }
}
