import CardModel
import Liquid
import WireJSON

/// A request that a template makes, checked; those whose bytes are the same have the same answer.
struct ContentFetch: Sendable, Hashable {
    private static let bodyLimit = 65_536
    /// The number of seconds for which an answer can be used again, at the least and at the most.
    static let lifetimes = 0.0...14_400.0
    private static let standardLifetime = 300.0

    let url: OutboundURL
    /// The host in lower case.
    var host: String { url.host }
    private(set) var method = "GET"
    @Bytewise private(set) var headers: StringMap<String> = [:]
    @Bytewise private(set) var body = ""
    /// The number of seconds for which the answer can be used again.
    private(set) var lifetime: Double

    /// Checks a request.
    ///
    /// - Throws: `LiquidError` that says what is wrong, without anything that may be the user's.
    init(_ request: ConnectedContentRequest, hosts: [ContentHost]) throws(LiquidError) {
        guard let url = OutboundURL(request.address) else {
            throw Self.failure("The address has to be one of http or https.")
        }
        let port = url.port == (url.isSecure ? 443 : 80) ? nil : url.port
        guard hosts.contains(where: { $0.covers(url.host, port: port) }) else {
            throw Self.failure("The host is not listed under connected_content_hosts in the settings.")
        }
        self.url = url
        // What is posted may be meant to happen each time.
        lifetime = request.options["method"]?.lowercased() == "post" ? 0 : Self.standardLifetime
        if let value = request.options["headers"] { try takeHeaders(value) }
        for (name, value) in request.options.sorted(by: { $0.key < $1.key }) { try take(name, value) }
        if !body.isEmpty, headers["content-type"] == nil {
            headers["content-type"] = "application/x-www-form-urlencoded"
        }
    }

    private mutating func take(_ name: String, _ value: String) throws(LiquidError) {
        switch name {
        case "method":
            method = value.uppercased()
            guard ["GET", "POST"].contains(method) else { throw Self.failure("':method' is get or post.") }
        case "content_type":
            // Refused before the host is asked: what a user says must not count as its failure.
            guard Self.isHeader("content-type", value) else {
                throw Self.failure("':content_type' has to be a text that HTTP allows.")
            }
            headers["content-type"] = value
        // They come first: the type of the content overrides theirs.
        case "headers": break
        case "body":
            guard value.utf8.count <= Self.bodyLimit else { throw Self.failure("':body' is too long.") }
            body = value
        case "cache_max_age":
            guard let seconds = Double(value), Self.lifetimes.contains(seconds) else {
                // safe: a constant of hours
                throw Self.failure("':cache_max_age' is seconds, at most \(Int(Self.lifetimes.upperBound)).")
            }
            lifetime = seconds
        case "no_cache": lifetime = 0
        // What fails is always tried again.
        case "retry": break
        default: throw Self.failure("There is no option ':\(name)' here; credentials go into ':headers'.")
        }
    }

    private mutating func takeHeaders(_ text: String) throws(LiquidError) {
        guard let members = try? JSONReader.read(text.utf8, Self.members) else {
            throw Self.failure("':headers' has to be a JSON object.")
        }
        for (name, value) in members {
            guard let value = value.string, Self.isHeader(name, value) else {
                throw Self.failure("':headers' has names and texts that HTTP does not allow.")
            }
            let name = name.lowercased()
            guard headers[name] == nil else { throw Self.failure("':headers' has a name twice, in whatever case.") }
            headers[name] = value
        }
    }

    /// Reads an object with all of its members, those too whose names are repeated.
    private static func members(
        _ reader: inout JSONReader
    ) throws(JSONError) -> [(name: String, value: JSONValue)] {
        var members: [(name: String, value: JSONValue)] = []
        try reader.beginObject()
        while let key = try reader.nextKey() { members.append((key.string, try reader.readValue())) }
        return members
    }

    /// The headers that say how a message is framed or carried, which are the client's.
    private static let reservedHeaders: Set = [
        "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    static func isHeader(_ name: String, _ value: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(isTokenByte) && !reservedHeaders.contains(name.lowercased())
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    static func failure(_ message: String) -> LiquidError { LiquidError(.connectedContent, message) }
}

/// The result of a fetch.
enum ContentAnswer: Sendable, Equatable {
    /// The host has answered, with whatever status.
    case response(ConnectedContentResponse)
    /// It could not be asked or had no proper answer; says why.
    case failure(String)
}
