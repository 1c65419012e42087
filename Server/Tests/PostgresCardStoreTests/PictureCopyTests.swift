import CardModel
import CardStore
import CardStoreConformance
import PostgresCardStore
import PostgresTesting
import SQLiteCardStore
import Testing

/// What a copy does with pictures.
struct PictureCopyTests {
    private static let secretsKey = SecretsKeySource.keyring(SecretsKeyring([.random()]))

    /// Opens a file with a key that the copy is opened with, too.
    private static func open(_ path: String) throws -> SQLiteCardStore {
        var options = SQLiteCardStore.Options()
        options.secretsKey = secretsKey
        options.requiresSecretsKey = false
        return try SQLiteCardStore(path: path, options: options)
    }

    private static func picture(_ digit: String) -> MediaItem {
        MediaItem(
            id: String(repeating: digit, count: 32),
            name: "sale.png",
            format: .png,
            width: 960,
            height: 540,
            widths: [960],
            bytes: 3,
            createdAt: 1_800_000_000
        )
    }

    @Test func `Pictures in a bucket stay there, and those of the store are copied both ways`() async throws {
        try await PostgresCluster.shared().withDatabase { url in
            let folder = TemporaryFolder()
            let (path, back) = (folder.path("source.sqlite"), folder.path("back.sqlite"))
            let source = try Self.open(path)
            let own = Self.picture("a")
            var away = Self.picture("b")
            away.location = .bucket(try #require(BucketFolder(name: "Abc", sizes: [960: 3])))
            let files = [MediaFile(width: 960, bytes: [1, 2, 3])]
            _ = try await source.addMedia(own, files: files, totalBytes: 100, by: .command)
            _ = try await source.addMedia(away, files: [], totalBytes: 100, by: .command)
            try await source.close()
            _ = try StoreTransfer(from: SQLiteTransfer.source(path: path), to: PostgresTransfer.target(url: url)).run()
            let copied = try await PostgresPlace(url: url).open(StoreOpeningOptions())
            #expect(try await copied.mediaItem(away.id) == away)
            #expect(try await copied.mediaFile(own.id, width: 960) == [1, 2, 3])
            #expect(try await copied.mediaFile(away.id, width: 960) == nil)
            try await copied.close()
            _ = try StoreTransfer(from: PostgresTransfer.source(url: url), to: SQLiteTransfer.target(path: back)).run()
            let returned = try Self.open(back)
            #expect(try await returned.mediaItem(away.id) == away)
            #expect(try await returned.mediaFile(own.id, width: 960) == [1, 2, 3])
            try await returned.close()
        }
    }
}
