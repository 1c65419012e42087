import CardServer
import CommandSettings
import Foundation

/// The bucket in which pictures are kept: settings of the file and the environment, without flags, which other users of
/// the machine could see.
enum BucketOptions {
    /// The settings that make no sense without a bucket.
    private static let others: [SettingValues.Setting] = [
        .mediaBucketEndpoint, .mediaBucketRegion, .mediaBucketPrefix, .mediaBucketAddressing, .mediaBucketAccessKey,
        .mediaBucketSecretKey, .mediaBucketSecretKeyFile, .mediaBucketSessionToken, .mediaBucketTrustedCertificates,
    ]

    /// Reads the bucket, or returns `nil` where none is set.
    ///
    /// - Throws: `ConfigurationError` that names what is missing or can't be used, and no secret.
    static func settings(_ values: SettingValues) throws -> BucketSettings? {
        guard let name = try values.value(of: .mediaBucket) else {
            for other in others {
                guard let value = try values.value(of: other) else { continue }
                throw ConfigurationError("\(value.origin): there is no bucket. Set media_bucket, too.")
            }
            return nil
        }
        let credentials = try credentials(values, name)
        let (region, endpoint) = (try values.value(of: .mediaBucketRegion), try values.value(of: .mediaBucketEndpoint))
        let (prefix, addressing) = (try values.value(of: .mediaBucketPrefix), try addressing(values))
        let trusted = try values.value(of: .mediaBucketTrustedCertificates)
        do throws(BucketSettings.BucketSettingsError) {
            var settings = try BucketSettings(
                name: name.text,
                region: region?.text ?? BucketSettings.defaultRegion,
                endpoint: endpoint?.text,
                addressing: addressing,
                prefix: prefix?.text ?? "",
                credentials: credentials
            )
            settings.trustedCertificates = trusted?.text
            return settings
        } catch {
            throw try refusal(error, values, name)
        }
    }

    private static func addressing(_ values: SettingValues) throws -> BucketSettings.Addressing? {
        guard let value = try values.value(of: .mediaBucketAddressing) else { return nil }
        guard let addressing = BucketSettings.Addressing(rawValue: value.text) else {
            throw ConfigurationError("\(value.origin): path or host is expected.")
        }
        return addressing
    }

    private static func credentials(
        _ values: SettingValues,
        _ name: SettingValues.Value
    ) throws -> BucketCredentials {
        guard let access = try values.value(of: .mediaBucketAccessKey) else {
            throw ConfigurationError("\(name.origin): set media_bucket_access_key as well.")
        }
        guard let secret = try secretKey(values) else {
            throw ConfigurationError(
                "\(access.origin): set media_bucket_secret_key_file or PLACARD_MEDIA_BUCKET_SECRET_KEY as well."
            )
        }
        let token = try values.value(of: .mediaBucketSessionToken)
        guard
            let credentials = BucketCredentials(
                accessKey: access.text,
                secretKey: secret,
                sessionToken: token?.text
            )
        else {
            throw ConfigurationError(
                "\(access.origin): the access key, the secret key and the session token have letters, digits and "
                    + "signs of ASCII alone. One of them has others, or a space."
            )
        }
        return credentials
    }

    /// The secret key from the settings, or the first line of a file.
    private static func secretKey(_ values: SettingValues) throws -> String? {
        let file = try values.value(of: .mediaBucketSecretKeyFile)
        guard let file else { return try values.value(of: .mediaBucketSecretKey)?.text }
        guard try values.value(of: .mediaBucketSecretKey) == nil else {
            throw ConfigurationError("\(file.origin): media_bucket_secret_key is set, too. Leave one of them out.")
        }
        return try SecretFile.firstLine(file)
    }

    private static func refusal(
        _ problem: BucketSettings.BucketSettingsError,
        _ values: SettingValues,
        _ name: SettingValues.Value
    ) throws -> ConfigurationError {
        switch problem {
        case .name:
            ConfigurationError("\(name.origin): the name of a bucket is expected, such as example-cards.")
        case .region:
            ConfigurationError(
                "\(try origin(.mediaBucketRegion, values)): the name of a region is expected, such as eu-central-1."
            )
        case .endpoint:
            ConfigurationError(
                "\(try origin(.mediaBucketEndpoint, values)): the address of the service without the bucket is "
                    + "expected, such as https://s3.example.com."
            )
        case .prefix:
            ConfigurationError(
                "\(try origin(.mediaBucketPrefix, values)): letters, digits and -._/ are expected, such as "
                    + "placard/media."
            )
        }
    }

    private static func origin(_ setting: SettingValues.Setting, _ values: SettingValues) throws -> String {
        try values.value(of: setting)?.origin ?? setting.rawValue
    }
}
