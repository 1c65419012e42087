import CommandHelp
import Testing

@Suite("The help in other languages")
struct HelpPageTests {
    /// A page as the parser writes it, with a label that reaches into the column of texts.
    private static let english = """
        OVERVIEW: Copies a file.

        Needs a key.

        placard copy a b

        USAGE: placard copy <from> --format <format>

        ARGUMENTS:
          <from>                  The file. (default: a (b).txt)

        OPTIONS:
          --format <format>       How it is written. (values: csv, json; default: csv)
          --destination-of <path> (values: here, there)
          --the-file-that-is-copied <file>
                                  The copy.
          -h, --help              Show help information.

        SERVER SUBCOMMANDS:
          now                     At once.

          See 'placard help copy <subcommand>' for detailed help.
        """

    private static let texts = [
        "OVERVIEW:": "概要：", "Copies a file.": "ファイルをコピーします。", "USAGE:": "使い方：", "ARGUMENTS:": "引数：",
        "OPTIONS:": "オプション：", "How it is written.": "形式。", "(values: {1}; default: {2})": "（値：{1}、既定値：{2}）",
        "(values: {1})": "（値：{1}）", "The copy.": "コピー。", "At once.": "ただちに。",
        "See '{1}' for detailed help.": "詳しくは「{1}」。",
    ]

    @Test("The page has each text in the language of the reader, and is otherwise as it was")
    func translated() throws {
        let page = try #require(HelpPage(Self.english))
        #expect(
            page.rendered(columns: 80) { Self.texts[$0] ?? $0 } == """
                概要：ファイルをコピーします。

                Needs a key.

                placard copy a b

                使い方：placard copy <from> --format <format>

                引数：
                  <from>                  The file. (default: a (b).txt)

                オプション：
                  --format <format>       形式。（値：csv, json、既定値：csv）
                  --destination-of <path> （値：here, there）
                  --the-file-that-is-copied <file>
                                          コピー。
                  -h, --help              Show help information.

                SERVER SUBCOMMANDS:
                  now                     ただちに。

                  詳しくは「placard help copy <subcommand>」。
                """
        )
    }

    @Test("Texts are broken for the terminal, beside their labels")
    func broken() throws {
        let page = try #require(HelpPage("USAGE: x\n\nOPTIONS:\n  --all                   All of it."))
        let text = page.rendered(columns: 36) { $0 == "All of it." ? "これはすべてを書き出します。" : $0 }
        let space = String(repeating: " ", count: 26)
        let lines = ["USAGE:x", "", "OPTIONS:", "  --all                   これはすべてを書き出", "\(space)します。"]
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false) == lines.map { $0[...] })
        #expect(page.rendered(columns: 0, say: \.self) == page.rendered(columns: 20, say: \.self))
    }

    @Test(
        "What is no page of help is left alone",
        arguments: ["", "1.0.0 (abc)", "{}", "OVERVIEW: a", "USAGE: a\n\nb"]
    )
    func others(_ text: String) {
        #expect(HelpPage(text) == nil)
    }

    @Test(
        "The language is that of messages",
        arguments: [
            ([:], .english), (["LANG": "ja_JP.UTF-8"], .japanese), (["LANG": "ja"], .japanese),
            (["LANG": "ja_JP.utf8@x"], .japanese), (["LANG": "ja_JP.eucJP"], .english), (["LANG": "jam"], .english),
            (["LANG": "ja_JP.UTF-8", "LC_ALL": "C"], .english),
            (["LANG": "C", "LC_MESSAGES": "ja_JP.UTF-8"], .japanese),
            (["LC_ALL": "", "LANG": "ja_JP.UTF-8"], .japanese), (["LC_ALL": "C", "LC_MESSAGES": "ja"], .english),
        ] as [([String: String], HelpLanguage)]
    )
    func language(_ environment: [String: String], _ expected: HelpLanguage) {
        #expect(HelpLanguage(environment: environment) == expected)
    }
}
