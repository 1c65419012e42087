import WireJSON

/// A host from which templates may fetch: `api.example.com`, `*.example.com` for every host below it, either with a
/// port.
public struct ContentHost: Sendable, Hashable {
    /// The maximum number of hosts in the settings.
    public static let limit = 50

    /// The host as it was written.
    public let text: String
    private let name: Substring
    private let coversHostsBelow: Bool
    private let port: Int?

    /// Reads a host, or returns `nil` where the text is none.
    public init?(_ text: String) {
        let parts = text.split(at: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first else { return nil }
        coversHostsBelow = host.hasPrefix("*.")
        name = coversHostsBelow ? host.dropFirst(2) : host
        // A number alone would be read with a sign, too.
        let isNumber = parts.count == 2 && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) }
        port = isNumber ? Int(parts[1]) : nil
        guard (1...253).contains(name.utf8.count), !name.starts(withBytesOf: "."),
            !name.ends(withBytesOf: "."), !name.contains(bytesOf: ".."),
            name.utf8.allSatisfy({ Self.isAllowed($0) }), parts.count == 1 || port.map((1...65_535).contains) == true
        else { return nil }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Whether a host in lower case is meant, at a port that is `nil` where it is the scheme's own.
    public func covers(_ host: String, port: Int?) -> Bool {
        guard self.port == port else { return false }
        guard coversHostsBelow else { return host.utf8.elementsEqual(name.utf8) }
        return host.utf8.reversed().starts(with: ".\(name)".utf8.reversed())
    }
}
