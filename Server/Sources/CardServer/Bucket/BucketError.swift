/// The reason why a bucket didn't do what it was asked; has nothing of the key with which requests are signed.
enum BucketError: Error, Equatable, CustomStringConvertible {
    /// There is no such object.
    case missing
    /// The service answered with an error that stays for the same request; the code is the service's own.
    case refused(status: Int, code: String)
    /// The service couldn't answer now.
    case failed(status: Int, code: String)
    /// It couldn't be reached, or didn't answer in time.
    case unreachable(String)
    /// The answer isn't what was asked for.
    case unexpected(String)
    /// It wasn't asked, because it couldn't answer a moment ago.
    case paused

    var description: String {
        switch self {
        case .missing: "there is no such object"
        case .refused(let status, let code), .failed(let status, let code):
            code.isEmpty ? "HTTP \(status)" : "HTTP \(status) \(code)"
        case .unreachable(let reason): reason
        case .unexpected(let reason): "another answer than expected: \(reason)"
        case .paused: "not asked, because it couldn't answer a moment ago"
        }
    }

    /// Whether the same request may succeed when it is sent again.
    var isPassing: Bool {
        switch self {
        case .failed, .unreachable, .unexpected: true
        case .missing, .refused, .paused: false
        }
    }

    /// Creates the error of an answer.
    ///
    /// - Parameters:
    ///   - status: The status, which isn't one of success.
    ///   - body: The body, which says more where the service does.
    init(status: Int, body: [UInt8]) {
        let code = Self.code(in: body)
        switch status {
        // A bucket that doesn't exist is the operator's to see, and no lost picture.
        case 404 where code != "NoSuchBucket": self = .missing
        case 429, 500...: self = .failed(status: status, code: code)
        default: self = .refused(status: status, code: code)
        }
    }

    /// Returns the code in the body of an error, or an empty text: letters and digits alone, since it is for the log.
    private static func code(in body: [UInt8]) -> String {
        let text = String(decoding: body.prefix(8_192), as: UTF8.self)
        // characters: letters and digits alone are a code, and nothing else is
        guard let start = text.firstRange(of: "<Code>"), let end = text[start.upperBound...].firstRange(of: "</Code>")
        else { return "" }
        // safe: the end was looked for behind the start
        let code = text[start.upperBound..<end.lowerBound]
        let isPlain =
            code.utf8.count <= 64
            && code.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            }
        return isPlain ? String(code) : ""
    }
}
