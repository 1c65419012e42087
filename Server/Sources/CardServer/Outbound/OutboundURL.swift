import WireJSON

/// An address of HTTP that this server may be told to ask, read in the narrowest way: a text that different readers
/// could take for different hosts is refused.
struct OutboundURL: Sendable, Hashable {
    private static let lengthLimit = 8_192

    /// Whether it is one of HTTPS.
    let isSecure: Bool
    /// The host in lower case: a name, or an IP address without brackets.
    let host: String
    let port: Int
    /// The path and query, as they stand in a request.
    let target: String

    /// Reads an address of http or https, or returns `nil` where it is none or names a user.
    init?(_ text: String) {
        let text = text.utf8
        guard text.count <= Self.lengthLimit, let scheme = Self.scheme(of: text) else { return nil }
        isSecure = scheme == "https"
        let rest = text.dropFirst(scheme.utf8.count + 3)
        let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        guard let authority = Authority(String(decoding: rest[..<end], as: UTF8.self)) else { return nil }
        host = authority.host
        port = authority.port ?? (isSecure ? 443 : 80)
        target = Self.target(of: rest[end...].prefix { $0 != UInt8(ascii: "#") })
    }

    private static func scheme(of text: String.UTF8View) -> String? {
        ["https", "http"].first { scheme in
            let start = text.prefix(scheme.utf8.count + 3).map { $0 | (($0 >= 0x41 && $0 <= 0x5A) ? 0x20 : 0) }
            return start.elementsEqual((scheme + "://").utf8)
        }
    }

    /// Whether the port is one of another protocol, which is never asked.
    var hasForeignPort: Bool { Self.foreignPorts.contains(port) }

    /// The host as requests name it.
    var authority: String {
        let name = host.contains(bytesOf: ":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// The bytes that stand in a request as they are; anything else is written as a percent sign and digits.
    private static let plain = Set("-._~!$&'()*+,;=:@/?%[]".utf8)

    private static func target(of text: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var target: [UInt8] = []
        for byte in text {
            let isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
            if isLetter || (byte >= 0x30 && byte <= 0x39) || plain.contains(byte) {
                target.append(byte)
            } else {
                // safe: four bits, and sixteen digits
                target += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        if target.first != UInt8(ascii: "/") { target.insert(UInt8(ascii: "/"), at: 0) }
        return String(decoding: target, as: UTF8.self)
    }

    // The ports of other protocols, which browsers refuse too: https://fetch.spec.whatwg.org/#port-blocking
    private static let foreignPorts: Set<Int> = [
        0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
        110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530,
        531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190,
        5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
    ]
}

/// A host with a port or without.
private struct Authority {
    let host: String
    let port: Int?

    init?(_ text: String) {
        var (name, number) = (Substring(text), Substring?.none)
        if let inside = text.dropping(bytesOf: "[") {
            guard let parts = inside.divided(at: "]") else { return nil }
            name = parts.before
            number = parts.behind.dropping(bytesOf: ":")
            guard parts.behind.isEmpty || number != nil else { return nil }
            guard HostAddress(String(name))?.isSix == true else { return nil }
        } else {
            let parts = text.split(at: ":", maxSplits: 1, omittingEmptySubsequences: false)
            name = parts[0]
            if parts.count == 2 { number = parts[1] }
            guard Self.isHost(name) else { return nil }
        }
        host = name.lowercased()
        guard let number else {
            port = nil
            return
        }
        guard number.utf8.count <= 5, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(number),
            (1...65_535).contains(value)
        else { return nil }
        port = value
    }

    /// Whether it is a name or an IP address of version 4, with four numbers in decimal and in no other form.
    private static func isHost(_ name: Substring) -> Bool {
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...253).contains(name.utf8.count), labels.allSatisfy({ isLabel($0) }), let last = labels.last else {
            return false
        }
        // Some readers take whatever ends in a number for an address: 2130706433, 0x7f.1, 127.1.
        let isNumber = last.allSatisfy { (0x30...0x39).contains($0) } || last.starts(with: "0x".utf8)
        guard isNumber || last.starts(with: "0X".utf8) else { return true }
        return HostAddress(String(name)) != nil && labels.allSatisfy { $0.count == 1 || $0.first != 0x30 }
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        (1...63).contains(label.count)
            && label.allSatisfy { byte in
                let isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
                return isLetter || (byte >= 0x30 && byte <= 0x39) || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            }
    }
}
