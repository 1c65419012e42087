import CardModel
import Statistics
import Testing
import WireJSON

@Suite("Messages to members, and what they say")
struct MessageTests {
    private static let approval = ApprovalLetter(
        campaign: "Spring",
        link: "https://cards.example/approvals/apr_1",
        isEdit: true,
        author: "ann@example.com",
        comment: "Caf\u{E9}\nplease"
    )
    private static let password = PasswordLetter(link: "https://cards.example/p", expiresAt: 1_800_000_000.25)

    private static let contents: [(MailContent, String)] = [
        (.invitation(password, from: "Ann"), "invitation"), (.passwordReset(password), "password-reset"),
        (.accountChanged(action: "two_factor.disable", link: "https://cards.example/account"), "account-changed"),
        (.approvalRequested(approval), "approval-requested"), (.approvalApproved(approval), "approval-approved"),
        (.approvalRejected(approval), "approval-rejected"),
    ]

    @Test(arguments: contents)
    func `A message is read back as it was kept, and not where any part of it is missing`(
        content: MailContent,
        kind: String
    ) throws {
        #expect(content.kind == kind)
        #expect(content.hasPasswordLink == (kind == "invitation" || kind == "password-reset"))
        let json = try JSONValue(parsing: content.json.text)
        #expect(MailContent(json: json) == content)
        let members = try #require(json.object)
        for (name, _) in members where name != "comment" {
            let wrongs: [JSONValue?] = [nil, .some(.null), .some(.array([]))]
            for wrong in wrongs {
                var less = members
                less[name] = wrong
                #expect(MailContent(json: .object(less)) == nil, "\(name)")
            }
        }
        var other = members
        other["kind"] = "newsletter"
        #expect(MailContent(json: .object(other)) == nil)
        #expect(MailContent(json: .null) == nil && MailContent(json: []) == nil && MailContent(json: [:]) == nil)
    }

    @Test func `A request without a comment has none when it is read back`() {
        var letter = Self.approval
        letter.comment = nil
        #expect(MailContent(json: MailContent.approvalRequested(letter).json) == .approvalRequested(letter))
    }

    @Test(arguments: 0..<10)
    func `Pauses double up to an hour, spread by a quarter, however often a message fails`(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        for failures in [.min, -1, 0, 1, 2, 3, 7, 8, 9, 100, .max] as [Int] {
            var full = 30.0
            for _ in 1..<min(max(failures, 1), 20) { full = min(full * 2, 3_600) }
            let chance = Double.random(in: 0...1, using: &random)
            let pause = MailRetry.pause(after: failures, chance: chance)
            #expect(pause >= full * 0.75 && pause <= full * 1.25)
            #expect(MailRetry.pause(after: failures, chance: 0.5) == full)
            #expect(pause >= 22.5 && pause <= 4_500)
        }
    }

    @Test(
        arguments: [
            (nil, nil), ("", nil), (" \n\r\n\t ", nil), ("a", "a"), ("  a  ", "a"), ("a\tb", "a b"), ("a\r\nb", "a\nb"),
            ("a\rb", "a\nb"), ("a\n\n\nb", "a\n\n\nb"), ("\n a\n", "a"), ("\u{E9}\u{1F600}", "\u{E9}\u{1F600}"),
        ] as [(String?, String?)]
    )
    func `A comment has its line breaks in one spelling and nothing around it`(typed: String?, text: String?) throws {
        #expect(try Approval.Comment.text(of: typed) == text)
    }

    @Test(
        arguments: ["a\u{0}", "a\u{7}b", "a\u{B}b", "a\u{1B}[1m", "a\u{7F}", "a\u{85}b", "a\u{202E}b", "a\u{2028}b"]
    )
    func `A comment with characters that hide or turn others is refused`(typed: String) {
        let error = #expect(throws: ModelError.self) { try Approval.Comment.text(of: typed) }
        #expect(error?.path == "comment")
    }

    @Test func `A comment has as many bytes as it may have, of one line or of many, and not one more`() throws {
        let limit = Approval.Comment.maximumSize
        let line = String(repeating: "\u{E9}", count: limit / 2)
        #expect(try Approval.Comment.text(of: " \(line) ") == line)
        #expect(throws: ModelError.self) { try Approval.Comment.text(of: line + "x") }
        let lines = Array(repeating: "x", count: limit / 2).joined(separator: "\n") + "y"
        #expect(try Approval.Comment.text(of: lines)?.utf8.count == limit)
        #expect(throws: ModelError.self) { try Approval.Comment.text(of: lines + "y") }
    }

    @Test func `A comment is read back as it was kept, and nothing else is one`() {
        let comment = Approval.Comment(author: "ann@example.com", at: 1_800_000_000.5, text: "a\nb")
        #expect(Approval.Comment(json: comment.json) == comment)
        for json in [.null, [], [:], ["author": "a", "at": 1], ["author": "a", "text": "t"]] as [JSONValue] {
            #expect(Approval.Comment(json: json) == nil)
        }
        #expect(Approval.Comment(json: ["author": "a", "at": "1", "text": "t"]) == nil)
    }

    @Test(arguments: WebhookNotice.NoticeKind.allCases)
    func `A notice is about a user or a campaign, by its kind, and goes out where its type is asked for`(
        kind: WebhookNotice.NoticeKind
    ) {
        let subject = WebhookNotice.NoticeSubject("caf\u{E9}", of: kind)
        #expect(subject.text == "caf\u{E9}")
        let user = WebhookNotice.NoticeSubject.user(UserID(rawValue: "caf\u{E9}"))
        #expect((subject == user) == kind.rawValue.hasPrefix("user."))
        #expect(Webhook.sends(kind, amongTypes: []) && Webhook.sends(kind, amongTypes: [kind.rawValue, "click"]))
        #expect(!Webhook.sends(kind, amongTypes: ["click"]) && Webhook.typeNames.contains(kind.rawValue))
    }

    @Test func `Ids of notices are UUIDs of version 7, in the order of their times`() {
        var random = SplitMix(seed: 5)
        let times = [0, 0.001, 1, 1_800_000_000, 1_800_000_001, 281_474_976_710]
        let ids = times.map { EventID(at: $0, using: &random).description }
        #expect(ids == ids.sorted() && Set(ids).count == ids.count)
        for id in ids + [-1e300, 1e300, .nan].map({ EventID(at: $0, using: &random).description }) {
            let scalars = Array(id.utf8)
            #expect(scalars.count == 36 && scalars[14] == UInt8(ascii: "7"))
            #expect("89ab".utf8.contains(scalars[19]), "\(id)")
            #expect(EventID(utf8: scalars)?.description == id)
        }
    }
}
