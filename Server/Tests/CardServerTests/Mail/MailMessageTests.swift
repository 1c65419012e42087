import CardModel
import Foundation
import Testing

@testable import CardServer

@Suite("Mail: messages")
struct MailMessageTests {
    private static func message(
        from sender: String = "Placard <cards@example.com>",
        to recipient: String = "anna@example.com",
        subject: String = "Hello",
        text: String = "Text\n"
    ) throws -> String {
        let message = MailMessage(
            sender: try #require(MailSender(sender)),
            recipient: try #require(MailAddress(recipient)),
            text: MailText(subject: subject, text: text),
            id: "mail_1",
            date: 1_800_000_000
        )
        return String(decoding: message.bytes, as: UTF8.self)
    }

    private static func fields(_ message: String) -> [String] {
        let head = message.components(separatedBy: "\r\n\r\n").first ?? ""
        return head.replacing("\r\n ", with: " ").components(separatedBy: "\r\n")
    }

    @Test("A message has the fields that mail servers ask for")
    func golden() throws {
        #expect(
            try Self.message() == """
                Date: Fri, 15 Jan 2027 08:00:00 +0000\r
                From: "Placard" <cards@example.com>\r
                To: anna@example.com\r
                Message-ID: <mail_1@example.com>\r
                Subject: Hello\r
                MIME-Version: 1.0\r
                Content-Type: text/plain; charset=utf-8\r
                Content-Transfer-Encoding: base64\r
                Auto-Submitted: auto-generated\r
                \r
                VGV4dA0K\r

                """
        )
    }

    @Test(
        "No subject makes another field, and every line is short and ASCII",
        arguments: [
            "a\r\nBcc: eve@example.com", "a\nBcc: eve@example.com", "a\rBcc: x", "a\u{2028}b\u{85}c\0d",
            "=?UTF-8?Q?x?=",
            String(repeating: "x", count: 5_000), String(repeating: "日本語のキャンペーン", count: 60),
            String(repeating: "👩‍👩‍👧‍👦", count: 60), String(repeating: "e\u{301}", count: 200), "",
        ]
    )
    func subjects(subject: String) throws {
        let message = try Self.message(subject: subject)
        let lines = message.components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 76 && $0.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } })
        #expect(Self.fields(message).count == 9)
        #expect(!Self.fields(message).contains { $0.hasPrefix("Bcc") })
    }

    @Test("A subject comes back from its encoded words, of which none ends within a character")
    func encodedWords() throws {
        let subject = "承認の依頼：「夏のセール」の開始 — \(String(repeating: "é", count: 40))"
        let field = try #require(Self.fields(try Self.message(subject: subject)).first { $0.hasPrefix("Subject: ") })
        let words = field.dropFirst("Subject: ".count).split(separator: " ")
        let texts = try words.map { word in
            #expect(word.hasPrefix("=?UTF-8?B?") && word.hasSuffix("?="))
            let data = try #require(Data(base64Encoded: String(word.dropFirst(10).dropLast(2))))
            return try #require(String(validating: data, as: UTF8.self))
        }
        #expect(texts.joined() == subject)
    }

    @Test("A full stop at the beginning of a line is doubled, and none ends the message but the last")
    func stuffing() throws {
        let message = MailMessage(
            sender: try #require(MailSender("a@example.com")),
            recipient: try #require(MailAddress("b@example.com")),
            text: MailText(subject: ".", text: "."),
            id: ".",
            date: 0
        )
        let sent = String(decoding: message.transmitted, as: UTF8.self)
        #expect(sent.hasSuffix("\r\n.\r\n"))
        #expect(sent.components(separatedBy: "\r\n.\r\n").count == 2)
    }

    @Test(
        "An address is written so that it means nothing else",
        arguments: [
            ("anna@example.com", "anna@example.com"), ("Anna@EXAMPLE.com", "anna@example.com"),
            ("a,b@example.com", "\"a,b\"@example.com"), ("a(b)@example.com", "\"a(b)\"@example.com"),
            (".a@example.com", "\".a\"@example.com"), ("a..b@example.com", "\"a..b\"@example.com"),
            ("a;b:c@example.com", "\"a;b:c\"@example.com"), ("a+tag@bücher.example", "a+tag@xn--bcher-kva.example"),
            ("a@[192.0.2.1]", "a@[192.0.2.1]"), ("a@[ipv6:2001:db8::1]", "a@[ipv6:2001:db8::1]"),
        ]
    )
    func addresses(typed: String, expected: String) { #expect(MailAddress(typed)?.path == expected) }

    @Test(
        "What is no address isn't written",
        arguments: [
            "", "a", "@", "a@", "@b", "a@b@c", "a@b c", "a\r\n@b", "a@b\r\nRCPT TO:<c@d>", "<a@b>", "a@b>", "a@-,b",
            "a@b..c",
            "a@[1.2.3]", "a@[x]", "\"a\"@b", "a\\@b", "a@" + String(repeating: "b", count: 64),
        ]
    )
    func noAddresses(typed: String) { #expect(MailAddress(typed) == nil) }

    @Test(
        "A sender has a name or none",
        arguments: [
            ("cards@example.com", "cards@example.com"), ("<cards@example.com>", "cards@example.com"),
            ("Placard <cards@example.com>", "\"Placard\" <cards@example.com>"),
            ("\"Cards, Inc.\" <cards@example.com>", "\"Cards, Inc.\" <cards@example.com>"),
            ("カード <cards@example.com>", "=?UTF-8?B?44Kr44O844OJ?= <cards@example.com>"),
            ("a \"b\" c <cards@example.com>", "=?UTF-8?B?YSAiYiIgYw==?= <cards@example.com>"),
        ]
    )
    func senders(text: String, header: String) { #expect(MailSender(text)?.header == header) }

    @Test(
        "What is no sender is refused",
        arguments: ["", "Placard", "Placard <>", "a\r\nb <a@b.c>", "<a@b.c> x", "a@b.c>"]
    )
    func noSenders(text: String) { #expect(MailSender(text) == nil) }
}
