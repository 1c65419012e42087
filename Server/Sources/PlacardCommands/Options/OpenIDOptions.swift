import CardModel
import CardServer
import CommandSettings
import Foundation
import WireJSON

/// The OpenID provider with which members sign in: settings of the file and the environment, without flags, which other
/// users of the machine could see.
enum OpenIDOptions {
    private static let longestName = 60
    private static let longestText = 500

    /// The settings that make no sense without an issuer.
    private static let others: [SettingValues.Setting] = [
        .oidcClientID, .oidcClientSecret, .oidcClientSecretFile, .oidcName, .oidcScopes, .oidcGroupsClaim,
        .oidcAdminGroups, .oidcEditorGroups, .oidcViewerGroups, .oidcCreateMembers, .oidcTrustEmail,
        .oidcTrustSecondFactor, .oidcPasswords, .oidcSessionHours, .privateOIDC,
    ]

    /// Reads the provider, or returns `nil` where none is set.
    ///
    /// - Throws: `ConfigurationError` that names what is missing or can't be used.
    static func settings(_ values: SettingValues) throws -> OpenIDSettings? {
        guard let issuer = try values.value(of: .oidcIssuer) else {
            for other in others {
                guard let value = try values.value(of: other) else { continue }
                throw ConfigurationError("\(value.origin): there is no provider. Set oidc_issuer, too.")
            }
            return nil
        }
        guard OpenIDSettings.isIssuer(issuer.text) else {
            throw ConfigurationError(
                "\(issuer.origin): the https address of a provider is expected, "
                    + "as its tokens have it. Only one of this "
                    + "machine may begin with http."
            )
        }
        guard let address = try values.value(of: .publicURL) else {
            throw ConfigurationError("\(issuer.origin): the provider sends browsers back. Set public_url, too.")
        }
        guard OpenIDSettings.isIssuer(address.text) else {
            throw ConfigurationError("\(address.origin): an address of https is needed for oidc_issuer.")
        }
        guard let client = try values.value(of: .oidcClientID) else {
            throw ConfigurationError("\(issuer.origin): set oidc_client_id as well, the provider's name for Placard.")
        }
        var settings = OpenIDSettings(
            issuer: issuer.text,
            clientID: try text(client, atMost: longestText),
            clientSecret: try secret(values)
        )
        if let name = try values.value(of: .oidcName) { settings.name = try text(name, atMost: longestName) }
        if let claim = try values.value(of: .oidcGroupsClaim) {
            settings.groupsClaim = try text(claim, atMost: longestText)
        }
        settings.scopes = try scopes(values) ?? settings.scopes
        settings.sessionSeconds =
            try values.value(of: .oidcSessionHours).map { Double(try WholeNumber.read($0, in: 1...720)) * 3_600 }
            ?? settings.sessionSeconds
        try readGroups(into: &settings, values)
        try readTrust(into: &settings, values)
        return settings
    }

    private static func readGroups(into settings: inout OpenIDSettings, _ values: SettingValues) throws {
        for (setting, role) in [
            (SettingValues.Setting.oidcAdminGroups, Role.admin), (.oidcEditorGroups, .editor),
            (.oidcViewerGroups, .viewer),
        ] {
            guard let value = try values.value(of: setting) else { continue }
            let names = value.text.split(at: ",", omittingEmptySubsequences: false).map { name in
                name.trimmingCharacters(in: .whitespaces)
            }
            guard names.allSatisfy({ !$0.isEmpty }) else {
                // A provider may send an empty group for whoever is in none.
                throw ConfigurationError("\(value.origin): a group has no name. Leave out the comma too many.")
            }
            settings.groupRoles += names.map { OpenIDSettings.GroupRole(group: $0, role: role) }
        }
        settings.createsMembers = try truth(.oidcCreateMembers, values) ?? false
        guard !settings.createsMembers || !settings.groupRoles.isEmpty else {
            throw ConfigurationError(
                "oidc_create_members: a new member's role is that of their group. "
                    + "Set oidc_viewer_groups, too, for example."
            )
        }
    }

    private static func readTrust(into settings: inout OpenIDSettings, _ values: SettingValues) throws {
        settings.trustsEmail = try truth(.oidcTrustEmail, values) ?? false
        settings.trustsSecondFactor = try truth(.oidcTrustSecondFactor, values) ?? false
        settings.allowsPasswords = try truth(.oidcPasswords, values) ?? true
        settings.allowsPrivateHosts = try truth(.privateOIDC, values) ?? false
        guard !settings.trustsSecondFactor || !settings.allowsPasswords else {
            throw ConfigurationError(
                "oidc_trust_second_factor: whoever signs in with a password gets around the provider's "
                    + "second factor. Set "
                    + "oidc_passwords: false, too."
            )
        }
    }

    private static func truth(_ setting: SettingValues.Setting, _ values: SettingValues) throws -> Bool? {
        try values.value(of: setting).map { try TruthValue.read($0) }
    }

    private static func text(_ value: SettingValues.Value, atMost longest: Int) throws -> String {
        guard IdentityText.isValid(value.text, maximumBytes: longest) else {
            throw ConfigurationError("\(value.origin): 1 to \(longest) bytes without control characters are expected.")
        }
        return value.text
    }

    private static func scopes(_ values: SettingValues) throws -> [String]? {
        guard let value = try values.value(of: .oidcScopes) else { return nil }
        let scopes = try text(value, atMost: longestText).split(separator: " ").map(String.init)
        guard scopes.contains("openid") else {
            throw ConfigurationError("\(value.origin): openid has to be one of them, as in `openid email profile`.")
        }
        return scopes
    }

    /// The secret from the settings, or the first line of a file.
    private static func secret(_ values: SettingValues) throws -> String? {
        let file = try values.value(of: .oidcClientSecretFile)
        guard let file else { return try values.value(of: .oidcClientSecret)?.text }
        guard try values.value(of: .oidcClientSecret) == nil else {
            throw ConfigurationError("\(file.origin): oidc_client_secret is set, too. Leave one of them out.")
        }
        return try SecretFile.firstLine(file)
    }
}
