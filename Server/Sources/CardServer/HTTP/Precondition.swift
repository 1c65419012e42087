import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import WireJSON

/// The version that a request wants to change, as `If-Match` says it: nothing of it is changed where it is another by
/// now.
struct Precondition: Sendable {
    /// The tags of what may be replaced; `nil` where the request says nothing.
    private let tags: [String]?

    /// Reads the header of a request.
    init(_ request: Request) {
        let fields = request.headers[values: .ifMatch]
        tags = fields.isEmpty ? nil : fields.flatMap { $0.split(at: ",") }.map { $0.split(at: " ").joined() }
    }

    /// Whether the request names what it replaces.
    var isGiven: Bool { tags != nil }

    /// Throws unless what is there may be changed.
    ///
    /// - Parameter tag: The tag of what is there, or `nil` where nothing is.
    /// - Throws: `RequestError` with 412 where it is another than the request names.
    func check(_ tag: String?) throws(RequestError) {
        guard let tags else { return }
        // A weak tag never matches: what it names may be another by bytes.
        guard let tag, tags.contains(where: { $0.hasSameBytes(as: "*") || $0.hasSameBytes(as: tag) }) else {
            throw .preconditionFailed
        }
    }

    /// The tag of a value: another value has another one.
    static func tag(of value: JSONValue) -> String {
        let digest = SHA256.hash(data: Data(value.text.utf8))
        let digits = digest.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return "\"\(digits.joined())\""
    }
}

extension RequestError {
    static let preconditionFailed = RequestError(
        .preconditionFailed,
        "precondition_failed",
        "This was changed since you read it (If-Match). Read it again, and make your change to that."
    )
}

extension Response {
    /// Creates a response of a value that can be replaced, with the tag for `If-Match`.
    init(json value: JSONValue, tag: String) {
        self.init(json: value)
        headers[.eTag] = tag
    }
}
