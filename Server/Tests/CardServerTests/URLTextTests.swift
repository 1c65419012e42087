import Testing

@testable import CardServer

@Suite("Texts of addresses")
struct URLTextTests {
    @Test("What isn't a letter, a digit or one of -._~ is percent-encoded by its bytes")
    func escape() {
        #expect(URLText.escape("aZ09-._~") == "aZ09-._~")
        #expect(URLText.escape("a b+c&d=e/\u{1}@[`{") == "a%20b%2Bc%26d%3De%2F%01%40%5B%60%7B")
        #expect(URLText.escape("é\u{301}\u{1F600}") == "%C3%A9%CC%81%F0%9F%98%80")
        #expect(URLText.escape("") == "")
    }

    @Test("Fields are joined in their order, however often a name is there")
    func form() {
        #expect(URLText.form([("a", "1&2"), ("b c", ""), ("a", "=")]) == "a=1%262&b%20c=&a=%3D")
        #expect(URLText.form([]) == "")
    }

    @Test("Base 64 has the letters of addresses and no padding")
    func base64() {
        #expect(URLText.base64URL([0xFB, 0xFF, 0xFE, 0x01]) == "-__-AQ")
        #expect(URLText.base64URL([]) == "")
    }
}
