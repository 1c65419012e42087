import CardStore
import Foundation
import Testing

@Suite("Secrets: how they are encrypted")
struct SealedSecretTests {
    private let key = SecretsKey.random()
    private let place = SecretPlace(table: "members", column: "secret", row: "ann")

    @Test("A secret of any length is read back, and encrypted otherwise each time", arguments: [0, 1, 32, 5_000])
    func roundTrip(length: Int) throws {
        let secret = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        let one = try SealedSecret(secret, for: place, with: key)
        let two = try SealedSecret(secret, for: place, with: key)
        #expect(one.bytes.count == length + 37 && one.bytes != two.bytes && one.keyID == key.id)
        for sealed in [one, two] {
            #expect(try SealedSecret(stored: sealed.bytes).open(for: place, with: key) == secret)
        }
    }

    @Test("A change of any bit is noticed")
    func bits() throws {
        let bytes = try SealedSecret(Array("seed".utf8), for: place, with: key).bytes
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                let error = #expect(throws: StoreError.self, "byte \(index), bit \(bit)") {
                    try SealedSecret(stored: changed).open(for: place, with: key)
                }
                #expect(error?.code == .corrupt)
            }
        }
    }

    @Test("A secret that was cut off or got longer is none")
    func lengths() throws {
        let bytes = try SealedSecret(Array("seed".utf8), for: place, with: key).bytes
        for count in bytes.indices {
            #expect(throws: StoreError.self, "\(count) bytes") {
                try SealedSecret(stored: Array(bytes.prefix(count))).open(for: place, with: key)
            }
        }
        #expect(throws: StoreError.self) { try SealedSecret(stored: bytes + [0]).open(for: place, with: key) }
        #expect(throws: StoreError.self) { try SealedSecret(stored: []) }
    }

    @Test("A secret opens in no other place, also where the parts of its name are the same text put together")
    func places() throws {
        let own = SecretPlace(table: "ab", column: "c", row: "caf\u{E9}")
        let sealed = try SealedSecret([1, 2, 3], for: own, with: key)
        #expect(try sealed.open(for: own, with: key) == [1, 2, 3])
        let others = [
            SecretPlace(table: "a", column: "bc", row: "caf\u{E9}"),
            SecretPlace(table: "ab", column: "", row: "ccaf\u{E9}"),
            SecretPlace(table: "ab", column: "c", row: "cafe\u{301}"), SecretPlace(table: "ab", column: "c", row: ""),
            SecretPlace(table: "AB", column: "c", row: "caf\u{E9}"),
        ]
        for other in others {
            #expect(throws: StoreError.self) { try sealed.open(for: other, with: key) }
        }
    }

    @Test("Another key opens nothing, and neither do columns of each other")
    func others() throws {
        let sealed = try SealedSecret([1], for: SealedColumn.codeSecret.place("1"), with: key)
        #expect(throws: StoreError.self) { try sealed.open(for: SealedColumn.codeSecret.place("1"), with: .random()) }
        for column in SealedColumn.all.dropFirst() {
            #expect(throws: StoreError.self) { try sealed.open(for: column.place("1"), with: key) }
        }
    }

    @Test("The id of a key follows from the key, as it was in every version")
    func ids() throws {
        // The bytes 0 to 31; the id was computed with another program.
        let key = try #require(SecretsKey(text: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="))
        #expect(key.description == "af3002e001003978" && SecretsKey.name(of: []).isEmpty)
        #expect(key.text == "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
        #expect(SecretsKeyring([key]).key(key.id) == key && SecretsKeyring([key]).key(key.id.dropLast()) == nil)
    }

    @Test(
        "A text with fewer different bytes than random ones have is a placeholder",
        arguments: [(11, false), (12, true)]
    )
    func placeholders(different: Int, isKey: Bool) {
        let bytes = (0..<32).map { UInt8($0 % different) }
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect((SecretsKey(text: digits) != nil) == isKey)
        #expect((SecretsKey(text: Data(bytes).base64EncodedString()) != nil) == isKey)
    }

    @Test("Digits of other scripts, and texts that are longer than a key, are no key")
    func foreignDigits() {
        let digits = (0..<32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(SecretsKey(text: digits) != nil)
        for text in [
            "\(digits)0", "\(digits.dropLast())", "0x\(digits.dropLast(2))", "\(digits)\u{301}",
            "\u{FF10}\(digits.dropFirst())", "\(digits.dropLast())\u{661}", "+\(digits.dropFirst())",
        ] {
            #expect(SecretsKey(text: text) == nil, "\(text)")
        }
    }

    @Test("Keys are read from lines of any end, and a key in front of others is not kept twice")
    func keyrings() throws {
        let (one, two) = (SecretsKey.random(), SecretsKey.random())
        for end in ["\n", "\r\n", "\r"] {
            let text = ["", "# note", " \t# note, with a comma", one.text, "", two.text].joined(separator: end)
            #expect(SecretsKeyring(text: text)?.keys == [one, two])
        }
        #expect(SecretsKeyring([one, two]).adding(two).keys == [two, one])
        #expect(SecretsKeyring().adding(one).keys == [one])
        for text in ["", "\n", "# \(one.text)", ",", "\(one.text) \(two.text)", "\(one.text) # note"] {
            #expect(SecretsKeyring(text: text) == nil, "\(text)")
        }
    }
}
