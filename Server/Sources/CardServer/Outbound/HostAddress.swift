import Foundation

/// The bytes of an IP address, 4 or 16 of them.
struct HostAddress: Sendable, Hashable {
    /// The address that stands for any of this machine's, to which nothing public is ever bound.
    static let unspecified = HostAddress(bytes: [0, 0, 0, 0])

    /// The bytes in network order.
    let bytes: [UInt8]

    /// Reads an address such as `192.0.2.1` or `2001:db8::1`, or returns `nil` where the text is none.
    init?(_ text: String) {
        // What is behind a zero byte would be passed over.
        guard !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        var sixteen = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &sixteen) == 1 {
            bytes = withUnsafeBytes(of: &sixteen) { Array($0) }
        } else {
            return nil
        }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Whether it is an address of IPv6.
    var isSix: Bool { bytes.count == 16 }

    /// Whether the address is one of the internet, rather than of this machine, its network or a special purpose.
    var isPublic: Bool { isSix ? isPublicInSix : Self.isPublic(bytes) }

    // safe: four bytes
    /// By the registry of special-purpose addresses, RFC 6890 and what followed it.
    private static func isPublic(_ four: [UInt8]) -> Bool {
        switch (four[0], four[1], four[2]) {
        case (0, _, _), (10, _, _), (100, 64...127, _), (127, _, _), (169, 254, _), (172, 16...31, _): false
        case (192, 0, 0), (192, 0, 2), (192, 88, 99), (192, 168, _), (198, 18...19, _), (198, 51, 100): false
        case (203, 0, 113), (224..., _, _): false
        default: true
        }
    }

    // safe: sixteen bytes
    private var isPublicInSix: Bool {
        // Addresses of IPv4 in the form of IPv6: mapped, and translated by a NAT64 gateway.
        let zeros = [UInt8](repeating: 0, count: 8)
        let forms = [zeros + [0, 0, 0xFF, 0xFF], [0, 0x64, 0xFF, 0x9B] + zeros]
        if forms.contains(Array(bytes.prefix(12))) { return Self.isPublic(Array(bytes.suffix(4))) }
        // All that is given out for the internet begins with 001.
        guard bytes[0] & 0xE0 == 0x20 else { return false }
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        // Protocols, Teredo among them; documentation; tunnels to any address of IPv4; documentation.
        case (0x20, 0x01, 0x00...0x01, _), (0x20, 0x01, 0x0D, 0xB8), (0x20, 0x02, _, _), (0x3F, 0xFF, 0x00...0x0F, _):
            return false
        default: return true
        }
    }
}
