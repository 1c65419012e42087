import Testing
import WireJSON

@testable import Dashboard

/// Numbers that are the same in each run.
private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}

@Suite("Forms: what browsers and others send")
struct FormValueTests {
    @Test(
        "An escape has two digits; whatever else follows a percent sign stays as it is",
        arguments: [
            ("%41%6a", "Aj"), ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("%%41", "%A"), ("%+a", "% a"), ("%-0", "%-0"),
            ("%+1%2B", "% 1+"), ("%4\u{301}", "%4\u{301}"), ("+%2B+", " + "), ("%00", "\u{0}"), ("%E3%81", "\u{FFFD}"),
            ("%C3%A9", "\u{E9}"), ("\u{E9}", "\u{E9}"), ("%FF", "\u{FFFD}"),
        ]
    )
    func escapes(sent: String, value: String) {
        let read = FormData(urlEncoded: "a=\(sent)")["a"]
        #expect(read.map { $0.utf8.elementsEqual(value.utf8) } == true, "\(read ?? "nothing")")
    }

    @Test(
        "Each line break is one line feed",
        arguments: [
            ("%0D%0A", "\n"), ("%0D", "\n"), ("%0A", "\n"), ("%0D%0A%0D", "\n\n"), ("%0A%0D", "\n\n"),
            ("%0D%0D%0A%0A", "\n\n\n"), ("a%0D%0Ab%0Dc", "a\nb\nc"),
        ]
    )
    func lineBreaks(sent: String, value: String) {
        #expect(FormData(urlEncoded: "a=\(sent)")["a"].map { Array($0.utf8) } == Array(value.utf8))
    }

    @Test("Fields are divided at bytes, and names are told apart by theirs")
    func names() {
        let form = FormData(urlEncoded: "&&a=b=c&=x&d&caf%C3%A9=1&cafe%CC%81=2&e=1&\u{301}f=2&g=\u{301}h")
        #expect(form["a"] == "b=c" && form[""] == "x" && form["d"] == "")
        #expect(form["caf\u{E9}"] == "1" && form["cafe\u{301}"] == "2")
        #expect(form["e"] == "1" && form["\u{301}f"] == "2" && form["g"]?.utf8.count == 3)
        #expect(form["A"] == nil && form.all("z").isEmpty && form.fields.count == 8)
        #expect(form != FormData(urlEncoded: "") && FormData(urlEncoded: "&") == .empty)
    }

    @Test("Random fields are read as they were written", arguments: 1...6)
    func roundTrips(seed: Int) {
        var dice = Dice(state: UInt64(seed))
        let scalars = [
            "a", "Z", "9", " ", "+", "%", "&", "=", "\n", ";", "\u{0}", "\u{301}", "\u{E9}", "日", "\u{1F600}", "/",
        ]
        func text(using dice: inout Dice) -> String {
            var text = ""
            for _ in 0..<Int.random(in: 0...6, using: &dice) {
                text += scalars[Int.random(in: 0..<scalars.count, using: &dice)]
            }
            return text
        }
        for _ in 0..<100 {
            var form = FormData()
            for _ in 0..<Int.random(in: 1...5, using: &dice) {
                form.append("n" + text(using: &dice), text(using: &dice))
            }
            #expect(FormData(urlEncoded: form.encoded) == form, "\(form.encoded)")
        }
    }

    // MARK: Places of fields

    private func tree(_ text: String) -> JSONValue { FormTree.json(FormData(urlEncoded: text)) }

    @Test("Rows keep the order of their numbers, and the gaps between them are closed")
    func rows() {
        let rows = tree("c.rows[7].a=2&c.rows[0].a=1&c.rows[7].b=3")
        #expect(rows.text == #"{"c":{"rows":[{"a":"1"},{"a":"2","b":"3"}]}}"#)
        #expect(tree("a[9223372036854775807]=x&a[-1]=y") == ["a": ["y", "x"]])
        // What is no number of 64 bits is a name.
        #expect(tree("a[9223372036854775808]=x") == ["a": ["9223372036854775808": "x"]])
        #expect(tree("a=1&a=2") == ["a": "2"] && tree("") == "" && tree("a[]=x") == ["a": "x"])
        #expect(FormTree.fields(of: FormData(urlEncoded: "c=text")) == [:])
    }

    @Test("A name with thousands of steps ends nothing, and is as deep as sixty of them")
    func deepNames() {
        var value: JSONValue? = tree(String(repeating: "a.", count: 5_000) + "=x")
        var depth = 0
        while let inner = value?["a"] { (value, depth) = (inner, depth + 1) }
        #expect(depth == 60 && value == "x")
    }

    @Test(
        "A code or telephone number with zeros or a sign in front stays a text, and so does what is no number",
        arguments: [
            "007", "00", "-01", "0x10", "+5", "+4989123", "nan", "inf", "\u{663}", "", " ", "true ", "True", "1 000",
            "1,5",
        ]
    )
    func texts(text: String) {
        #expect(JSONValue.guessing(text) == .string(text))
    }

    @Test("What looks like a number or a truth value is one")
    func values() {
        #expect(JSONValue.guessing("0") == 0 && JSONValue.guessing("-17") == -17)
        #expect(JSONValue.guessing("0.5").text == "0.5")
        #expect(JSONValue.guessing("true") == true && JSONValue.guessing("false") == false)
        #expect(JSONValue.guessing("9223372036854775807") == .integer(.max))
    }
}

@Suite("Sign-in: small limits")
struct AccessLimitTests {
    @Test("A form is sent once for as long as it is remembered: the newest are")
    func nonces() {
        let spent = SpentNonces(limit: 3)
        let first = (0..<4).map { spent.spend([$0]) }
        #expect(first == [true, true, true, true])
        // Of four, the first was forgotten, and takes the place of the second.
        let again = [3, 2, 1, 0, 1].map { spent.spend([$0]) }
        #expect(again == [false, false, false, true, true])
    }

    @Test("Failed sign-ins are noted thirty times a minute and two thousand times a day, also where the clock jumps")
    func refusals() {
        let budget = RefusalBudget()
        func taken(_ count: Int, at time: Double) -> Int { (0..<count).count { _ in budget.take(at: time) } }
        #expect(taken(40, at: 100_000) == 30 && taken(5, at: 100_059.9) == 0 && taken(40, at: 100_060) == 30)
        #expect(taken(40, at: 99_000) == 30, "A clock that was set back keeps nothing from being noted.")
        let rest = (1...100).reduce(0) { $0 + taken(30, at: 99_000 + Double($1) * 60) }
        #expect(rest == 1_910)
        #expect(taken(40, at: 186_399) == 0 && taken(40, at: 186_400) == 30)
    }

    @Test(
        "Secrets are spelled as RFC 4648 says, in groups of four",
        arguments: [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW 6"), ("foob", "MZXW 6YQ"), ("fooba", "MZXW 6YTB"),
        ]
    )
    func secrets(secret: String, text: String) {
        #expect(TimeBasedCode(secret: Array(secret.utf8)).secretText == text)
    }
}
