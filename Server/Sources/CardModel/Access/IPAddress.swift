import Foundation
import WireJSON

/// An IP address of version 4 or 6.
///
/// An address of version 4 that is written as one of version 6, such as `::ffff:192.0.2.1`, is the address of
/// version 4: sockets of version 6 name their peers so.
public struct IPAddress: Sendable, Hashable {
    /// The address as a number; one of version 4 takes the last 32 bits.
    public let bits: UInt128
    /// Whether it is of version 6.
    public let isVersion6: Bool

    /// Creates an address from its bytes in network order, or returns `nil` unless there are 4 or 16.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        let bits = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        // ::ffff:0:0/96
        let isMapped = bytes.count == 16 && bits >> 32 == 0xFFFF
        isVersion6 = bytes.count == 16 && !isMapped
        self.bits = isMapped ? bits & 0xFFFF_FFFF : bits
    }

    /// Reads an address such as `192.0.2.1` or `2001:db8::1`, or returns `nil`.
    ///
    /// Version 4 is read in four decimal parts only, so that no other program reads another address.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        var sixteen = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(bytes: withUnsafeBytes(of: &four) { Array($0) })
        } else if inet_pton(AF_INET6, text, &sixteen) == 1 {
            self.init(bytes: withUnsafeBytes(of: &sixteen) { Array($0) })
        } else {
            return nil
        }
    }

    /// The bytes in network order, 4 or 16 of them.
    public var bytes: [UInt8] {
        let count = isVersion6 ? 16 : 4
        return (0..<count).map { UInt8(truncatingIfNeeded: bits >> UInt128(8 * (count - 1 - $0))) }
    }

    /// Clears all but the first bits.
    ///
    /// - Parameter length: The number of bits that stay; what is longer than the address keeps all of it.
    /// - Returns: The first address of the range that the bits name.
    public func prefix(_ length: Int) -> IPAddress {
        // safe: 128 less what is not negative
        let cleared = UInt128(max(0, (isVersion6 ? 128 : 32) - max(0, length)))
        return IPAddress(bits: cleared >= 128 ? 0 : (bits >> cleared) << cleared, isVersion6: isVersion6)
    }

    private init(bits: UInt128, isVersion6: Bool) {
        self.bits = bits
        self.isVersion6 = isVersion6
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address in its usual form, such as `192.0.2.1` or `2001:db8::1`.
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = isVersion6 ? AF_INET6 : AF_INET
        guard bytes.withUnsafeBytes({ inet_ntop(family, $0.baseAddress, &text, socklen_t(text.count)) }) != nil else {
            return ""
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The addresses that begin with the same bits, such as `10.0.0.0/8`.
public struct AddressRange: Sendable, Hashable {
    /// The first address.
    public let first: IPAddress
    /// The number of bits that the addresses have in common.
    public let length: Int

    /// Reads an address or a range in CIDR notation, or returns `nil`.
    ///
    /// Bits of the address behind the prefix are ignored, so `10.1.2.3/8` is `10.0.0.0/8`.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(at: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = IPAddress(parts[0]) else { return nil }
        let longest = address.isVersion6 ? 128 : 32
        guard parts.count == 2 else {
            (first, length) = (address, longest)
            return
        }
        guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(parts[1]), length <= longest
        else { return nil }
        // safe: not longer than the address, as was asked for
        (first, self.length) = (address.prefix(length), length)
    }

    /// Whether an address is one of them; an address of the other version never is.
    public func contains(_ address: IPAddress) -> Bool {
        // safe: an address cuts any length to its own
        address.isVersion6 == first.isVersion6 && address.prefix(length) == first
    }

    /// Whether all addresses of another range are among them.
    public func contains(_ other: AddressRange) -> Bool { other.length >= length && contains(other.first) }
}

extension AddressRange: CustomStringConvertible {
    /// The range in CIDR notation; a single address by itself.
    public var description: String {
        length == (first.isVersion6 ? 128 : 32) ? "\(first)" : "\(first)/\(length)"
    }
}

extension AddressRange {
    /// Reads addresses and ranges with commas or spaces between them, such as `10.0.0.0/8, ::1`.
    ///
    /// - Throws: `ModelError` that names the first one that cannot be read.
    public static func list(_ text: String) throws(ModelError) -> [AddressRange] {
        var ranges: [AddressRange] = []
        for element in text.split(atAnyOf: ", \t\r\n") {
            guard let range = AddressRange(element) else {
                throw ModelError(
                    .fieldInvalid,
                    at: "",
                    "\(element) is not an IP address or a range such as 10.0.0.0/8."
                )
            }
            ranges.append(range)
        }
        return ranges
    }
}
