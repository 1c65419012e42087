import Foundation

/// The bytes of an IP address, 4 or 16 of them.
struct HostAddress {
    private let bytes: [UInt8]

    /// Reads an address such as `192.0.2.1` or `2001:db8::1`, or returns `nil` where the text is none.
    init?(_ text: String) {
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

    /// Whether the address is one of the internet, rather than of this machine, its network or a special purpose.
    var isPublic: Bool { bytes.count == 4 ? Self.isPublic(bytes) : isPublicInSix }

    private static func isPublic(_ four: [UInt8]) -> Bool {
        switch (four[0], four[1]) {
        case (0, _), (10, _), (127, _), (169, 254), (172, 16...31), (192, 168), (100, 64...127), (198, 18...19): false
        case (192, 0): four[2] != 0
        case (224..., _): false
        default: true
        }
    }

    private var isPublicInSix: Bool {
        // Addresses of version 4 in the clothes of version 6: mapped, compatible, and translated.
        let head = Array(bytes.prefix(12))
        let zeros = [UInt8](repeating: 0, count: 12)
        let prefixes = [zeros, zeros.prefix(10) + [0xFF, 0xFF], [0, 0x64, 0xFF, 0x9B] + zeros.prefix(8)]
        if prefixes.contains(head) { return Self.isPublic(Array(bytes.suffix(4))) }
        // All that is given out for the internet begins with 001.
        return bytes[0] & 0xE0 == 0x20
    }

    /// Whether a host has addresses and all of them are public.
    ///
    /// Waits for the resolver.
    static func arePublic(of host: String) -> Bool {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return false }
        defer { freeaddrinfo(list) }
        var (next, count) = (list, 0)
        while let info = next?.pointee {
            guard let text = text(of: info), HostAddress(text)?.isPublic == true else { return false }
            count += 1
            next = info.ai_next
        }
        return count > 0
    }

    private static func text(of info: addrinfo) -> String? {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let length = socklen_t(name.count)
        guard getnameinfo(info.ai_addr, info.ai_addrlen, &name, length, nil, 0, NI_NUMERICHOST) == 0 else { return nil }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        // A zone such as `%eth0` belongs to addresses of one network, which are none of the internet.
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "%") }, as: UTF8.self)
    }
}
