import CardModel
import CardStore
import Logging
import Testing

@testable import CardServer

/// Objects in the bucket that no picture has.
@Suite(.serialized)
struct BucketLeftoverTests {
    private static func pictures(
        _ server: BucketServer,
        _ space: Workspace,
        wait: @escaping @Sendable () async throws -> Void = {}
    ) throws -> BucketPictures {
        BucketPictures(
            bucket: BucketClient(try server.settings(), BucketFixture.surroundings(wait: wait)),
            store: space.store,
            logger: Logger(label: "test")
        )
    }

    @Test func `Objects stay that a picture has by now, whatever the store says of their upload`() async throws {
        try await Workspace.run { space in
            try await BucketServer.run { server in
                let store = space.store
                let folder = try #require(BucketFolder(name: "Same", sizes: [960: 2, 480: 1]))
                var pictures = try Self.pictures(server, space) {
                    // As a store does that tries again what it has done, because the answer was lost.
                    var written = BucketFixture.item
                    written.location = .bucket(folder)
                    _ = try await store.addMedia(written, files: [], totalBytes: 99, by: .command)
                }
                pictures.makeName = { "Same" }
                server.fail("PUT", .error(503, "SlowDown"))
                let addition = try await pictures.add(
                    BucketFixture.item,
                    files: BucketFixture.files,
                    totalBytes: 99,
                    by: .command
                )
                guard case .exists(let known) = addition else { throw RequestError.unavailable }
                #expect(known.location == .bucket(folder))
                #expect(server.objects.count == 2)
                #expect(try await pictures.removeUnused(at: 9 * BucketPictures.uploadTime, limit: 5) == 0)
            }
        }
    }

    @Test func `An upload that was given up gets no row, and its objects are removed later`() async throws {
        try await Workspace.run { space in
            try await BucketServer.run { server in
                let store = space.store
                let folder = try #require(BucketFolder(name: "Same", sizes: [960: 2, 480: 1]))
                var pictures = try Self.pictures(server, space) {
                    // The store refuses the row of a folder that was given up.
                    let claimed = try await store.claimBucketFolders(before: 9, at: 9, limit: 5)
                    #expect(claimed.map(\.folder) == [folder])
                }
                pictures.makeName = { "Same" }
                server.fail("PUT", .error(503, "SlowDown"))
                let given = pictures
                let error = await #expect(throws: StoreError.self) {
                    try await given.add(BucketFixture.item, files: BucketFixture.files, totalBytes: 99, by: .command)
                }
                #expect(error?.code == .unavailable)
                #expect(server.objects.count == 2)
                #expect(try await pictures.removeUnused(at: 9 + BucketPictures.uploadTime, limit: 5) == 1)
                #expect(server.objects.isEmpty)
            }
        }
    }

    @Test func `What a server that was killed has left in the bucket is removed after an hour`() async throws {
        try await Workspace.run { space in
            try await BucketServer.run { server in
                let pictures = try Self.pictures(server, space)
                #expect(
                    try await pictures.add(BucketFixture.item, files: BucketFixture.files, totalBytes: 99, by: .command)
                        == .added
                )
                let kept = server.objects
                // Killed before the row was written.
                let id = String(repeating: "c", count: 32)
                let folder = try #require(BucketFolder(name: "Killed", sizes: [960: 2, 480: 1]))
                try await space.store.noteBucketFolder(folder, of: id, at: 2)
                for file in BucketFixture.files {
                    let key = BucketPictures.key(folder, file.width, of: id)
                    try await pictures.bucket.put(file.bytes, at: key, type: "image/png")
                }
                let hour = BucketPictures.uploadTime
                #expect(try await pictures.removeUnused(at: 1.5 + hour, limit: 5) == 0)
                #expect(server.objects.count == kept.count + 2)
                #expect(try await pictures.removeUnused(at: 2 + hour, limit: 5) == 1)
                #expect(server.objects == kept)
                #expect(try await pictures.removeUnused(at: 2 + 9 * hour, limit: 5) == 0)
                // Killed after the row was removed, or the bucket didn't answer.
                let fault = BucketServer.Fault.error(500, "InternalError")
                server.fail("DELETE", fault, fault, fault, pathEnding: "/480")
                #expect(try await pictures.delete(BucketFixture.item.id, at: 3, by: .command))
                #expect(server.objects.count == 1)
                #expect(try await pictures.removeUnused(at: 3 + hour, limit: 5) == 1)
                #expect(server.objects.isEmpty)
                #expect(try await pictures.removeUnused(at: 3 + 9 * hour, limit: 5) == 0)
            }
        }
    }
}
