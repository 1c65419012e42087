import CardModel
import Statistics
import Testing

/// Compares addresses and ranges with their bits, as texts of zeros and ones.
@Suite("IP addresses and their model")
struct AddressRangeModelTests {
    private func bits(_ bytes: [UInt8]) -> String {
        bytes.map { byte in (0..<8).map { byte >> (7 - $0) & 1 == 1 ? "1" : "0" }.joined() }.joined()
    }

    /// Bytes of which many are 0 or 255, so that addresses have much in common.
    private func bytes(_ count: Int, _ random: inout SplitMix) -> [UInt8] {
        (0..<count).map { _ in
            [0, 0, 0, 1, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
        }
    }

    private func address(_ count: Int, _ random: inout SplitMix) throws -> IPAddress {
        try #require(IPAddress(bytes: bytes(count, &random)))
    }

    @Test(arguments: [4, 16])
    func `An address is read back as it is written, and its bytes are its own`(count: Int) throws {
        var random = SplitMix(seed: UInt64(count))
        for _ in 0..<2_000 {
            let bytes = bytes(count, &random)
            let address = try #require(IPAddress(bytes: bytes))
            let isMapped = count == 16 && bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
            #expect(address.bytes == (isMapped ? Array(bytes.suffix(4)) : bytes))
            #expect(address.isVersion6 == (count == 16 && !isMapped))
            #expect(IPAddress(address.description) == address, "\(address)")
        }
        for wrong in [0, 1, 3, 5, 15, 17] { #expect(IPAddress(bytes: [UInt8](repeating: 0, count: wrong)) == nil) }
    }

    @Test(arguments: [4, 16])
    func `A range has the addresses that begin with its bits, and other ranges that do`(count: Int) throws {
        var random = SplitMix(seed: UInt64(100 + count))
        for _ in 0..<1_000 {
            let base = try address(count, &random)
            let longest = base.isVersion6 ? 128 : 32
            let length = Int.random(in: 0...longest, using: &random)
            let range = try #require(AddressRange("\(base)/\(length)"))
            let prefix = bits(base.bytes).prefix(length)
            #expect(range.length == length && bits(range.first.bytes).hasPrefix(prefix))
            #expect(!bits(range.first.bytes).dropFirst(length).contains("1"))
            #expect(range.contains(base) && range.contains(range.first))
            for _ in 0..<6 {
                let other = try address(count, &random)
                guard other.isVersion6 == base.isVersion6 else { continue }
                #expect(range.contains(other) == bits(other.bytes).hasPrefix(prefix), "\(range) and \(other)")
                let inner = Int.random(in: 0...longest, using: &random)
                let second = try #require(AddressRange("\(other)/\(inner)"))
                #expect(range.contains(second) == (inner >= length && bits(other.bytes).hasPrefix(prefix)))
            }
            #expect(AddressRange(range.description) == range)
            #expect(AddressRange("\(base)/\(longest + 1)") == nil)
        }
    }

    @Test func `The bits of the last and of no length are one address and all`() throws {
        let address = try #require(IPAddress("203.0.113.9"))
        #expect(address.prefix(32) == address && address.prefix(.max) == address)
        #expect(address.prefix(0) == IPAddress("0.0.0.0") && address.prefix(.min) == IPAddress("0.0.0.0"))
        let six = try #require(IPAddress("ffff:ffff::1"))
        #expect(six.prefix(128) == six && six.prefix(0) == IPAddress("::"))
        #expect(six.prefix(17).description == "ffff:8000::")
    }
}
