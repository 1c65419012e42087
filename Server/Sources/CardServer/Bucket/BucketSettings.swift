import WireJSON

/// A bucket of a service that speaks the API of S3, and how it is reached.
public struct BucketSettings: Sendable {
    /// The form in which requests name the bucket.
    public enum Addressing: String, Sendable, CaseIterable {
        /// In the path: `https://s3.example.com/BUCKET/KEY`.
        case path
        /// In the host: `https://BUCKET.s3.example.com/KEY`.
        case host
    }

    /// The problems of settings that can't be used.
    public enum BucketSettingsError: Error, Sendable, CaseIterable {
        case name
        case region
        case endpoint
        case prefix
    }

    /// The longest prefix of keys, in bytes.
    private static let longestPrefix = 200
    /// The region where none is set.
    public static let defaultRegion = "us-east-1"

    /// The name of the bucket.
    public let name: String
    /// The region that requests are signed for.
    public let region: String
    /// The prefix of the keys of all objects; empty, or ends in a slash.
    public let prefix: String
    /// The form in which requests name the bucket.
    public let addressing: Addressing
    /// The credentials that sign requests.
    public let credentials: BucketCredentials
    /// A file of certificates that are trusted in place of the system's, as PEM, or `nil` for the system's.
    public var trustedCertificates: String?
    /// The scheme, the host and the path that keys are appended to, without a slash at the end.
    let base: String

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - name: The bucket.
    ///   - region: The region, which services with a single one call `us-east-1` mostly.
    ///   - endpoint: The address of the service, or `nil` for that of AWS in the region.
    ///   - addressing: How requests name the bucket; by default in the host at AWS, and in the path elsewhere or where
    ///     the name has dots, which certificates don't cover.
    ///   - prefix: What keys begin with; a slash is appended where it lacks one.
    ///   - credentials: Who signs requests.
    /// - Throws: Which of them can't be used.
    public init(
        name: String,
        region: String = defaultRegion,
        endpoint: String? = nil,
        addressing: Addressing? = nil,
        prefix: String = "",
        credentials: BucketCredentials
    ) throws(BucketSettingsError) {
        guard Self.isName(name) else { throw .name }
        guard Self.isRegion(region) else { throw .region }
        guard Self.isPrefix(prefix) else { throw .prefix }
        let (service, ownAddressing) = (endpoint ?? "https://s3.\(region).amazonaws.com", addressing)
        let isAmazons = endpoint == nil
        self.addressing = ownAddressing ?? (isAmazons && !name.contains(bytesOf: ".") ? .host : .path)
        self.base = try Self.base(service, name, self.addressing)
        self.name = name
        self.region = region
        self.prefix = prefix.isEmpty || prefix.hasSuffix("/") ? prefix : prefix + "/"
        self.credentials = credentials
    }

    /// The service's host and port, for messages.
    public var authority: String { OutboundURL(base)?.authority ?? base }

    /// Whether requests go unencrypted, so that whoever is between can read pictures.
    public var isPlain: Bool { OutboundURL(base)?.isSecure == false }

    /// The address of an object, or of the bucket.
    func url(of key: String) throws(BucketError) -> OutboundURL {
        guard let url = OutboundURL("\(base)/\(prefix)\(key)") else { throw .unexpected("no address") }
        return url
    }

    private static func base(
        _ endpoint: String,
        _ name: String,
        _ addressing: Addressing
    ) throws(BucketSettingsError) -> String {
        let text = endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint
        // A path that is signed is the one that is sent, so it has nothing that is written in two ways.
        guard let url = OutboundURL(text), !url.hasForeignPort, isPath(url.target), !text.contains(bytesOf: "#") else {
            throw .endpoint
        }
        let scheme = url.isSecure ? "https" : "http"
        let path = url.target == "/" ? "" : url.target
        let base =
            switch addressing {
            case .path: "\(scheme)://\(url.authority)\(path)/\(name)"
            case .host: "\(scheme)://\(name).\(url.authority)\(path)"
            }
        guard OutboundURL(base) != nil else { throw .endpoint }
        return base
    }

    /// 3 to 63 bytes, as AWS has it; capitals and underscores are older buckets' and other services'.
    private static func isName(_ text: String) -> Bool {
        (3...63).contains(text.utf8.count) && text.utf8.allSatisfy { isLetterOrDigit($0) || "-._".utf8.contains($0) }
            && isLetterOrDigit(text.utf8.first) && isLetterOrDigit(text.utf8.last) && !text.contains(bytesOf: "..")
    }

    private static func isRegion(_ text: String) -> Bool {
        (1...63).contains(text.utf8.count) && text.utf8.allSatisfy { isLetterOrDigit($0) || "-_".utf8.contains($0) }
    }

    private static func isPrefix(_ text: String) -> Bool {
        text.isEmpty || (text.utf8.count <= longestPrefix && !text.starts(withBytesOf: "/") && isPath("/" + text))
    }

    /// Whether a path has only what needs no escape, and no part that is empty or leads up.
    private static func isPath(_ text: String) -> Bool {
        guard text.utf8.allSatisfy({ isLetterOrDigit($0) || "-._/".utf8.contains($0) }) else { return false }
        return !text.contains(bytesOf: "//") && text.split(at: "/").allSatisfy { $0 != "." && $0 != ".." }
    }

    private static func isLetterOrDigit(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) && byte < 0x7B
    }
}

/// The key with which requests to a bucket are signed; no text that is made of it has its secrets.
public struct BucketCredentials: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The id of the key.
    public let accessKey: String
    /// The secret of the key.
    let secretKey: String
    /// The token of a session, or `nil` for a key that lasts.
    let sessionToken: String?

    /// Creates credentials, or returns `nil` where one of them is empty or has other than the characters of ASCII that
    /// are seen.
    public init?(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        for text in [accessKey, secretKey, sessionToken ?? "-"] {
            guard (1...4_096).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                return nil
            }
        }
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }

    /// The id of the key alone.
    public var description: String { "key \(accessKey)" }
    /// The id of the key alone.
    public var debugDescription: String { description }
    /// The id of the key alone.
    public var customMirror: Mirror { Mirror(self, children: ["accessKey": accessKey]) }
}
