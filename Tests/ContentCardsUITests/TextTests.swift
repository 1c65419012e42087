import Foundation
import Testing

@testable import ContentCardsUI

@Suite("Texts in twelve languages")
struct TextTests {
    @Test("are all there, and differ from English", arguments: LocalizedTexts.languages)
    func complete(language: String) {
        for text in ContentCardsText.allCases {
            let own = LocalizedTexts.text(text.rawValue, languages: [language], app: .main)
            #expect(own != nil)
            #expect(language == "en" || own != text.text(languages: ["en"]))
        }
        #expect(ContentCardsText.newCards(5, languages: [language]).contains { $0.isNumber })
    }

    @Test("are in a language that the app speaks, whatever others the user does")
    func languagesOfTheApp() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let name = folder.appendingPathComponent("App.bundle")
        let strings = name.appendingPathComponent("ja.lproj")
        try FileManager.default.createDirectory(at: strings, withIntermediateDirectories: true)
        let app = try #require(Bundle(path: name.path))
        #expect(ContentCardsText.delete.text(app: app) == "削除")
        #expect(ContentCardsText.newCards(2, app: app) == ContentCardsText.newCards(2, languages: ["ja"]))
    }

    @Test(
        "are found by the names that systems give languages",
        arguments: [
            ("de-AT", "de"), ("pt-BR", "pt"), ("pt_PT", "pt"), ("zh-Hant-HK", "zh-Hant"), ("zh-TW", "zh-Hant"),
            ("zh-Hans-TW", "zh-Hans"), ("zh", "zh-Hans"), ("ZH-cn", "zh-Hans"), ("ar-EG", "ar"), ("tlh", nil),
            ("", nil),
        ]
    )
    func names(name: String, translation: String?) {
        #expect(LocalizedTexts.translation(name) == translation)
    }

    @Test("follow the plural rules of their languages")
    func plurals() {
        func categories(_ language: String, _ numbers: [Int]) -> [PluralCategory] {
            numbers.map { PluralCategory(of: $0, in: language) }
        }
        #expect(categories("en", [0, 1, 2]) == [.other, .one, .other])
        #expect(categories("fr", [0, 1, 2]) == [.one, .one, .other])
        #expect(categories("ja", [0, 1, 2]) == [.other, .other, .other])
        #expect(
            categories("ru", [1, 2, 5, 11, 12, 14, 21, 22, 25, 111, 112, 121])
                == [.one, .few, .many, .many, .many, .many, .one, .few, .many, .many, .many, .one]
        )
        #expect(
            categories("ar", [0, 1, 2, 3, 10, 11, 99, 100, 102, 103, 111])
                == [.zero, .one, .two, .few, .few, .many, .many, .other, .other, .few, .many]
        )
        #expect(ContentCardsText.newCards(1, languages: ["en-GB"]) == "1 new card")
        #expect(ContentCardsText.newCards(3, languages: ["tlh", "ru"]) == "3 новые карточки")
        #expect(ContentCardsText.newCards(2, languages: ["ar"]) == "بطاقتان جديدتان")
        #expect(ContentCardsText.newCards(7, languages: ["tlh"]) == "7 new cards")
    }
}
