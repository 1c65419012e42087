public import CardModel

/// The proxies whose word the server takes for whose request they forward.
///
/// A header such as `X-Forwarded-For` can be sent by anybody. It is read only where the connection comes from one of
/// these addresses, and only back to the first address that is not one of them: what stands before it was written by
/// a client.
public struct TrustedProxies: Sendable, Hashable {
    /// The headers that the proxies write.
    public enum Header: String, Sendable, CaseIterable {
        /// `Forwarded` or `X-Forwarded-For`, whichever a request has.
        ///
        /// A proxy that writes the one lets its clients send the other. Where a request has both and they name
        /// different clients, neither is believed and the proxy counts as the client.
        case automatic = "auto"
        /// `Forwarded` alone (RFC 7239).
        case forwarded
        /// `X-Forwarded-For` and `X-Forwarded-Proto` alone.
        case xForwarded = "x-forwarded-for"
    }

    /// No proxy: the other end of a connection is the client.
    public static let none = TrustedProxies(ranges: [])

    /// The addresses of the proxies.
    public let ranges: [AddressRange]
    /// The headers that they write.
    public let header: Header

    /// Creates a list of proxies.
    public init(ranges: [AddressRange], header: Header = .automatic) {
        self.ranges = ranges
        self.header = header
    }

    func contains(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }

    /// Finds the client that a request comes from.
    ///
    /// - Parameters:
    ///   - peer: The address at the other end of the connection; `nil` where it has none, as a Unix socket.
    ///   - headers: The values of the headers of a name, given in lower case, in their order.
    /// - Returns: The last address on the way that is not one of the proxies'.
    func client(peer: IPAddress?, headers: (String) -> [String]) -> ClientConnection {
        let direct = ClientConnection(address: peer, isSecure: false)
        guard !ranges.isEmpty, let peer, contains(peer) else { return direct }
        let standard =
            header == .xForwarded ? nil : ForwardedPath(forwarded: headers("forwarded")).client(from: peer, of: self)
        let common = header == .forwarded ? nil : xForwarded(headers).client(from: peer, of: self)
        guard let standard, let common else { return standard ?? common ?? direct }
        return standard.address == common.address ? common : direct
    }

    private func xForwarded(_ headers: (String) -> [String]) -> ForwardedPath {
        ForwardedPath(addresses: headers("x-forwarded-for"), schemes: headers("x-forwarded-proto"))
    }
}

/// Where a request comes from.
package struct ClientConnection: Sendable, Hashable {
    /// The client's address, or `nil` where the connection has none.
    package var address: IPAddress?
    /// Whether the client speaks HTTPS, with a trusted proxy.
    package var isSecure: Bool

    /// The address as text, or `unknown`.
    package var addressText: String { address?.description ?? "unknown" }
}

/// The addresses that a request has passed, as proxies wrote them down: the client first.
struct ForwardedPath {
    private struct Hop {
        var address: IPAddress?
        var scheme: String?
    }

    /// As many proxies as a request may have passed; what stands before was written by a client.
    private static let longest = 16

    private var hops: [Hop] = []

    /// Reads `X-Forwarded-For` and `X-Forwarded-Proto`.
    init(addresses: [String], schemes: [String]) {
        let schemes = Self.elements(schemes, ",").map { $0.lowercased() }
        let addresses = Self.elements(addresses, ",")
        hops = addresses.enumerated().map { index, text in
            // A proxy that writes only one scheme writes that of the connection to the client.
            let place = schemes.count - (addresses.count - index)
            let scheme = schemes.indices.contains(place) ? schemes[place] : schemes.first
            return Hop(address: Self.address(text), scheme: scheme)
        }
        if hops.isEmpty, let scheme = schemes.last { hops = [Hop(address: nil, scheme: scheme)] }
    }

    /// Reads `Forwarded`.
    init(forwarded: [String]) {
        hops = Self.elements(forwarded, ",").map { element in
            var hop = Hop()
            for pair in Self.elements([element], ";") {
                guard let equals = pair.firstIndex(of: "=") else { continue }
                let value = Self.unquoted(pair[pair.index(after: equals)...])
                switch pair[..<equals].lowercased() {
                case "for": hop.address = Self.address(value)
                case "proto": hop.scheme = value.lowercased()
                default: continue
                }
            }
            return hop
        }
    }

    /// The client that proxies forward for: the last address that is not theirs, or `nil` where nothing was written.
    func client(from peer: IPAddress, of proxies: TrustedProxies) -> ClientConnection? {
        guard !hops.isEmpty else { return nil }
        var client = ClientConnection(address: peer, isSecure: false)
        for hop in hops.reversed() {
            client.isSecure = hop.scheme == "https"
            // An address that cannot be read, such as `unknown`: the proxy that wrote it stands for it.
            guard let address = hop.address else { break }
            client.address = address
            guard proxies.contains(address) else { break }
        }
        return client
    }

    /// The last elements of a list that may be spread over several headers.
    private static func elements(_ values: [String], _ separator: Character) -> [String] {
        var elements: [String] = []
        for value in values.reversed() {
            for element in value.split(separator: separator).reversed() {
                guard elements.count < longest else { return elements.reversed() }
                elements.append(element.trimmingPrefix { $0 == " " || $0 == "\t" }.trimmedAtEnd)
            }
        }
        return elements.reversed()
    }

    /// An address with or without brackets and port: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
    private static func address(_ text: String) -> IPAddress? {
        if text.hasPrefix("[") { return IPAddress(text.dropFirst().prefix { $0 != "]" }) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return IPAddress(parts.count == 2 ? parts[0] : text[...])
    }

    private static func unquoted(_ text: Substring) -> String {
        guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return String(text) }
        return String(text.dropFirst().dropLast())
    }
}

extension Substring {
    fileprivate var trimmedAtEnd: String {
        var text = self
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
