import Foundation
import Testing

@testable import ContentCards

@Suite("What an id of a user may be")
struct UserIDRulesTests {
    /// The characters that neither the server nor the SDK takes, whose tests read the same list.
    private static func refusedRanges() throws -> [ClosedRange<UInt32>] {
        let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Server/Tests/Fixtures/refused-in-ids.txt").standardized
        let lines = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        return try lines.map { line in
            let ends = line.split(separator: "-").compactMap { UInt32($0, radix: 16) }
            let (first, last) = (try #require(ends.first), try #require(ends.last))
            return first...last
        }
    }

    @Test("Every scalar but those that the server refuses")
    func scalars() throws {
        let refused = try Self.refusedRanges()
        #expect(refused.count == 6)
        for value in 0...0x10FFFF as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isRefused = refused.contains { $0.contains(value) }
            for text in ["\(scalar)", "ann\(scalar)"] where UserIDRules.isValid(text) == isRefused {
                Issue.record("U+\(String(value, radix: 16))")
            }
        }
    }

    @Test("1 to 512 bytes")
    func lengths() {
        #expect(!UserIDRules.isValid(""))
        #expect(UserIDRules.isValid(String(repeating: "\u{E9}", count: 256)))
        #expect(!UserIDRules.isValid(String(repeating: "\u{E9}", count: 257)))
    }
}
