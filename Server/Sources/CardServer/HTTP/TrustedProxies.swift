public import CardModel
import WireJSON

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
        /// different clients, neither is believed: the request counts for the proxy's address, and as from nowhere
        /// where an address gives a right.
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
    /// Whether whoever connects by a Unix socket is a proxy.
    public let includesSocket: Bool
    /// The headers that they write.
    public let header: Header

    /// Creates a list of proxies.
    public init(ranges: [AddressRange], includesSocket: Bool = false, header: Header = .automatic) {
        self.ranges = ranges
        self.includesSocket = includesSocket
        self.header = header
    }

    /// Whether there is no proxy.
    var isEmpty: Bool { ranges.isEmpty && !includesSocket }

    func contains(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }

    /// Returns whether the other end of a connection is a proxy.
    func contains(_ peer: PeerAddress) -> Bool {
        switch peer {
        case .network(let address): contains(address)
        case .socket: includesSocket
        case .unknown: false
        }
    }

    /// Finds the client that a request comes from.
    ///
    /// - Parameters:
    ///   - peer: The other end of the connection.
    ///   - isEncrypted: Whether that connection is, which counts where no proxy says how the client came.
    ///   - headers: The values of the headers of a name, given in lower case, in their order.
    /// - Returns: The last address on the way that is not one of the proxies'.
    func client(
        peer: PeerAddress,
        isEncrypted: Bool = false,
        headers: (String) -> [String]
    ) -> ClientConnection {
        let direct = ClientConnection(peer, isSecure: isEncrypted)
        guard !isEmpty, contains(peer) else { return direct }
        let standard =
            header == .xForwarded ? nil : ForwardedPath(forwarded: headers("forwarded")).client(from: peer, of: self)
        let common = header == .forwarded ? nil : xForwarded(headers).client(from: peer, of: self)
        guard let standard, let common else { return standard ?? common ?? direct }
        return standard.peer == common.peer ? common : .unnamed(by: peer)
    }

    private func xForwarded(_ headers: (String) -> [String]) -> ForwardedPath {
        ForwardedPath(addresses: headers("x-forwarded-for"), schemes: headers("x-forwarded-proto"))
    }
}

/// The other end of a connection.
enum PeerAddress: Sendable, Hashable {
    /// An address of a network.
    case network(IPAddress)
    /// A process of this machine that connected by a Unix socket.
    case socket
    /// One that has no address.
    case unknown

    /// Creates a peer of an address, or of none.
    init(_ address: IPAddress?) { self = address.map(Self.network) ?? .unknown }
}

extension ClientKey {
    /// Takes the other end of a connection; returns `nil` where nothing is known of it.
    init?(_ peer: PeerAddress) {
        switch peer {
        case .network(let address): self.init(address)
        case .socket: self = .socket
        case .unknown: return nil
        }
    }
}

/// The origin of a request.
package struct ClientConnection: Sendable, Hashable {
    /// The client, or the last proxy before it.
    fileprivate(set) var peer: PeerAddress
    /// Whether the client speaks HTTPS, with this server or a trusted proxy.
    package var isSecure: Bool
    /// Whether ``address`` is the client's own; it is the proxy's where that names nobody who can be believed.
    var isNamed = true

    /// Creates what is known of a client.
    init(_ peer: PeerAddress, isSecure: Bool) {
        self.peer = peer
        self.isSecure = isSecure
    }

    /// The client's address, or `nil` where the connection has none.
    package var address: IPAddress? {
        if case .network(let address) = peer { address } else { nil }
    }

    /// The client that requests are counted for, or `nil` where nothing is known of it.
    var key: ClientKey? { ClientKey(peer) }

    /// A client that a proxy speaks for without naming it.
    static func unnamed(by proxy: PeerAddress) -> ClientConnection {
        var client = ClientConnection(proxy, isSecure: false)
        client.isNamed = false
        return client
    }

    /// The address where it can give a right, such as that of using a key that is bound to addresses, or `nil`.
    package var provenAddress: IPAddress? { isNamed ? address : nil }

    /// The address as text, `unix` for a Unix socket, or `unknown`.
    package var addressText: String {
        switch peer {
        case .network(let address): address.description
        case .socket: "unix"
        case .unknown: "unknown"
        }
    }
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
                guard let (name, text) = pair.divided(at: "=") else { continue }
                let value = Self.unquoted(text)
                switch name.lowercased() {
                case "for": hop.address = Self.address(value)
                case "proto": hop.scheme = value.lowercased()
                default: continue
                }
            }
            return hop
        }
    }

    /// The client that proxies forward for: the last address that is not theirs, or `nil` where nothing was written.
    func client(from peer: PeerAddress, of proxies: TrustedProxies) -> ClientConnection? {
        guard !hops.isEmpty else { return nil }
        var client = ClientConnection(peer, isSecure: false)
        for hop in hops.reversed() {
            client.isSecure = hop.scheme == "https"
            // An address that cannot be read, such as `unknown`: the proxy that wrote it is counted for it, no more.
            guard let address = hop.address else {
                client.isNamed = false
                break
            }
            client.peer = .network(address)
            guard proxies.contains(address) else { break }
        }
        return client
    }

    /// The last elements of a list that may be spread over several headers.
    ///
    /// They are split by bytes, as the proxy appended its own: no character of a client's hides the comma before it.
    private static func elements(_ values: [String], _ separator: Unicode.Scalar) -> [String] {
        var elements: [String] = []
        for value in values.reversed() {
            for element in value.split(at: separator).reversed() {
                guard elements.count < longest else { return elements.reversed() }
                elements.append(element.trimmed)
            }
        }
        return elements.reversed()
    }

    /// An address with or without brackets and port: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
    private static func address(_ text: String) -> IPAddress? {
        if let inside = text.dropping(bytesOf: "[") {
            guard let (address, rest) = inside.divided(at: "]"),
                rest.isEmpty || rest.dropping(bytesOf: ":").map(isPort) == true
            else { return nil }
            return IPAddress(address)
        }
        let parts = text.split(at: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return IPAddress(text[...]) }
        return isPort(parts[1]) ? IPAddress(parts[0]) : nil
    }

    private static func isPort(_ text: Substring) -> Bool {
        (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func unquoted(_ text: Substring) -> String {
        guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return String(text) }
        return String(text.dropFirst().dropLast())
    }
}

extension Substring {
    /// The text without blanks at its ends, by its bytes.
    fileprivate var trimmed: String {
        let blanks = " \t".utf8
        let bytes = utf8.drop { blanks.contains($0) }
        guard let last = bytes.lastIndex(where: { !blanks.contains($0) }) else { return "" }
        return String(Substring(bytes[...last]))
    }
}
