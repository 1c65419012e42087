import CardModel
import CommandSettings
import Foundation
import Testing

@testable import CardServer
@testable import PlacardCommands

/// The settings of the OpenID provider, which are in the file and the environment alone.
struct OpenIDOptionsTests {
    private static let least = [
        "OIDC_ISSUER": "https://login.example.com", "OIDC_CLIENT_ID": "placard",
        "PUBLIC_URL": "https://cards.example.com",
    ]

    private static func settings(_ changes: [String: String?] = [:]) throws -> OpenIDSettings? {
        var environment: [String: String] = [:]
        for (name, value) in least { environment["PLACARD_\(name)"] = value }
        for (name, value) in changes { environment["PLACARD_\(name)"] = value }
        return try OpenIDOptions.settings(SettingValues(environment: environment))
    }

    /// Returns the message of what can't be used.
    private static func problem(_ changes: [String: String?]) -> String? {
        do {
            _ = try settings(changes)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `A provider needs an issuer, a client and an address of HTTPS; the rest has defaults`() throws {
        let settings = try #require(try Self.settings())
        #expect(settings.issuer == "https://login.example.com" && settings.clientID == "placard")
        #expect(settings.clientSecret == nil && settings.scopes == ["openid", "email", "profile"])
        #expect(settings.allowsPasswords && !settings.createsMembers && !settings.trustsEmail)
        #expect(!settings.trustsSecondFactor && !settings.allowsPrivateHosts && settings.groupRoles.isEmpty)
        #expect(try OpenIDOptions.settings(SettingValues(environment: [:])) == nil)
        #expect(Self.problem(["OIDC_CLIENT_ID": nil])?.contains("oidc_client_id") == true)
        #expect(Self.problem(["PUBLIC_URL": nil])?.contains("public_url") == true)
        #expect(Self.problem(["PUBLIC_URL": "http://cards.example.com"])?.hasPrefix("PLACARD_PUBLIC_URL: ") == true)
    }

    @Test(
        "What can't be used is refused by the name of its setting",
        arguments: [
            ("OIDC_ISSUER", "http://login.example.com"), ("OIDC_ISSUER", "login.example.com"),
            ("OIDC_ISSUER", "https://login.example.com?tenant=a"), ("OIDC_ISSUER", "https://login.example.com#a"),
            ("OIDC_CLIENT_ID", "a\nb"), ("OIDC_NAME", String(repeating: "a", count: 61)), ("OIDC_SCOPES", "email"),
            ("OIDC_SCOPES", "openidemail"), ("OIDC_SESSION_HOURS", "0"), ("OIDC_SESSION_HOURS", "721"),
            ("OIDC_SESSION_HOURS", "1.5"), ("OIDC_TRUST_EMAIL", "yes"), ("OIDC_PASSWORDS", "0"),
            ("PRIVATE_OIDC", "on"), ("OIDC_GROUPS_CLAIM", ""), ("OIDC_CLIENT_SECRET_FILE", "/nowhere/secret"),
        ]
    )
    func refused(_ name: String, _ value: String) {
        let problem = Self.problem([name: value])
        #expect(problem?.hasPrefix("PLACARD_\(name)") == true, "\(problem ?? "taken")")
    }

    @Test(
        "A setting without an issuer is named: nobody could sign in by it",
        arguments: ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_ADMIN_GROUPS", "OIDC_PASSWORDS", "PRIVATE_OIDC"]
    )
    func withoutIssuer(_ name: String) {
        var changes: [String: String?] = ["OIDC_ISSUER": nil, "OIDC_CLIENT_ID": nil]
        changes[name] = "true"
        let problem = Self.problem(changes)
        #expect(problem == "PLACARD_\(name): there is no provider. Set oidc_issuer, too.")
    }

    @Test func `Groups have roles, without the spaces around them`() throws {
        let settings = try #require(
            try Self.settings([
                "OIDC_ADMIN_GROUPS": "ops , /staff/admins", "OIDC_VIEWER_GROUPS": "everyone",
                "OIDC_CREATE_MEMBERS": "true",
            ])
        )
        #expect(settings.groupRoles.map(\.group) == ["ops", "/staff/admins", "everyone"])
        #expect(settings.groupRoles.map(\.role) == [.admin, .admin, .viewer])
        #expect(settings.role(of: ["everyone", "ops"]) == .admin && settings.role(of: ["Ops", ""]) == nil)
    }

    @Test(
        "A group without a name is refused: a provider may send it of everybody",
        arguments: [" ", ",", "ops,", "ops, ,staff", ",ops"]
    )
    func emptyGroups(_ text: String) {
        for name in ["OIDC_ADMIN_GROUPS", "OIDC_EDITOR_GROUPS", "OIDC_VIEWER_GROUPS"] {
            let problem = Self.problem([name: text])
            #expect(problem == "PLACARD_\(name): a group has no name. Leave out the comma too many.")
        }
    }

    @Test func `Members are created only with roles, and a second factor is trusted only without passwords`() {
        #expect(Self.problem(["OIDC_CREATE_MEMBERS": "true"])?.hasPrefix("oidc_create_members: ") == true)
        #expect(Self.problem(["OIDC_TRUST_SECOND_FACTOR": "true"])?.hasPrefix("oidc_trust_second_factor: ") == true)
        #expect(Self.problem(["OIDC_TRUST_SECOND_FACTOR": "true", "OIDC_PASSWORDS": "false"]) == nil)
    }

    @Test func `The secret is of the environment or a file, never of both, and in no message`() async throws {
        #expect(try Self.settings(["OIDC_CLIENT_SECRET": "hush"])?.clientSecret == "hush")
        try await CommandFolder.with { folder in
            let path = try folder.write("hush\r\nmore\n", to: "secret")
            #expect(try Self.settings(["OIDC_CLIENT_SECRET_FILE": path])?.clientSecret == "hush")
            let both = Self.problem(["OIDC_CLIENT_SECRET_FILE": path, "OIDC_CLIENT_SECRET": "hush"])
            #expect(both?.contains("oidc_client_secret is set, too") == true && both?.contains("hush") == false)
            let empty = try folder.write("\n\n", to: "empty")
            #expect(Self.problem(["OIDC_CLIENT_SECRET_FILE": empty])?.contains("is empty") == true)
        }
    }
}
