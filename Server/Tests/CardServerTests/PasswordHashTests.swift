import CardServer
import Foundation
import Testing

@Suite("Passwords")
struct PasswordHashTests {
    @Test("A password is its own hash's and no other's, and a hash with any byte changed is nobody's")
    func verifying() throws {
        let hash = try PasswordHash.make("correct horse")
        #expect(PasswordHash.verify("correct horse", against: hash))
        #expect(!PasswordHash.verify("correct horsf", against: hash))

        var fields = hash.split(separator: "$").map(String.init)
        var bytes = try #require(Data(base64Encoded: fields[5]))
        // One changed byte must count wherever it is, also where the bytes after it could cancel it out.
        bytes[0] ^= 0x01
        bytes[1] |= 0x01
        fields[5] = bytes.base64EncodedString()
        #expect(!PasswordHash.verify("correct horse", against: fields.joined(separator: "$")))
    }

    @Test("All of a password's characters count, to the longest that there may be")
    func everyCharacter() throws {
        let longest = String(repeating: "pässwörd", count: 16)
        #expect(longest.count == 128)
        let hash = try PasswordHash.make(longest, rounds: 16)
        #expect(PasswordHash.verify(longest, against: hash))
        #expect(!PasswordHash.verify(String(longest.dropLast()) + "D", against: hash))
        #expect(!PasswordHash.verify(String(longest.dropLast()), against: hash))
    }

    @Test("A password is the same in each form in which keyboards write it")
    func forms() throws {
        let hash = try PasswordHash.make("caf\u{E9} ｐｌａｃａｒｄ", rounds: 16)
        #expect(PasswordHash.verify("cafe\u{301} placard", against: hash))
        #expect(!PasswordHash.verify("cafe placard", against: hash))
    }
}
