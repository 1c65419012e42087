import CardModel
import Testing

@Suite("E-mail addresses of members")
struct EmailAddressTests {
    @Test(
        "Spellings that mean the same are one address",
        arguments: [
            (" Anna@Example.COM\n", "anna@example.com"), ("\u{212A}ate@example.com", "kate@example.com"),
            ("jose\u{301}@example.com", "jos\u{e9}@example.com"), ("ａｎｎａ＠example.com", "anna@example.com"),
            ("İ@example.com", "i\u{307}@example.com"),
        ]
    )
    func spellings(_ typed: String, _ text: String) throws {
        let address = try #require(EmailAddress(typed))
        #expect(Array(address.text.utf8) == Array(text.utf8))
        #expect(EmailAddress(address.text)?.text.utf8.elementsEqual(address.text.utf8) == true)
    }

    @Test(
        "What is no address is none",
        arguments: [
            "", "anna", "@example.com", "anna@", "a@b@c", "an na@example.com", "anna@example.com\0", "a\u{200B}@b.c",
            "a\u{202E}@b.c", "<script>@b.c", "anna@example.com.", "anna@example\u{D4E}.",
            String(repeating: "a", count: 250) + "@b.cd",
            String(repeating: "a", count: 900_000) + "@b.c", String(repeating: "\u{FDFA}", count: 80) + "@b.c",
        ]
    )
    func refused(_ typed: String) { #expect(EmailAddress(typed) == nil) }
}
