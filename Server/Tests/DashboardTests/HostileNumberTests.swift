import CardModel
import CardStore
import Testing
import WireJSON

import struct ContentCards.ContentCard

@testable import Dashboard

/// Numbers that end a process which converts or adds them without looking.
///
/// A test of these does not fail: it takes the whole run down.
@Suite("Dashboard: numbers from outside", .serialized)
struct HostileNumberTests {
    static let numbers = [
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615", "1e19", "1e308",
        "-1e308", "1e-320", "inf", "-inf", "nan", "0x7fffffffffffffff", "-0", "-1", "0", "٣",
        "99999999999999999999999999999999999999",
    ]

    @Test("A ticket whose expiry is no time is refused", arguments: numbers + ["253402300800", "1"])
    func tickets(_ expiry: String) async throws {
        try await Workplace.run { place in
            _ = try await place.member(.admin)
            var member = try #require(try await place.store.member("admin@example.com"))
            member.codeSecret = Array(repeating: 7, count: 20)
            try await place.store.updateMember(member, action: "member.factor-on", keeping: nil, at: 0, by: .command)
            let visitor = Visitor(client: place.client)
            let ticket = "AAAA.\(expiry).admin@example.com"
            let answer = try await visitor.post(
                "/dashboard/sign-in/code",
                from: "/dashboard/sign-in",
                ["ticket": ticket, "code": "000000"]
            )
            #expect(answer.status == 401 && answer.text.contains("You have five minutes to enter the code."))
            #expect(!SignInTicket.isValid(ticket, of: member, at: place.time.now))
        }
    }

    @Test("A ticket is valid for five minutes, and not when its own key signed it for longer")
    func ticketLifetime() {
        let member = TeamMember(email: "a@example.com", role: .admin, passwordHash: "scrypt$1", createdAt: 0)
        let now = 1_800_000_000.0
        let text = SignInTicket(email: member.email, at: now).text(of: member)
        #expect(SignInTicket.isValid(text, of: member, at: now + 299))
        #expect(!SignInTicket.isValid(text, of: member, at: now + 300))
        let later = SignInTicket(email: member.email, at: now + 86_400).text(of: member)
        #expect(!SignInTicket.isValid(later, of: member, at: now))
    }

    @Test(
        "A form that its sender signed for longer than forms are valid is refused",
        arguments: [
            .max, UInt64(Int64.max), UInt64(Int64.max) + 1, 253_402_300_799, 1_800_000_000 + 86_400 + 301, 1, 0,
        ]
    )
    func formTokens(_ expiry: UInt64) async throws {
        try await Workplace.run { place in
            _ = try await place.member(.admin)
            let visitor = Visitor(client: place.client)
            let key = SecretBytes.random(32)
            visitor.setCookie("placard_visit", SecretBytes.text(key))
            let signed = SecretBytes.random(16) + (0..<8).map { UInt8(truncatingIfNeeded: expiry >> (56 - 8 * $0)) }
            let token = SecretBytes.text(signed + SecretBytes.code(of: signed, key: key))
            let fields = ["csrf": token, "email": "admin@example.com", "password": Workplace.password]
            #expect(try await visitor.post("/dashboard/sign-in", fields).status == 403)
        }
    }

    @Test("No number in an address ends the process", arguments: numbers)
    func addresses(_ number: String) async throws {
        try await Workplace.run { place in
            let anna = try await place.member(.admin)
            try await EvilData.fill(place, by: anna)
            let names = ["before", "after", "at", "version", "from", "to", "limit", "preview_size", "page", "part"]
            let value = FormData.escape(number)
            let pages = place.routes.filter { $0.hasPrefix("GET ") && !$0.contains("/live") }
            for path in pages.map({ RouteTable.filled(String($0.dropFirst(4))) }) {
                let query = names.map { "\($0)=\($0 == "after" ? "\(value)-evil-campaign" : value)" }
                let page = try await anna.get("\(path)?\(query.joined(separator: "&"))")
                #expect(page.status < 500, "\(path) \(number): \(page.text)")
            }
        }
    }

    @Test("No number in a field of the editor ends the process", arguments: numbers)
    func editor(_ number: String) async throws {
        let campaign = try EverythingCampaign.campaign()
        let sent = CampaignDraft(campaign: campaign, timeZone: "Europe/Berlin").sentFields
        let texts = ["kind", "type", "unit", "id", "comparison", "test", "subject", "control"]
        let numeric = sent.keys.filter { name in
            name.hasPrefix("c.") && !texts.contains { name.hasSuffix(".\($0)") }
        }
        // Some fields of different parts at a time, so that what isn't touched is read all the same.
        let names = numeric.sorted()
        let groups = 40
        for group in 0..<groups {
            let changed = stride(from: group, to: names.count, by: groups).map { (names[$0], number) }
            let form = FormData(sent.merging(changed) { $1 }.map { ($0.key, $0.value) })
            let draft = CampaignDraft(form: form, timeZone: "Europe/Berlin")
            #expect(!EditorView(draft, .init()).entries.isEmpty)
            #expect(draft.campaign.object?.isEmpty == false)
        }
        let all = sent.merging(numeric.map { ($0, number) }) { $1 }
        try await Workplace.run { place in
            let editor = try await place.member(.editor)
            for form in ["check", "preview", "reshape", "new"] {
                let answer = try await editor.post(
                    "/dashboard/campaigns/\(form)",
                    from: "/dashboard/campaigns/new",
                    all.merging(["do": "reach", "preview_variant": number]) { $1 }
                )
                #expect(answer.status < 500, "\(form): \(answer.text)")
            }
        }
    }

    @Test("Two weights whose sum is no integer are shown with their shares")
    func weights() {
        let variants: JSONValue = [
            ["id": "a", "weight": "9223372036854775807"], ["id": "b", "weight": "9223372036854775807"],
        ]
        let draft = CampaignDraft(fields: ["variants": variants], over: [:], timeZone: "UTC")
        #expect(EditorView(draft, .init()).variants.map(\.share) == ["50.0%", "50.0%"])
    }

    @Test("No number in the campaign that a form was begun with ends the process", arguments: numbers)
    func bases(_ number: String) async throws {
        let json = JSONValue.guessing(number)
        let base: JSONValue = [
            "id": "evil", "version": json, "launched_at": json, "status": "active", "name": "Evil",
            "delivery": ["kind": "scheduled", "start_at": json, "end_at": json],
            "rules": ["reeligible_after_days": json],
            "conversions": [["id": "a", "window": json, "on": ["event": "x"]]],
            "variants": [["id": "a", "weight": json, "card": ["expires_at": json, "priority": json]]],
        ]
        try await Workplace.run { place in
            let editor = try await place.member(.editor)
            for form in ["check", "preview", "reshape", "new"] {
                let answer = try await editor.post(
                    "/dashboard/campaigns/\(form)",
                    from: "/dashboard/campaigns/new",
                    ["base": base.text, "c.variants[0].weight": number, "do": "add c.variants[\(number)].card.extras"]
                )
                #expect(answer.status < 500, "\(form): \(answer.text)")
            }
        }
    }

    @Test("No number in the settings ends the process", arguments: numbers)
    func settings(_ number: String) async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            let names = [
                "card_limit", "card_size_limit", "burst", "seconds", "event_days", "quiet_from", "quiet_to",
                "cap.0.cards", "cap.0.days", "cap.\(number).cards", "audit_days", "version_days",
                "token_max_lifetime_seconds", "jwks", "rate_limits.other.requests", "rate_limits.other.seconds",
                "device_limits.requests_per_user.burst", "device_limits.aliases_per_user",
            ]
            for name in names {
                let answer = try await admin.post("/dashboard/settings", from: "/dashboard/settings", [name: number])
                #expect(answer.status < 500, "\(name): \(answer.text)")
            }
        }
    }

    @Test("A card of any size is drawn", arguments: numbers.filter { Double($0) != nil })
    func previews(_ number: String) async throws {
        let value = JSONValue.number(try #require(Double(number)))
        let card: JSONValue = [
            "type": "captioned_image", "title": "Card", "image": "https://images.example.com/a.jpg",
            "image_aspect_ratio": value, "created_at": value, "priority": value,
        ]
        let drawing = await PhonePreview.draw(
            [ContentCard(preview: card, rendered: .null)],
            PhonePreview.Look(),
            phoneStyle: ""
        )
        #expect(drawing.html.contains("Card"))
    }

    @Test("Charts and words take every number", arguments: [Double.infinity, -.infinity, .nan, 1e300, 9.3e18, -9.3e18])
    func drawing(_ value: Double) {
        let chart = SeriesChart(
            days: [Day(number: 0), Day(number: 1)],
            series: [.init(name: "a", colour: 1, values: [value, Double(Int64.max)])],
            label: ""
        )
        #expect(chart.svg.contains("<svg"))
        #expect(IntervalChart(low: value, value: value, high: value).svg.contains("<svg"))
        #expect(!PageFormatter.duration(value).isEmpty)
        #expect(!PageFormatter.relative(value, to: 0).isEmpty)
        #expect(value.isNaN || !DraftTimes(zone: "Europe/Berlin").field(.number(value)).isEmpty)
    }

    @Test("Counts that together are no integer are drawn")
    func reports() throws {
        let day = CountingDay(utc: Day(number: 20_832), local: Day(number: 20_832))
        var most = CampaignCounts()
        (most.impressions, most.clicks) = (.max, .max)
        let (a, b) = (VariantID(rawValue: "a"), VariantID(rawValue: "b"))
        var report = try CampaignReport.of(
            ["a", "b"],
            [.init(variant: a, day: day, counts: most), .init(variant: b, day: day, counts: most)]
        )
        let other = CountingDay(utc: Day(number: 20_831), local: Day(number: 20_831))
        report.withheld = [day, other].map {
            WithheldCount(variant: a, day: $0, kind: .aborted, reason: "x", users: .max)
        }
        let today = Day(number: 20_832)
        let numbers = ReportNumbers(
            report.campaign.content.variants,
            report.dailyCounts(by: \.utc),
            ReportDays(.empty, until: today),
            today: today
        )
        #expect(numbers.rows.first?.impressions == "9,223,372,036,854,775,807")
        #expect(numbers.sums.impressions == .max)
        #expect(numbers.counts.svg.contains("9,223,372,036,854,775,807"))
        let withheld = ReportPage.Withheld.list(report, hidesPersonalData: false)
        #expect(withheld.map(\.users) == ["9,223,372,036,854,775,807"])
    }
}

extension CampaignDraft {
    /// What a browser sends of the draft's page.
    var sentFields: [String: String] {
        var sent = ["base": base.text]
        func add(_ value: JSONValue, at place: String) {
            switch value {
            case .object(let members): for (name, value) in members { add(value, at: "\(place).\(name)") }
            case .array(let items): for (index, item) in items.enumerated() { add(item, at: "\(place)[\(index)]") }
            default: sent[place] = value.string ?? ""
            }
        }
        add(fields, at: "c")
        return sent
    }
}
