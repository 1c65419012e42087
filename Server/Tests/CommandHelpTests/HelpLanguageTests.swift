import CommandHelp
import Testing

/// The language that the environment asks for.
struct HelpLanguageTests {
    @Test(
        "Japanese is asked for by its locale where the terminal shows UTF-8",
        arguments: [
            "ja", "ja_JP", "ja_JP.UTF-8", "ja_JP.utf8", "ja.UTF-8", "ja_JP.UTF-8@cjknarrow", "ja_JP@x", "JA_jp",
        ]
    )
    func japanese(_ locale: String) {
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            #expect(HelpLanguage(environment: [name: locale]) == .japanese, "\(name)")
        }
    }

    @Test(
        "Everything else is English",
        arguments: [
            "", "C", "POSIX", "C.UTF-8", "en_US.UTF-8", "ja_JP.eucJP", "ja_JP.SJIS", "jav", "j", "_JP", ".UTF-8",
        ]
    )
    func english(_ locale: String) { #expect(HelpLanguage(environment: ["LANG": locale]) == .english) }

    @Test func `The first that isn't empty decides, and no other variable`() {
        let (japanese, german) = ("ja_JP.UTF-8", "de_DE.UTF-8")
        #expect(HelpLanguage(environment: ["LC_ALL": german, "LANG": japanese]) == .english)
        #expect(HelpLanguage(environment: ["LC_ALL": "", "LC_MESSAGES": japanese, "LANG": german]) == .japanese)
        #expect(HelpLanguage(environment: ["LANGUAGE": "ja", "LC_CTYPE": japanese]) == .english)
        #expect(HelpLanguage(environment: [:]) == .english)
    }
}
