import CardModel
import Crypto
import Foundation

/// Signs requests as S3 asks for it: Signature Version 4 of AWS.
///
/// <https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html>
struct BucketSignature {
    /// The parts of a request that are signed.
    struct Request {
        let method: String
        /// The path as it is sent; has only characters that need no escape, or escaped ones.
        let path: String
        /// The query as it is sent: sorted, escaped, each name with an equals sign.
        var query = ""
        /// The headers that are signed, the host among them, by their names in lower case.
        let headers: [String: String]
        /// The SHA-256 of the body in hexadecimal digits.
        let bodyHash: String
    }

    private static let algorithm = "AWS4-HMAC-SHA256"

    let credentials: BucketCredentials
    let region: String
    /// The time at which the request is sent.
    let time: UnixTime

    /// Returns the headers of a request with those that sign it.
    func headers(for request: Request) -> [String: String] {
        let stamp = Self.stamp(time)
        var headers = request.headers
        headers["x-amz-content-sha256"] = request.bodyHash
        headers["x-amz-date"] = stamp
        headers["x-amz-security-token"] = credentials.sessionToken
        let sorted = headers.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        let names = sorted.map(\.key).joined(separator: ";")
        let canonical = [
            request.method, request.path, request.query,
            sorted.map { "\($0.key):\($0.value.trimmingCharacters(in: .whitespaces))\n" }.joined(),
            names, request.bodyHash,
        ].joined(separator: "\n")
        let day = String(stamp.prefix(8))
        let scope = "\(day)/\(region)/s3/aws4_request"
        let text = [Self.algorithm, stamp, scope, Self.hash(Array(canonical.utf8))].joined(separator: "\n")
        let signature = Self.hexadecimal(Self.code(text, key: signingKey(day)))
        headers["authorization"] =
            "\(Self.algorithm) Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(names),"
            + "Signature=\(signature)"
        return headers
    }

    private func signingKey(_ day: String) -> SymmetricKey {
        [day, region, "s3", "aws4_request"].reduce(SymmetricKey(data: Array("AWS4\(credentials.secretKey)".utf8))) {
            SymmetricKey(data: Self.code($1, key: $0))
        }
    }

    private static func code(_ text: String, key: SymmetricKey) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
    }

    /// Returns the SHA-256 of bytes in hexadecimal digits.
    static func hash(_ bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(data: bytes)) }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The time as requests say it, such as `20130524T000000Z`.
    static func stamp(_ time: UnixTime) -> String {
        // characters: a time that the server writes
        String(Timestamp.text(of: time).filter { $0 != "-" && $0 != ":" })
    }
}
