import Testing

@testable import CardServer

/// What `placard doctor` says of a bucket.
struct BucketProbeTests {
    private static func surroundings(at time: Double = 1_800_000_000) -> BucketClient.Surroundings {
        var surroundings = BucketClient.Surroundings(clock: { time }, uptime: { 0 })
        surroundings.wait = { _ in }
        // However busy the machine is.
        surroundings.patience = 12
        return surroundings
    }

    /// The message of a bucket that can't be used, or an empty text.
    private static func bad(_ finding: BucketFinding) -> String {
        guard case .bad(let message) = finding else { return "" }
        return message
    }

    private static func warning(_ finding: BucketFinding) -> String {
        guard case .warning(let message) = finding else { return "" }
        return message
    }

    @Test func `A bucket is tried with an object of a random name, which doesn't stay`() async throws {
        try await BucketServer.run { server in
            let settings = try server.settings()
            // It is one of this machine, without encryption.
            #expect(Self.warning(await settings.probe(Self.surroundings())).hasPrefix("Requests go unencrypted."))
            #expect(Self.warning(await settings.probe(Self.surroundings())).hasPrefix("Requests go unencrypted."))
            #expect(server.objects.isEmpty)
            let names = server.requests("PUT")
            #expect(names.count == 2)
            #expect(Set(names).count == 2)
            #expect(names.allSatisfy { $0.hasPrefix("PUT /cards/pictures/placard-probe-") })
        }
    }

    @Test func `Each mistake has words of its own`() async throws {
        try await BucketServer.run { server in
            let now = Self.surroundings()
            let noBucket = try await server.settings(name: "other").probe(now)
            #expect(Self.bad(noBucket).hasPrefix("There is no bucket other."))
            let region = try await server.settings(region: "us-east-1").probe(now)
            #expect(Self.bad(region).hasPrefix("The bucket is in another region than us-east-1"))
            let secret = try await server.settings(secretKey: "hush-other").probe(now)
            #expect(Self.bad(secret).hasPrefix("The secret key isn't that of AKIAEXAMPLE"))
            #expect(!Self.bad(secret).contains("hush"))
            let clock = try await server.settings().probe(Self.surroundings(at: 1_800_000_901))
            #expect(Self.bad(clock).hasPrefix("This machine's clock is wrong"))
            server.fail("PUT", .error(403, "AccessDenied"))
            #expect(Self.bad(try await server.settings().probe(now)).contains("to write objects. Give it s3:PutObject"))
            server.fail("PUT", .error(301, ""))
            #expect(Self.bad(try await server.settings().probe(now)).hasPrefix("The bucket is in another region"))
        }
    }

    @Test func `What can be written but not read, removed or listed is said`() async throws {
        try await BucketServer.run { server in
            let (settings, now) = (try server.settings(), Self.surroundings())
            server.fail("GET", .error(403, "AccessDenied"))
            #expect(Self.bad(await settings.probe(now)).contains("to read objects. Give it s3:GetObject"))
            // What was written is removed although it couldn't be read.
            #expect(server.objects.isEmpty)
            server.fail("DELETE", .error(403, "AccessDenied"))
            let kept = Self.bad(await settings.probe(now))
            #expect(kept.contains("to remove objects. Give it s3:DeleteObject"))
            let path = try #require(server.objects.keys.first)
            #expect(kept.hasSuffix("The object \(path.dropFirst("/cards/".count)) stays there."))
            server.objects = [:]
            server.fail("GET", .wrongETag, .error(403, "AccessDenied"))
            #expect(Self.warning(await settings.probe(now)).contains("Give it s3:ListBucket."))
            server.fail("GET", .other(66), .other(66))
            #expect(Self.bad(await settings.probe(now)).isEmpty == false)
        }
    }

    @Test func `A place where nothing listens, or that speaks no TLS, is said`() async throws {
        let credentials = try #require(BucketCredentials(accessKey: "a", secretKey: "s"))
        let none = try BucketSettings(name: "cards", endpoint: "http://127.0.0.1:1024", credentials: credentials)
        #expect(Self.bad(await none.probe(Self.surroundings())).hasPrefix("It can't be reached"))
        try await BucketServer.run { server in
            let endpoint = try server.settings().authority
            let plain = try BucketSettings(name: "cards", endpoint: "https://\(endpoint)", credentials: credentials)
            #expect(Self.bad(await plain.probe(Self.surroundings())).hasPrefix("There is no secure connection"))
        }
    }
}
