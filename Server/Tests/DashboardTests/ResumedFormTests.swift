import CardModel
import Testing

@testable import Dashboard

@Suite("Dashboard: forms that are sent again")
struct ResumedFormTests {
    private func form(_ fields: [(String, String)]) -> FormData {
        FormData(fields.map { (name: $0.0, value: $0.1) })
    }

    private func lines(_ form: FormData) -> [String] {
        ResumedForm(form).groups.flatMap { group in
            [group.heading.map { "# \($0)" }].compactMap(\.self) + group.fields.map { "\($0.label): \($0.value)" }
        }
    }

    @Test("Settings have the labels and the headings of their page, and choices their words")
    func settings() {
        let typed = form([
            ("base", "{}"), ("time_zone", "Asia/Tokyo"), ("require_two_factor", ""), ("require_two_factor", "on"),
            ("mask_personal_data", ""), ("launch_approval", "editors"), ("user_tokens", "required"), ("jwks_url", ""),
            ("quiet_from", "22:00"), ("cap.0.cards", "3"), ("cap.1.cards", ""), ("event_days", "90"),
            ("rate_limits.users_track.requests", "50"), ("rate_limits.users_track.seconds", ""),
            ("device_limits.aliases_per_user", "20"),
        ])
        #expect(
            lines(typed) == [
                "# Workspace", "Time zone: Asia/Tokyo", "# Team security",
                "Require two-factor authentication: yes", "Hide personal data from viewers: no", "# Approvals",
                "Launches that need approval: Editors, and keys without full access", "# User authentication",
                "User authentication: Required", "Key set URL: –", "# Delivery", "Quiet hours, from: 22:00",
                "Frequency cap 1: Cards: 3", "# Retention", "Event retention (days): 90", "# Backend rate limits",
                "Track users: requests: 50", "# Device limits", "Aliases per user: 20",
            ]
        )
    }

    @Test("Values of other forms are named as their pages name them, in the language of the page")
    func values() {
        let key = form([
            ("name", "iOS"), ("kind", "secret"), ("permission", "users"), ("permission", "cards"), ("lifetime", "30"),
        ])
        #expect(lines(key) == ["Name: iOS", "Kind: Secret", "Permissions: users, cards", "Expires: 30 days from now"])
        let bulk = form([("campaign", "cmp_1"), ("campaign", "cmp_2"), ("do", "pause")])
        #expect(lines(bulk) == ["Campaigns: 2 campaigns", "Action: Pause"])
        TextCatalog.$current.withValue(.japanese) {
            #expect(lines(bulk) == ["キャンペーン: 2件のキャンペーン", "操作: 一時停止"])
            #expect(lines(form([("role", "viewer")])).first?.hasPrefix("ロール: ") == true)
            #expect(lines(form([("cap.1.tag", "x")])) == ["# 配信", "フリークエンシーキャップ2：タグ: x"])
        }
    }

    @Test("Every field that a form of a page names has a label, or is the page's own")
    func everyField() throws {
        var found: Set<String> = []
        for page in Templates.embedded.keys.sorted() {
            let text = Templates.standard.files.template(page) ?? ""
            for form in text.matches(of: /(?s)<form\b[^>]*method="post"[^>]*>(.*?)<\/form>/) {
                for field in form.1.matches(of: /<(?:input|select|textarea|button)\b[^>]*? name="([a-z_.]+)"/) {
                    let name = String(field.1)
                    guard !ResumePage.isSecret(name) else { continue }
                    #expect(ResumedWords.label(of: name) != name, "\(page): \(name)")
                    found.insert(name)
                }
            }
        }
        #expect(found.isSuperset(of: ["card_limit", "comment", "email", "role"]))
    }

    @Test("The page shows labels, and sends the form as it was")
    func page() async throws {
        try await Workplace.run { place in
            let visitor = try await place.member(.admin)
            let token = try #require(try await visitor.get("/dashboard/settings").token)
            place.time.advance(by: Double(FormToken.lifetime) + 1)
            let typed = ["base": "{}", "time_zone": "Asia/Tokyo", "card_limit": "9", "csrf": token]
            let late = try await visitor.post("/dashboard/settings", typed).text
            #expect(late.contains("<h2>Workspace</h2>"))
            #expect(late.contains("<dt>Time zone</dt><dd>Asia/Tokyo</dd>"))
            #expect(late.contains("<dt>Cards per user</dt><dd>9</dd>"))
            #expect(!late.contains("<dt>time_zone</dt>") && !late.contains("<dt>base</dt>"))
            let kept = FormReader.fields(of: late, to: "/dashboard/settings")
            #expect(kept["time_zone"] == "Asia/Tokyo" && kept["base"] == "{}")
        }
    }
}
