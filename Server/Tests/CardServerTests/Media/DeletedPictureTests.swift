import CardModel
import CardStore
import HTTPTypes
import Logging
import Testing

@testable import CardServer

/// Pictures that were deleted a moment ago.
@Suite(.serialized)
struct DeletedPictureTests {
    private static let files = [MediaFile(width: 960, bytes: [1, 2]), MediaFile(width: 480, bytes: [3])]
    private static let caller = Caller(member: "anna@example.com", role: .editor)

    private static func item(_ digit: Character, location: MediaPlace = .store) -> MediaItem {
        MediaItem(
            id: String(repeating: digit, count: 32),
            name: "sale.png",
            format: .png,
            width: 960,
            height: 540,
            widths: [960, 480],
            bytes: 3,
            createdAt: 1,
            location: location
        )
    }

    @Test func `A deleted picture isn't served, comes back whole, and is removed for good after a minute`() async throws
    {
        try await Workspace.run { space in
            let services = try await space.services()
            let media = services.media
            let (first, second) = (Self.item("a"), Self.item("b"))
            for item in [first, second] {
                _ = try await space.store.addMedia(item, files: Self.files, totalBytes: 99, by: .command)
                _ = try await media.markDeleted(item.id, by: Self.caller)
            }
            for path in [first.path(), first.path(width: 480)] {
                #expect(try await space.file(path).status == 404)
            }
            await #expect(throws: RequestError.self) { try await media.markDeleted(first.id, by: Self.caller) }
            try await media.restore(first.id, by: Self.caller)
            // Once more does no harm.
            try await media.restore(first.id, by: Self.caller)
            #expect(try await space.file(first.path()).bytes == [1, 2])
            #expect(try await space.file(first.path(width: 480)).bytes == [3])

            let remover = DeletedPictureRemover(media: media, logger: .init(label: "test"))
            space.time.advance(by: DeletedPictureRemover.delay - 1)
            #expect(await !remover.step())
            #expect(try await space.store.mediaFileSize(second.id, width: 960) == 2)
            space.time.advance(by: 1)
            #expect(await !remover.step())
            #expect(try await space.store.mediaFileSize(second.id, width: 960) == nil)
            await #expect(throws: RequestError.self) { try await media.restore(second.id, by: Self.caller) }
            #expect(try await space.file(first.path()).status == 200)
        }
    }

    @Test func `The room of deleted pictures is given away before an upload is refused`() async throws {
        try await Workspace.run { space in
            let limit = 2 << 30
            var large = Self.item("a")
            large.bytes = limit - 1
            _ = try await space.store.addMedia(large, files: Self.files, totalBytes: limit, by: .command)
            #expect(try await space.upload(Picture.widePNG).status == 507)
            _ = try await space.store.markMediaDeleted(large.id, at: space.time.now, by: .command)
            let totals = try await space.store.mediaTotals()
            #expect(totals == MediaTotals(count: 0, bytes: limit - 1, deletedBytes: limit - 1))
            #expect(try await space.upload(Picture.widePNG).status == 201)
            #expect(try await space.store.restoreMedia(large.id, at: space.time.now, by: .command) == nil)
            #expect(try await space.store.mediaFileSize(large.id, width: 960) == nil)
        }
    }

    @Test func `An upload takes no more of the deleted pictures than it needs, and nothing where that isn't enough`()
        async throws
    {
        try await Workspace.run { space in
            let limit = 2 << 30
            var (kept, first, second) = (Self.item("a"), Self.item("b"), Self.item("c"))
            (kept.bytes, first.bytes, second.bytes) = (limit / 2, limit / 4, limit / 4)
            for item in [kept, first, second] {
                _ = try await space.store.addMedia(item, files: Self.files, totalBytes: limit, by: .command)
            }
            _ = try await space.store.markMediaDeleted(first.id, at: space.time.now - 2, by: .command)
            _ = try await space.store.markMediaDeleted(second.id, at: space.time.now - 1, by: .command)
            #expect(try await space.upload(Picture.widePNG).status == 201)
            #expect(try await space.store.restoreMedia(first.id, at: space.time.now, by: .command) == nil)
            #expect(try await space.store.restoreMedia(second.id, at: space.time.now, by: .command) == second)

            var last = Self.item("d")
            last.bytes = limit / 4 - 10_000_000
            _ = try await space.store.addMedia(last, files: Self.files, totalBytes: limit, by: .command)
            let used = try await space.store.mediaTotals().bytes
            var small = Self.item("e")
            small.bytes = limit - used - 1
            _ = try await space.store.addMedia(small, files: Self.files, totalBytes: limit, by: .command)
            var tiny = Self.item("f")
            tiny.bytes = 1
            _ = try await space.store.addMedia(tiny, files: Self.files, totalBytes: limit, by: .command)
            _ = try await space.store.markMediaDeleted(tiny.id, at: space.time.now, by: .command)
            #expect(try await space.upload(Picture.alphaPNG).status == 507)
            #expect(try await space.store.restoreMedia(tiny.id, at: space.time.now, by: .command) == tiny)
        }
    }

    @Test func `The same upload brings a deleted picture back as it was`() async throws {
        try await Workspace.run { space in
            let uploaded = try await space.upload(Picture.widePNG, "?name=sale.png&alt=A%20sale")
            let id = try #require(uploaded.json["id"]?.string)
            _ = try await space.store.markMediaDeleted(id, at: space.time.now, by: .command)
            #expect(try await space.manage(.get, "/v1/media/\(id)").status == 404)
            #expect(try await space.manage(.delete, "/v1/media/\(id)").status == 404)
            let again = try await space.upload(Picture.widePNG, "?name=other.png")
            #expect(again.status == 200)
            #expect(again.json["name"]?.string == "sale.png" && again.json["alt"]?.string == "A sale")
            #expect(try await space.store.dropDeletedMedia(before: .greatestFiniteMagnitude, limit: 10).isEmpty)
        }
    }

    @Test func `The objects of a deleted picture stay in the bucket until it is dropped`() async throws {
        try await Workspace.run { space in
            try await BucketServer.run { server in
                let pictures = BucketPictures(
                    bucket: BucketClient(try server.settings(), BucketFixture.surroundings()),
                    store: space.store,
                    logger: Logger(label: "test")
                )
                let item = Self.item("c")
                #expect(try await pictures.add(item, files: Self.files, totalBytes: 99, by: .command) == .added)
                _ = try await space.store.markMediaDeleted(item.id, at: 2, by: .command)
                #expect(try await pictures.dropDeleted(before: 1.5, limit: 10) == 0)
                #expect(server.objects.count == 2)
                // The same upload finds all there.
                let again = try await pictures.add(item, files: Self.files, totalBytes: 99, by: .command)
                guard case .exists(let known) = again else {
                    Issue.record("It was added again: \(again)")
                    return
                }
                #expect(known.id == item.id)
                #expect(server.requests("PUT").count == 2)
                _ = try await space.store.markMediaDeleted(item.id, at: 3, by: .command)
                #expect(try await pictures.dropDeleted(before: 3, limit: 10) == 1)
                #expect(server.objects.isEmpty)
                #expect(try await pictures.dropDeleted(before: 3, limit: 10) == 0)
            }
        }
    }
}
