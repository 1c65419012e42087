import Testing

@testable import CardServer

@Suite("Passwords")
struct PasswordPolicyTests {
    private func problem(_ password: String, of owner: [String] = []) -> String? {
        do throws(PasswordPolicy.PasswordError) {
            try PasswordPolicy.check(password, of: owner)
            return nil
        } catch {
            return error.message
        }
    }

    @Test(
        "What is tried first is refused, however it is dressed up",
        arguments: [
            "password1234", "Password123!", "P@ssw0rd-2026!", "qwertyuiop12", "1q2w3e4r5t6y", "1qaz2wsx3edc",
            "zaq12wsxcde3", "123456789012", "aaaaaaaaaaaa", "abcabcabcabc", "iloveyou1234", "letmein12345",
            "administrator", "passwordpassword", "welcome12345", "summer-winter-42", "correct horse battery staple",
            "trustno1trustno1", "Michael-1985!", "AnnaAnna1234", "abcdefghijkl", "Passwort2026", "ｐａｓｓｗｏｒｄ１２３４",
            "asdfghjkl123", "changeme2026!", "football2026", "monkeymonkey1", "!@#$%^&*()_+", "q1w2e3r4t5y6",
        ]
    )
    func common(_ password: String) { #expect(problem(password) != nil) }

    @Test(
        "What is on a list of the most common passwords is refused, with a number behind it too",
        arguments: [
            "sojdlg123aljg", "JustinBieber", "justinbieber2026", "ghbdtnghbdtn", "112233445566", "4815162342lost",
            "thecakeisalie!", "passwordstandard", "weihnachtsbaum", "$tratocaster",
        ]
    )
    func listed(_ password: String) { #expect(problem(password) != nil) }

    @Test("Each of the 3,000 most common passwords that are long enough is refused, in letters of either case")
    func mostCommon() {
        let listed = ListedPasswords.all.map { String(decoding: $0, as: UTF8.self) }
        #expect(listed.count >= 3_000)
        #expect(listed.allSatisfy { $0.count >= PasswordPolicy.shortest && $0.count <= PasswordPolicy.longest })
        #expect(listed.filter { problem($0) == nil || problem($0.uppercased()) == nil } == [])
    }

    @Test(
        "What is common without being made of words is refused",
        arguments: ["nazwanowka1234", "Natalinatali", "t5t7ubxltnbm", "SetActivePwr", "navykentron1994"]
    )
    func unworded(_ password: String) { #expect(problem(password) != nil) }

    @Test(
        "What nobody else has is taken",
        arguments: [
            "correct horse battery", "another long password", "vGk2!pQz8#LmW", "kettle drawer walrus", "日本語のとても長い合言葉です",
            String(repeating: "ab3x", count: 3) + "unrelated",
        ]
    )
    func uncommon(_ password: String) { #expect(problem(password) == nil) }

    @Test("A password has 12 to 128 characters of any script, whatever the marks on them take")
    func length() {
        let base = "kettle drawer walrus "
        #expect(problem(base + String(repeating: "x7", count: 53) + "y") == nil)
        #expect(problem(base + String(repeating: "x7", count: 54)) != nil)
        #expect(problem(base + String(repeating: "\u{1F469}\u{200D}\u{1F680}", count: 107)) == nil)
        #expect(problem(base + String(repeating: "語", count: 108)) != nil)
        #expect(problem(base + "e" + String(repeating: "\u{301}", count: 3_000)) != nil)
        #expect(PasswordPolicy.longest == 128)
    }

    @Test("A password has 12 characters or more, and nothing of its owner or the product")
    func bounds() {
        #expect(problem("kettle walr") != nil)
        #expect(problem(String(repeating: "kettle drawer ", count: 80)) != nil)
        #expect(problem("kettle placard walrus") != nil)
        #expect(problem("kettle lindqvist walrus", of: ["anna.lindqvist@example.com"]) != nil)
        #expect(problem("kettle L1ndqv1st walrus", of: ["anna.lindqvist@example.com"]) != nil)
        #expect(problem("kettle drawer walrus", of: ["anna.lindqvist@example.com"]) == nil)
    }
}
