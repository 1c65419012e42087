import Testing

@testable import CardServer

/// The examples that AWS publishes of its signatures.
struct BucketSignatureTests {
    struct Example: Sendable {
        let method: String
        let path: String
        var query = ""
        var headers: [String: String] = [:]
        var body = ""
        let signature: String
    }

    @Test(arguments: [
        Example(
            method: "GET",
            path: "/test.txt",
            headers: ["range": "bytes=0-9"],
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        ),
        Example(
            method: "PUT",
            path: "/test%24file.text",
            headers: ["date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"],
            body: "Welcome to Amazon S3.",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
        ),
        Example(
            method: "GET",
            path: "/",
            query: "lifecycle=",
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
        ),
        Example(
            method: "GET",
            path: "/",
            query: "max-keys=2&prefix=J",
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
        ),
    ])
    func `A request is signed as in the example of AWS`(example: Example) throws {
        let signature = BucketSignature(credentials: try Self.credentials(), region: "us-east-1", time: 1_369_353_600)
        var headers = example.headers
        headers["host"] = "examplebucket.s3.amazonaws.com"
        let signed = signature.headers(
            for: BucketSignature.Request(
                method: example.method,
                path: example.path,
                query: example.query,
                headers: headers,
                bodyHash: BucketSignature.hash(Array(example.body.utf8))
            )
        )
        #expect(signed["x-amz-date"] == "20130524T000000Z")
        let authorization = try #require(signed["authorization"])
        #expect(authorization.hasSuffix("Signature=\(example.signature)"))
        let scope = "Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request"
        #expect(authorization.hasPrefix("AWS4-HMAC-SHA256 \(scope),SignedHeaders="))
    }

    private static func credentials() throws -> BucketCredentials {
        let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
        return try #require(BucketCredentials(accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: secret))
    }

    @Test func `The token of a session is signed`() throws {
        let credentials = try #require(BucketCredentials(accessKey: "a", secretKey: "s", sessionToken: "t"))
        let request = BucketSignature.Request(method: "GET", path: "/", headers: ["host": "a.b"], bodyHash: "")
        let signed = BucketSignature(credentials: credentials, region: "r", time: 0).headers(for: request)
        #expect(signed["x-amz-security-token"] == "t")
        #expect(signed["authorization"]?.contains(";x-amz-security-token,") == true)
    }

    @Test func `No text that is made of credentials has their secrets`() throws {
        let credentials = try #require(
            BucketCredentials(accessKey: "AK", secretKey: "hush-secret", sessionToken: "hush-token")
        )
        let settings = try BucketSettings(name: "cards", credentials: credentials)
        var dumped = ""
        dump(settings, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), "\(settings)", dumped] {
            #expect(!text.contains("hush"), "\(text)")
        }
    }

    @Test(arguments: ["", " a", "a\n", "a\u{e9}", "a\u{0}"])
    func `Credentials have no characters that a header can't have`(text: String) {
        #expect(BucketCredentials(accessKey: text, secretKey: "s") == nil)
        #expect(BucketCredentials(accessKey: "a", secretKey: text) == nil)
        #expect(BucketCredentials(accessKey: "a", secretKey: "s", sessionToken: text) == nil)
    }
}

/// What a bucket is called and where it is.
struct BucketSettingsTests {
    private static func settings(
        _ name: String = "cards",
        region: String = "eu-central-1",
        endpoint: String? = nil,
        addressing: BucketSettings.Addressing? = nil,
        prefix: String = ""
    ) throws -> BucketSettings {
        let credentials = try #require(BucketCredentials(accessKey: "a", secretKey: "s"))
        return try BucketSettings(
            name: name,
            region: region,
            endpoint: endpoint,
            addressing: addressing,
            prefix: prefix,
            credentials: credentials
        )
    }

    @Test func `A bucket is named in the host at AWS, and in the path elsewhere`() throws {
        #expect(try Self.settings().base == "https://cards.s3.eu-central-1.amazonaws.com")
        #expect(try Self.settings("my.cards").base == "https://s3.eu-central-1.amazonaws.com/my.cards")
        let own = "http://minio.lan:9000/"
        #expect(try Self.settings(endpoint: own).base == "http://minio.lan:9000/cards")
        #expect(try Self.settings(endpoint: own, addressing: .host).base == "http://cards.minio.lan:9000")
        let deep = "https://x.example/storage/s3"
        #expect(try Self.settings(endpoint: deep).base == "\(deep)/cards")
        #expect(try Self.settings(prefix: "a/b").url(of: "k").target == "/a/b/k")
        #expect(try Self.settings(prefix: "a/").url(of: "k").target == "/a/k")
    }

    @Test(arguments: ["", "ab", "-cards", "cards-", "a..b", "ca/rds", "ca rds", "cards?x", "c%61rds", "cärds", "../.."])
    func `A name that isn't a bucket's is refused`(name: String) {
        #expect(throws: BucketSettings.BucketSettingsError.name) { try Self.settings(name) }
    }

    @Test(arguments: [
        "s3.example.com", "ftp://s3.example.com", "https://user@s3.example.com", "https://s3.example.com/?a=b",
        "https://s3.example.com/#a", "https://s3.example.com/a%2fb", "https://s3.example.com/../a", "https://",
        "https://s3.example.com:25", "https://s3.example.com/a//b", "https://s3.example.com?",
    ])
    func `An endpoint that may be read in two ways is refused`(endpoint: String) {
        #expect(throws: BucketSettings.BucketSettingsError.endpoint) { try Self.settings(endpoint: endpoint) }
    }

    @Test(arguments: ["/a", "a//b", "../a", "a/..", "a b", "a?b", "a%20", String(repeating: "a", count: 201)])
    func `A prefix that isn't plain is refused`(prefix: String) {
        #expect(throws: BucketSettings.BucketSettingsError.prefix) { try Self.settings(prefix: prefix) }
    }

    @Test(arguments: ["", "eu/central", "eu central", "eu\n"])
    func `A region that isn't plain is refused`(region: String) {
        #expect(throws: BucketSettings.BucketSettingsError.region) { try Self.settings(region: region) }
    }
}

/// When a bucket isn't asked.
struct BucketPauseTests {
    @Test func `Only a connection that fails or several failed answers in a row begin a pause`() {
        var pause = BucketPause()
        let answers: [BucketError?] = [
            .refused(status: 416, code: "InvalidRange"), .missing, .failed(status: 500, code: ""),
            .failed(status: 503, code: ""), nil, .failed(status: 500, code: ""), .unexpected("x"),
            .failed(status: 500, code: ""), .failed(status: 500, code: ""), .paused,
        ]
        for answer in answers {
            pause.note(answer, at: 100)
            #expect(pause.allowsRequest(at: 100))
        }
        pause.note(.failed(status: 500, code: ""), at: 100)
        #expect(!pause.allowsRequest(at: 104.9))
        #expect(pause.allowsRequest(at: 105))
        pause.note(.unreachable("x"), at: 200)
        #expect(!pause.allowsRequest(at: 204.9))
        #expect(pause.allowsRequest(at: 205))
    }
}
