import CardModel
import CardStore
import Foundation
import Testing

@testable import Dashboard

@Suite("Dashboard: the size of forms", .serialized)
struct FormBoundTests {
    /// A kind of rows, by the name of its place and of what a row has.
    private static let kinds = [
        "c.variants[0].card.extras": ["key", "value"], "c.variants": ["id", "name"],
        "c.audience.items": ["kind", "name", "value"], "c.variants[0].card.translations": ["tag", "title"],
        "c.conversions": ["id", "name"], "c.rules.remove_on": ["name"],
    ]

    private static func form(_ rows: Int, of kind: String = "c.variants[0].card.extras") -> FormData {
        var fields = [
            (name: "base", value: "{}"), (name: "c.variants[0].id", value: "a"),
            (name: "c.audience.kind", value: "all"),
        ]
        for row in 0..<rows {
            for name in kinds[kind] ?? [] {
                let value = name == "kind" ? "attribute" : "\(name)\(row) {{ x | nothing }}"
                fields.append((name: "\(kind)[\(row)].\(name)", value: value))
            }
        }
        return FormData(fields)
    }

    /// The processor time that it takes to read a form and make a page of it, the best of three.
    private static func seconds(_ rows: Int, _ kind: String) -> Double {
        let form = form(rows, of: kind)
        let place = kind.dropFirst(2)
        let problems = (0..<rows).map {
            FieldProblem(path: "\(place)[\($0)].name", code: "x", message: "x", isWarning: false)
        }
        let times = (0..<3).map { _ in
            let start = threadSeconds()
            let draft = CampaignDraft(form: form, timeZone: "UTC")
            let view = EditorView(draft, .init(problems: draft.problems + problems))
            #expect(!view.entries.isEmpty)
            return threadSeconds() - start
        }
        return times.min() ?? 0
    }

    /// What this thread has had of the processor, so that it doesn't count what else the machine does.
    private static func threadSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("A form of brackets alone takes about as long to check as any other of its size")
    func brackets() throws {
        func seconds(_ name: String) -> Double {
            let form = FormData((0..<4_999).map { _ in (name, "") })
            return (0..<3).map { _ in
                let start = Self.threadSeconds()
                try? FormBounds.check(form)
                return Self.threadSeconds() - start
            }.min() ?? 0
        }
        let (brackets, letters) = (String(repeating: "]", count: 205), String(repeating: "a", count: 205))
        #expect(seconds(brackets) < 20 * seconds(letters) + 0.1)
    }

    @Test("Rows are counted once, however their names begin")
    func rowCount() {
        func isTaken(_ names: [String]) -> Bool {
            (try? FormBounds.check(FormData(names.map { ($0, "") }))) != nil
        }
        let rows = (0..<250).flatMap { ["a[\($0)].b[0].c", "a[\($0)].b[0].d"] }
        #expect(isTaken(rows))
        #expect(!isTaken(rows + ["a[250].b"]))
    }

    @Test("Four times as many rows take about four times as long, not sixteen times", arguments: kinds.keys.sorted())
    func linear(_ kind: String) {
        let (quarter, whole) = (Self.seconds(FormBounds.rows / 4, kind), Self.seconds(FormBounds.rows - 2, kind))
        #expect(whole < 9 * quarter + 0.05, "\(quarter) s and \(whole) s")
    }

    @Test("A form with too many rows or fields is refused with what to do")
    func tooMany() async throws {
        #expect(throws: FormBounds.Exceeded.self) { try FormBounds.check(Self.form(3_000)) }
        #expect(throws: Never.self) { try FormBounds.check(Self.form(FormBounds.rows - 2)) }
        try await Workplace.run { place in
            let editor = try await place.member(.editor)
            let fields = Dictionary(uniqueKeysWithValues: Self.form(2_000).fields.map { ($0.name, $0.value) })
            let page = "/dashboard/campaigns/new"
            let answer = try await editor.post(page, from: page, fields)
            #expect(answer.status == 413)
            #expect(answer.text.contains("more than 500 rows"))
            let many = Dictionary(uniqueKeysWithValues: (0..<6_000).map { ("n\($0)", "1") })
            let refused = try await editor.post("/dashboard/theme", from: "/dashboard/account", many)
            #expect(refused.status == 413 && refused.text.contains("more than 5000 fields"))
        }
    }

    /// Where each form of a page goes, with each of its fields.
    private static func fields(of page: String) -> [(action: String, field: String)] {
        let forms = page.matches(of: /<form method="post" action="([^"]+)"[^>]*>(.*?)<\/form>/.dotMatchesNewlines())
        return forms.flatMap { form in
            form.2.matches(of: /<(?:input|textarea|select)[^>]* name="([^"]+)"/).map { (String(form.1), String($0.1)) }
        }.filter { $0.field != "csrf" }
    }

    @Test("Every field of every form on every page has a limit, and what is longer is refused with its name")
    func everyField() async throws {
        try await Workplace.run { place in
            let admin = try await place.member(.admin)
            try await EvilData.fill(place, by: admin)
            var seen: Set<String> = []
            let pages = place.routes.sorted().filter { $0.hasPrefix("GET /dashboard") && !$0.contains("live") }
            for path in pages.map({ RouteTable.filled(String($0.dropFirst(4))) }) {
                let page = try await admin.get(path)
                for (action, field) in Self.fields(of: page.text) where seen.insert("\(action) \(field)").inserted {
                    let limit = FieldLimits.limit(of: field)
                    guard limit < FormBounds.bytes / 2 else { continue }
                    let answer = try await admin.post(action, [field: String(repeating: "e", count: limit + 1)])
                    #expect(answer.status == 413, "\(action) \(field)")
                    #expect(answer.text.contains("can have at most \(limit) characters"), "\(action) \(field)")
                }
            }
            #expect(seen.count > 80, "\(seen.count) fields")
        }
    }

    @Test("Names are looked up by their bytes, the last value wins, and all are in order")
    func lookup() {
        var form = FormData(urlEncoded: "a=1&b=2&a=3&caf%C3%A9=4&cafe%CC%81=5")
        #expect(form["a"] == "3" && form.all("a") == ["1", "3"] && form["c"] == nil && form.all("c").isEmpty)
        #expect(form["caf\u{E9}"] == "4" && form["cafe\u{301}"] == "5")
        form.removeAll { $0.name == "b" }
        #expect(form["b"] == nil && form.all("a") == ["1", "3"])
    }

    @Test("A mark that combines with a separator hides no field")
    func marks() {
        let form = FormData(urlEncoded: "a=1&\u{301}b=2&c=\u{301}3")
        #expect(form["a"] == "1" && form["\u{301}b"] == "2" && form["c"] == "\u{301}3")
    }

    @Test(
        "Every line break of a value is one line feed",
        arguments: [
            ("%0D%0A", "\n"), ("%0D", "\n"), ("%0D%0D%0A", "\n\n"), ("%0A%0D", "\n\n"), ("a%0D%0Ab%0A", "a\nb\n"),
        ]
    )
    func lineBreaks(_ sent: String, _ read: String) {
        #expect(FormData(urlEncoded: "a=\(sent)")["a"]?.utf8.elementsEqual(read.utf8) == true)
    }
}
