import CardServer
import CommandSettings
import Foundation

/// The mail server that messages to members are given to: settings of the file and the environment, without flags,
/// which other users of the machine could see.
enum MailOptions {
    /// Reads the mail server, or returns `nil` where none is set.
    ///
    /// - Throws: `ConfigurationError` that names what is missing or can't be used.
    static func settings(_ values: SettingValues) throws -> MailSettings? {
        guard let host = try values.value(of: .smtpHost) else {
            try refuse([.smtpPort, .smtpSecurity, .smtpUser, .smtpPassword, .smtpPasswordFile, .smtpFrom], values)
            return nil
        }
        guard try values.value(of: .publicURL) != nil else {
            throw ConfigurationError("\(host.origin): messages link to the dashboard. Set public_url, too.")
        }
        guard isHost(host.text) else {
            throw ConfigurationError("\(host.origin): the name of a host is expected, such as smtp.example.com.")
        }
        let security = try security(values)
        var settings = MailSettings(
            host: host.text,
            port: try values.value(of: .smtpPort).map { try WholeNumber.read($0, in: 1...65_535) },
            security: security,
            sender: try sender(values, host)
        )
        settings.login = try login(values)
        if settings.login != nil, security == .none {
            throw ConfigurationError("smtp_security: a password is sent encrypted alone. Set starttls or implicit.")
        }
        settings.trustedCertificates = try values.value(of: .smtpTrustedCertificates)?.text
        return settings
    }

    /// Throws where settings make no sense without a host.
    private static func refuse(_ settings: [SettingValues.Setting], _ values: SettingValues) throws {
        for setting in settings {
            guard let value = try values.value(of: setting) else { continue }
            throw ConfigurationError("\(value.origin): there is no mail server. Set smtp_host, too.")
        }
    }

    private static func isHost(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                let isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
                return isLetter || (0x30...0x39).contains(byte) || "-._:".utf8.contains(byte)
            }
    }

    private static func security(_ values: SettingValues) throws -> MailSettings.Security {
        guard let value = try values.value(of: .smtpSecurity) else { return .startTLS }
        guard let security = MailSettings.Security(rawValue: value.text) else {
            throw ConfigurationError("\(value.origin): starttls, implicit or none is expected.")
        }
        return security
    }

    private static func sender(_ values: SettingValues, _ host: SettingValues.Value) throws -> MailSender {
        guard let value = try values.value(of: .smtpFrom) else {
            throw ConfigurationError("\(host.origin): set smtp_from as well, the address that messages are from.")
        }
        guard let sender = MailSender(value.text) else {
            throw ConfigurationError("\(value.origin): an address such as Placard <cards@example.com> is expected.")
        }
        return sender
    }

    private static func login(_ values: SettingValues) throws -> MailSettings.Login? {
        let (user, password) = (try values.value(of: .smtpUser), try password(values))
        switch (user, password) {
        case (nil, nil): return nil
        case (let user?, let password?):
            let isPlain = [user.text, password].allSatisfy { text in
                text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            }
            guard isPlain else {
                throw ConfigurationError("\(user.origin): neither the user nor the password has control characters.")
            }
            return MailSettings.Login(user: user.text, password: password)
        case (let user?, nil):
            throw ConfigurationError("\(user.origin): set smtp_password_file or PLACARD_SMTP_PASSWORD as well.")
        case (nil, _): throw ConfigurationError("smtp_password: set smtp_user as well.")
        }
    }

    /// The password from the settings, or the first line of a file.
    private static func password(_ values: SettingValues) throws -> String? {
        let file = try values.value(of: .smtpPasswordFile)
        guard let file else { return try values.value(of: .smtpPassword)?.text }
        guard try values.value(of: .smtpPassword) == nil else {
            throw ConfigurationError("\(file.origin): smtp_password is set, too. Leave one of them out.")
        }
        return try SecretFile.firstLine(file)
    }
}
