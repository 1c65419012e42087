import CardModel
import CardStore
import Foundation
import HTTPTypes
import Hummingbird
import LiveTesting
import SQLiteCardStore
import Synchronization
import Testing
import WireJSON

@testable import CardServer

/// The media library with a bucket, over HTTP, with real pictures and a service that speaks S3.
@Suite(.serialized)
struct BucketPicturesTests {
    /// Runs a server whose pictures go to a bucket.
    private static func run(
        uptime: Mutex<Double>.Box = .init(0),
        change: @escaping @Sendable (inout PlacardServer.Options) -> Void = { _ in },
        _ body: @escaping @Sendable (BucketServer, Workspace) async throws -> Void
    ) async throws {
        try await BucketServer.run { server in
            let settings = try server.settings()
            try await Workspace.run(change: { options in
                use(settings, uptime, &options)
                change(&options)
            }) { space in try await body(server, space) }
        }
    }

    private static func use(
        _ settings: BucketSettings,
        _ uptime: Mutex<Double>.Box,
        _ options: inout PlacardServer.Options
    ) {
        options.bucket = settings
        options.bucketSurroundings = BucketFixture.surroundings(uptime: { uptime.value.withLock { $0 } })
    }

    /// The path of a picture of an answer, and those of its sizes.
    private static func paths(_ answer: Answer) throws -> [String] {
        let sizes = try #require(answer.json["sizes"]?.array)
        return try sizes.map { try #require($0["url"]?.string.flatMap(URL.init(string:))).path }
    }

    @Test func `A picture is written to the bucket, and served from it by one request for all`() async throws {
        try await Self.run { server, space in
            let uploaded = try await space.upload(Picture.widePNG, "?name=sale.png")
            #expect(uploaded.status == 201)
            #expect(server.requests.allSatisfy { $0.hasPrefix("PUT ") && $0.hasSuffix(" 200") })
            #expect(server.objects.count == 3)
            #expect(server.objects.values.allSatisfy { $0.type == "image/png" })
            let id = try #require(uploaded.json["id"]?.string)
            #expect(server.objects.keys.allSatisfy { $0.hasPrefix("/cards/pictures/\(id)/") })
            // None is kept beside the database.
            #expect(try await space.store.mediaFileSize(id, width: 1_440) == nil)
            server.forgetRequests()
            let unread = try await space.file(try Self.paths(uploaded)[0], .head)
            #expect(unread.status == 200 && server.requests.isEmpty)
            for (path, width) in zip(try Self.paths(uploaded), ImageLimits.widths) {
                let object = server.objects.first { $0.key.hasSuffix("/\(width)") }?.value
                try await withThrowingTaskGroup(of: ServedFile.self) { group in
                    for _ in 0..<8 { group.addTask { try await space.file(path) } }
                    for try await file in group {
                        #expect(file.status == 200)
                        #expect(file.bytes == object?.bytes)
                        #expect(file.headers[.cacheControl] == "public, max-age=31536000, immutable")
                    }
                }
                let head = try await space.file(path, .head)
                #expect(head.headers[.contentLength] == object.map { String($0.bytes.count) })
                let tag = try #require(head.headers[.eTag])
                #expect(try await space.file(path, headers: [.ifNoneMatch: tag]).status == 304)
            }
            #expect(server.requests.count == 3)
        }
    }

    @Test func `A large size is read in few parts`() async throws {
        let bytes = (0..<1_300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let ranges = Mutex<[Range<Int>]>([])
        let files = PictureFiles { _, range in
            ranges.withLock { $0.append(range) }
            return Array(bytes[range.clamped(to: bytes.indices)])
        }
        let folder = try #require(BucketFolder(name: "a", sizes: [1: bytes.count]))
        let file = PictureFiles.File(id: "a", width: 1, createdAt: 0, location: .bucket(folder))
        var read: [UInt8] = []
        for number in 0..<10 { read += try await files.piece(number, of: file).readableBytesView }
        #expect(read == bytes)
        #expect(try await files.piece(3, of: file).readableBytes == PictureFiles.pieceSize)
        #expect(ranges.withLock { $0 } == [0..<1_048_576, 1_048_576..<2_097_152])
        #expect(files.heldBytes == bytes.count)
    }

    @Test func `A failed upload leaves neither a row nor an object, also while reads are paused`() async throws {
        try await Self.run { server, space in
            let uploaded = try await space.upload(Picture.widePNG)
            let kept = server.objects
            let failure = BucketServer.Fault.error(500, "InternalError")
            // Reads are paused from here on.
            for path in try Self.paths(uploaded) {
                server.fail("GET", failure, failure)
                #expect(try await space.file(path).status == 503)
            }
            server.forgetRequests()
            #expect(try await space.file(try Self.paths(uploaded)[0]).status == 503)
            #expect(server.requests.isEmpty)
            server.fail("PUT", .error(503, "A"), .doneAndError(503, "B"), .error(503, "C"), pathEnding: "/480")
            let refused = try await space.upload(Picture.widePNG, "?crop=0,0,1000,500")
            #expect(refused.status == 503)
            #expect(refused.code == "unavailable")
            #expect(server.objects == kept)
            #expect(try await space.manage(.get, "/v1/media").json["count"]?.integer == 1)
            // Again, it works.
            server.endFaults()
            #expect(try await space.upload(Picture.widePNG, "?crop=0,0,1000,500").status == 201)
        }
    }

    private static func withoutRoom(_ options: inout PlacardServer.Options) { options.mediaBytes = 10 }

    @Test func `One that has no room is never written to the bucket`() async throws {
        try await Self.run(change: Self.withoutRoom) { server, space in
            let refused = try await space.upload(Picture.widePNG)
            #expect(refused.status == 507)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `A deletion removes the objects of that picture, and none where the store has it`() async throws {
        try await Self.run { server, space in
            let first = try await space.upload(Picture.widePNG)
            let second = try await space.upload(Picture.alphaPNG)
            let id = try #require(first.json["id"]?.string)
            let other = try #require(second.json["id"]?.string)
            #expect(try await space.manage(.delete, "/v1/media/\(id)").status == 204)
            #expect(!server.objects.isEmpty)
            #expect(server.objects.keys.allSatisfy { $0.contains(other) })
            #expect(try await space.file(try Self.paths(first)[0]).status == 404)
            server.forgetRequests()
            let own = MediaItem(
                id: String(repeating: "a", count: 32),
                name: "a.png",
                format: .png,
                width: 9,
                height: 9,
                widths: [9],
                bytes: 3,
                createdAt: 1
            )
            let files = [MediaFile(width: 9, bytes: [1, 2, 3])]
            _ = try await space.store.addMedia(own, files: files, totalBytes: 1 << 30, by: .command)
            #expect(try await space.file("/media/\(own.id)/a.png").bytes == [1, 2, 3])
            #expect(try await space.manage(.delete, "/v1/media/\(own.id)").status == 204)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `A lost object is a 404 that is counted, and comes back with the same upload`() async throws {
        try await Self.run { server, space in
            let uploaded = try await space.upload(Picture.widePNG)
            let paths = try Self.paths(uploaded)
            let whole = try #require(server.objects.first { $0.key.hasSuffix("/480") })
            server.objects[whole.key] = nil
            #expect(try await space.file(paths[2]).status == 404)
            #expect(try await space.file(paths[1]).status == 200)
            let metrics = try await space.manage(.get, "/metrics").text
            let name = "placard_media_bucket_requests_total"
            #expect(metrics.contains("\(name){operation=\"get\",result=\"missing\"} 1\n"))
            #expect(metrics.contains("\(name){operation=\"put\",result=\"ok\"} 3\n"))
            let again = try await space.upload(Picture.widePNG)
            #expect(again.status == 200)
            #expect(server.objects.count == 3)
            #expect(try await space.file(paths[2]).bytes == whole.value.bytes)
            // So it does where the key may not list the bucket, and what is lost is refused.
            server.objects = server.objects.filter { !$0.key.hasSuffix("/960") }
            server.fail("HEAD", .error(403, ""), pathEnding: "/960")
            #expect(try await space.upload(Picture.widePNG).status == 200)
            #expect(server.objects.count == 3)
            // Where all is there, nothing is written.
            server.endFaults()
            server.forgetRequests()
            #expect(try await space.upload(Picture.widePNG).status == 200)
            #expect(server.requests.count == 3)
            #expect(server.requests.allSatisfy { $0.hasPrefix("HEAD ") })
        }
    }

    @Test func `A picture that is uploaded again after its deletion is served as it is now`() async throws {
        try await Self.run { server, space in
            let uploaded = try await space.upload(Picture.widePNG)
            let path = try Self.paths(uploaded)[2]
            #expect(try await space.file(path).status == 200)
            let id = try #require(uploaded.json["id"]?.string)
            #expect(try await space.manage(.delete, "/v1/media/\(id)").status == 204)
            #expect(try await space.upload(Picture.widePNG).status == 201)
            let key = try #require(server.objects.keys.first { $0.hasSuffix("/480") })
            let size = try #require(server.objects[key]).bytes.count
            server.objects[key] = .init(bytes: [UInt8](repeating: 5, count: size), type: "image/png")
            #expect(try await space.file(path).bytes == [UInt8](repeating: 5, count: size))
        }
    }

    @Test func `Pictures of before are served, and move to the bucket and back by uploading them again`() async throws {
        try await BucketServer.run { server in
            let settings = try server.settings()
            try await Workspace.run { space in
                let uploaded = try await space.upload(Picture.widePNG)
                let path = try Self.paths(uploaded)[1]
                let id = try #require(uploaded.json["id"]?.string)
                let expected = try await space.file(path).bytes
                try await Self.runAgain(space, { Self.use(settings, .init(0), &$0) }) { bucket in
                    let before = try await bucket.file(path)
                    #expect(before.bytes == expected)
                    #expect(server.requests.isEmpty)
                    #expect(try await bucket.upload(Picture.widePNG).status == 200)
                    #expect(server.objects.count == 3)
                    #expect(try await space.store.mediaFileSize(id, width: 960) == nil)
                    #expect(try await bucket.file(path).bytes == expected)
                    #expect(server.requests("GET").count == 1)
                }
                // Without the bucket, what is in it can't be served, and that isn't said to be for good.
                #expect(try await space.file(path).status == 503)
                #expect(try await space.upload(Picture.widePNG).status == 200)
                #expect(try await space.file(path).bytes == expected)
                #expect(try await space.store.mediaFile(id, width: 960) == expected)
            }
        }
    }

    /// Runs another server over the store of a workspace.
    private static func runAgain(
        _ space: Workspace,
        _ change: (inout PlacardServer.Options) -> Void,
        _ body: @escaping @Sendable (Workspace) async throws -> Void
    ) async throws {
        var options = PlacardServer.Options()
        options.port = 0
        options.clock = { space.time.now }
        options.uptime = { space.time.uptime }
        change(&options)
        let server = try await PlacardServer(store: space.store, options: options, logger: .silent)
        try await LiveClient.run(server.application()) { client in
            try await body(
                Workspace(
                    client: client,
                    store: space.store,
                    time: space.time,
                    publishable: space.publishable,
                    secret: space.secret
                )
            )
        }
    }

    /// Makes the storage of a workspace, with uploads that are called `Name1`, `Name2` and so on.
    private static func pictures(
        _ server: BucketServer,
        _ space: Workspace,
        _ log: RecordedLog = RecordedLog(),
        wait: @escaping @Sendable () async throws -> Void = {}
    ) throws -> BucketPictures {
        var pictures = BucketPictures(
            bucket: BucketClient(try server.settings(), BucketFixture.surroundings(wait: wait)),
            store: space.store,
            logger: log.logger()
        )
        let count = Mutex<Int>.Box(0)
        pictures.makeName = {
            count.value.withLock { number in
                number += 1
                return "Name\(number)"
            }
        }
        return pictures
    }

    @Test func `The log names the object that stays, and no secret`() async throws {
        try await Workspace.run { space in
            try await BucketServer.run { server in
                let log = RecordedLog()
                let pictures = try Self.pictures(server, space, log)
                #expect(
                    try await pictures.add(BucketFixture.item, files: BucketFixture.files, totalBytes: 99, by: .command)
                        == .added
                )
                let fault = BucketServer.Fault.error(500, "InternalError")
                server.fail("DELETE", fault, fault, fault, pathEnding: "/480")
                #expect(try await pictures.delete(BucketFixture.item.id, at: 2, by: .command))
                #expect(Array(server.objects.keys) == ["/cards/pictures/\(BucketFixture.item.id)/Name1/480"])
                #expect(log.lines.count == 1)
                let line = try #require(log.lines.last)
                #expect(line.contains("pictures/\(BucketFixture.item.id)/Name1/480"))
                #expect(line.contains("HTTP 500 InternalError"))
                #expect(!line.contains("hush"))
            }
        }
    }

    @Test func `A picture that is removed while it is uploaded again leaves no object`() async throws {
        try await Workspace.run { space in
            try await BucketServer.run { server in
                let store = space.store
                let pictures = try Self.pictures(server, space) {
                    _ = try await store.deleteMedia(BucketFixture.item.id, at: 2, by: .command)
                }
                #expect(
                    try await pictures.add(BucketFixture.item, files: BucketFixture.files, totalBytes: 99, by: .command)
                        == .added
                )
                server.objects = [:]
                server.fail("PUT", .error(503, "SlowDown"))
                await #expect(throws: RequestError.self) {
                    try await pictures.add(BucketFixture.item, files: BucketFixture.files, totalBytes: 99, by: .command)
                }
                #expect(server.objects.isEmpty)
                #expect(try await store.mediaItem(BucketFixture.item.id) == nil)
                #expect(server.requests("DELETE").allSatisfy { $0.contains("/Name2/") })
                #expect(server.requests("DELETE").count == 2)
            }
        }
    }
}
