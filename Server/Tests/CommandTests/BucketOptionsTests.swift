import CardServer
import CommandSettings
import Foundation
import Testing

@testable import PlacardCommands

/// The settings of the bucket of pictures.
struct BucketOptionsTests {
    private static let whole = [
        "MEDIA_BUCKET": "cards", "MEDIA_BUCKET_ACCESS_KEY": "AK", "MEDIA_BUCKET_SECRET_KEY": "hush-secret",
    ]

    private static func settings(_ changes: [String: String?] = [:]) throws -> BucketSettings? {
        var environment: [String: String] = [:]
        for (name, value) in Self.whole { environment["PLACARD_\(name)"] = value }
        for (name, value) in changes { environment["PLACARD_\(name)"] = value }
        return try BucketOptions.settings(SettingValues(environment: environment))
    }

    @Test func `A bucket has a region, an address and a prefix, or those that most have`() throws {
        let least = try #require(try Self.settings())
        #expect(least.authority == "cards.s3.us-east-1.amazonaws.com")
        #expect(least.region == "us-east-1")
        #expect(least.prefix.isEmpty)
        #expect(!least.isPlain)
        let most = try #require(
            try Self.settings([
                "MEDIA_BUCKET_ENDPOINT": "http://minio.lan:9000", "MEDIA_BUCKET_REGION": "garage",
                "MEDIA_BUCKET_PREFIX": "placard/media", "MEDIA_BUCKET_ADDRESSING": "host",
                "MEDIA_BUCKET_SESSION_TOKEN": "hush-token", "MEDIA_BUCKET_TRUSTED_CERTIFICATES": "/etc/ca.pem",
            ])
        )
        #expect(most.authority == "cards.minio.lan:9000")
        #expect(most.region == "garage")
        #expect(most.prefix == "placard/media/")
        #expect(most.isPlain)
        #expect(most.trustedCertificates == "/etc/ca.pem")
        #expect(try BucketOptions.settings(SettingValues(environment: [:])) == nil)
    }

    @Test func `The first line of a file is the secret key`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "hush-file\nmore\n".write(toFile: path, atomically: true, encoding: .utf8)
        let found = try Self.settings(["MEDIA_BUCKET_SECRET_KEY": nil, "MEDIA_BUCKET_SECRET_KEY_FILE": path])
        #expect(found != nil)
    }

    @Test(
        arguments: [
            (["MEDIA_BUCKET": nil], "media_bucket"), (["MEDIA_BUCKET": "a b"], "PLACARD_MEDIA_BUCKET:"),
            (["MEDIA_BUCKET_ENDPOINT": "minio.lan"], "PLACARD_MEDIA_BUCKET_ENDPOINT"),
            (["MEDIA_BUCKET_REGION": "a b"], "PLACARD_MEDIA_BUCKET_REGION"),
            (["MEDIA_BUCKET_PREFIX": "../x"], "PLACARD_MEDIA_BUCKET_PREFIX"),
            (["MEDIA_BUCKET_ADDRESSING": "dns"], "PLACARD_MEDIA_BUCKET_ADDRESSING"),
            (["MEDIA_BUCKET_ACCESS_KEY": nil], "media_bucket_access_key"),
            (["MEDIA_BUCKET_SECRET_KEY": nil], "media_bucket_secret_key_file"),
            (["MEDIA_BUCKET_SECRET_KEY": "hush hush"], "secret key"),
            (["MEDIA_BUCKET_SECRET_KEY_FILE": "/nothing"], "media_bucket_secret_key is set, too"),
            (["MEDIA_BUCKET_SECRET_KEY": nil, "MEDIA_BUCKET_SECRET_KEY_FILE": "/nothing"], "/nothing can't be read"),
        ] as [([String: String?], String)]
    )
    func `What can't be used is named, and no secret`(changes: [String: String?], words: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try Self.settings(changes) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("hush") == false)
    }
}
