import Synchronization
import Testing

@testable import CardServer

/// The client of a bucket, against a service that holds it to its signatures.
struct BucketClientTests {
    /// What a client waits for and counts.
    final class Notes: Sendable {
        let waits = Mutex<[Double]>([])
        let counts = Mutex<[String]>([])
        let uptime = Mutex(0.0)
        let clock = Mutex(1_800_000_000.0)
    }

    private static func client(
        _ settings: BucketSettings,
        _ notes: Notes = Notes(),
        chance: Double = 1,
        patience: Double = 12
    ) -> BucketClient {
        var surroundings = BucketClient.Surroundings(
            clock: { notes.clock.withLock { $0 } },
            uptime: { notes.uptime.withLock { $0 } }
        )
        surroundings.chance = { chance }
        surroundings.wait = { seconds in notes.waits.withLock { $0.append(seconds) } }
        surroundings.patience = patience
        return BucketClient(settings, surroundings) { operation, error in
            notes.counts.withLock { $0.append("\(operation.rawValue) \(BucketResult(error).rawValue)") }
        }
    }

    @Test func `An object is written, measured, read in parts and removed`() async throws {
        try await BucketServer.run { server in
            let client = Self.client(try server.settings())
            try await client.put([1, 2, 3, 4], at: "a/b", type: "image/png")
            #expect(server.objects == ["/cards/pictures/a/b": .init(bytes: [1, 2, 3, 4], type: "image/png")])
            #expect(try await client.head("a/b") == 4)
            #expect(try await client.head("a/c") == nil)
            #expect(try await client.get("a/b", in: 0..<4, of: 4) == [1, 2, 3, 4])
            #expect(try await client.get("a/b", in: 1..<3, of: 4) == [2, 3])
            #expect(try await client.get("a/b", in: 2..<2, of: 4) == [])
            try await client.delete("a/b")
            #expect(server.objects.isEmpty)
            try await client.delete("a/b")
            #expect(
                server.requests("GET") == [
                    "GET /cards/pictures/a/b 200", "GET /cards/pictures/a/b bytes=1-2 206",
                ]
            )
            await #expect(throws: BucketError.missing) { try await client.get("a/b", in: 0..<4, of: 4) }
        }
    }

    @Test func `What passes is tried again with growing pauses, up to three times`() async throws {
        try await BucketServer.run { server in
            let notes = Notes()
            let client = Self.client(try server.settings(), notes)
            server.fail("PUT", .error(503, "SlowDown"), .doneAndError(500, "InternalError"))
            try await client.put([1], at: "a", type: "t/t")
            #expect(notes.waits.withLock { $0 } == [0.4, 0.8])
            #expect(server.objects.count == 1)
            #expect(notes.counts.withLock { $0 } == ["put failed", "put failed", "put ok"])
            server.fail("PUT", .error(503, "A"), .error(503, "B"), .error(502, "SlowDown"), .error(500, "D"))
            await #expect(throws: BucketError.failed(status: 502, code: "SlowDown")) {
                try await client.put([1], at: "a", type: "t/t")
            }
            let early = Self.client(try server.settings(), notes, chance: 0)
            notes.waits.withLock { $0 = [] }
            try await early.put([1], at: "a", type: "t/t")
            #expect(notes.waits.withLock { $0 } == [0.2])
        }
    }

    @Test(arguments: [
        (403, "AccessDenied"), (400, "InvalidArgument"), (416, "InvalidRange"), (301, "PermanentRedirect"),
    ])
    func `What is refused isn't tried again, and pauses nothing`(status: Int, code: String) async throws {
        try await BucketServer.run { server in
            let notes = Notes()
            let client = Self.client(try server.settings(), notes)
            try await client.put([1, 2], at: "a", type: "t/t")
            server.fail("GET", .error(status, code))
            await #expect(throws: BucketError.refused(status: status, code: code)) {
                try await client.get("a", in: 0..<2, of: 2)
            }
            #expect(try await client.get("a", in: 0..<2, of: 2) == [1, 2])
            #expect(notes.waits.withLock { $0.isEmpty })
        }
    }

    @Test func `One failed answer pauses nothing, and three in a row pause reads alone`() async throws {
        try await BucketServer.run { server in
            let notes = Notes()
            let client = Self.client(try server.settings(), notes)
            try await client.put([1], at: "a", type: "t/t")
            let failure = BucketError.failed(status: 500, code: "InternalError")
            for _ in 0..<3 {
                let fault = BucketServer.Fault.error(500, "InternalError")
                server.fail("GET", fault, fault)
                await #expect(throws: failure) { try await client.get("a", in: 0..<1, of: 1) }
            }
            let asked = server.requests.count
            await #expect(throws: BucketError.paused) { try await client.get("a", in: 0..<1, of: 1) }
            #expect(server.requests.count == asked)
            // What is written, measured and removed goes on.
            try await client.put([1], at: "b", type: "t/t")
            #expect(try await client.head("b") == 1)
            try await client.delete("b")
            notes.uptime.withLock { $0 += BucketPause.length }
            #expect(try await client.get("a", in: 0..<1, of: 1) == [1])
            #expect(notes.counts.withLock { $0.filter { $0 == "get skipped" }.count } == 1)
        }
    }

    @Test func `A half, another or no answer is an error, and never the object`() async throws {
        try await BucketServer.run { server in
            let notes = Notes()
            let client = Self.client(try server.settings(), notes)
            let bytes = (0..<40_000).map { UInt8(truncatingIfNeeded: $0) }
            try await client.put(bytes, at: "a", type: "t/t")
            server.fail("GET", .truncated)
            #expect(try await client.get("a", in: 0..<40_000, of: 40_000) == bytes)
            server.fail("GET", .other(39_999), .other(90_000))
            await #expect(throws: BucketError.unexpected("more bytes than the object has")) {
                try await client.get("a", in: 0..<40_000, of: 40_000)
            }
            server.fail("GET", .other(9), .other(10))
            await #expect(throws: BucketError.unexpected("HTTP 206 with 10 bytes")) {
                try await client.get("a", in: 5..<20, of: 40_000)
            }
            server.fail("GET", .wrongETag)
            server.fail("PUT", .wrongETag)
            // Services that encrypt objects have other tags than the MD5 of the content.
            #expect(try await client.get("a", in: 0..<40_000, of: 40_000) == bytes)
            try await client.put(bytes, at: "a", type: "t/t")
        }
    }

    @Test func `A service that doesn't answer in time is unreachable, and isn't asked for a while`() async throws {
        try await BucketServer.run { server in
            let notes = Notes()
            let client = Self.client(try server.settings(), notes, patience: 0.03)
            server.objects = ["/cards/pictures/a": .init(bytes: [1], type: "t/t")]
            server.fail("GET", .silent, .silent)
            await #expect(throws: BucketError.unreachable("It took too long")) {
                try await client.get("a", in: 0..<1, of: 1)
            }
            await #expect(throws: BucketError.paused) { try await client.get("a", in: 0..<1, of: 1) }
            try await Self.client(try server.settings(), notes).delete("a")
            #expect(server.objects.isEmpty)
            #expect(
                notes.counts.withLock { $0 } == [
                    "get unreachable", "get unreachable", "get skipped", "delete ok",
                ]
            )
        }
    }

    @Test func `Each error says what the service says, and nothing of the secret`() async throws {
        try await BucketServer.run { server in
            func failure(_ settings: BucketSettings, _ notes: Notes = Notes()) async -> BucketError? {
                do throws(BucketError) {
                    try await Self.client(settings, notes).put([1], at: "a", type: "t/t")
                    return nil
                } catch {
                    return error
                }
            }
            let wrongKey = await failure(try server.settings(secretKey: "hush-other"))
            #expect(wrongKey == .refused(status: 403, code: "SignatureDoesNotMatch"))
            #expect(wrongKey.map { "\($0)".contains("hush") } == false)
            let region = await failure(try server.settings(region: "us-east-1"))
            #expect(region == .refused(status: 400, code: "AuthorizationHeaderMalformed"))
            let bucket = await failure(try server.settings(name: "other"))
            #expect(bucket == .refused(status: 404, code: "NoSuchBucket"))
            let notes = Notes()
            notes.clock.withLock { $0 += 901 }
            #expect(await failure(try server.settings(), notes) == .refused(status: 403, code: "RequestTimeTooSkewed"))
        }
    }

    @Test(arguments: [
        ("<Error><Code>Access Denied\n[31m</Code></Error>", ""), ("<Code>NoSuchKey</Code>", "NoSuchKey"),
        ("<Code>", ""), ("</Code><Code>", ""), ("", ""), ("<Code>\(String(repeating: "a", count: 65))</Code>", ""),
    ])
    func `Only a plain code of an error gets into the log`(body: String, code: String) {
        #expect(BucketError(status: 403, body: Array(body.utf8)) == .refused(status: 403, code: code))
    }
}
