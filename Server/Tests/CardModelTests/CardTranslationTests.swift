import Testing
import WireJSON

@testable import CardModel

@Suite("Cards in other languages and on other platforms")
struct CardTranslationTests {
    private static let card: CardTemplate = {
        var card = CardTemplate(layout: .captionedImage)
        card.title = "Hello"
        card.description = "Text"
        card.image = "https://a/i.png"
        card.imageAlt = "Alt"
        card.domain = "a.example"
        card.url = "app://home"
        card.language = "en"
        card.extras = ["a": "1", "b": "2"]
        card.platformURLs = [.ios: "ios://home"]
        return card
    }()

    private func code(_ json: JSONValue) -> (code: String, path: String)? {
        do throws(ModelError) {
            _ = try CardTemplate(json: json, at: "card")
            return nil
        } catch {
            return (error.code.rawValue, error.path)
        }
    }

    private func json(_ members: JSONObject) -> JSONValue {
        var all: JSONObject = ["type": "classic", "title": "T", "description": "D"]
        all.merge(members) { $1 }
        return .object(all)
    }

    @Test("What a translation doesn't say is as in the card, field by field")
    func falls() {
        var card = Self.card
        var translation = CardTemplate.Translation()
        card.translations = ["de": translation]
        var same = card
        same.language = "de"
        #expect(card.translated(to: "de") == same)
        let paths: [(WritableKeyPath<CardTemplate.Translation, String?>, WritableKeyPath<CardTemplate, String?>)] = [
            (\.title, \.title), (\.description, \.description), (\.image, \.image), (\.imageAlt, \.imageAlt),
            (\.domain, \.domain), (\.url, \.url),
        ]
        for (own, field) in paths {
            translation = CardTemplate.Translation()
            translation[keyPath: own] = "other"
            card.translations = ["de": translation]
            var expected = card
            expected.language = "de"
            expected[keyPath: field] = "other"
            #expect(card.translated(to: "de") == expected)
        }
    }

    @Test("Key-value pairs of a translation join those of the card, and an unknown language changes nothing")
    func extras() {
        var (card, translation) = (Self.card, CardTemplate.Translation())
        translation.extras = ["b": "zwei", "c": "3"]
        card.translations = ["de": translation]
        #expect(card.translated(to: "de").extras == ["a": "1", "b": "zwei", "c": "3"])
        #expect(card.translated(to: "DE") == card && card.translated(to: "") == card)
    }

    @Test("A platform has its own URL or that of the card")
    func platforms() {
        #expect(Self.card.adapted(to: .ios).url == "ios://home")
        #expect(Self.card.adapted(to: .android) == Self.card && Self.card.adapted(to: nil) == Self.card)
        var other = Self.card.adapted(to: .ios)
        other.url = Self.card.url
        #expect(other == Self.card)
    }

    @Test("A card is as large as its largest language, in bytes")
    func size() {
        // Title, description, image, alternative, domain, URL, that of iOS, and two pairs.
        let own = 5 + 4 + 15 + 3 + 9 + 10 + 10 + 4
        #expect(Self.card.contentSize == own)
        var card = Self.card
        var (short, long) = (CardTemplate.Translation(), CardTemplate.Translation())
        short.title = "Hi"
        long.title = "\u{3053}\u{3093}\u{306B}\u{3061}\u{306F}"
        long.extras = ["c": "33"]
        card.translations = ["de": short]
        #expect(card.contentSize == own)
        card.translations = ["de": short, "ja": long]
        #expect(card.contentSize == own - 5 + 15 + 3)
    }

    @Test(
        "A URL with a scheme that runs code or reads files is refused, however it is written",
        arguments: [
            ("https://example.com", true), ("app://x", true), ("/path", true), ("", true), ("mailto:a@b", true),
            ("javascript", true), ("my-javascript:x", true), ("https://a/?next=javascript:x", true),
            ("javascript:alert(1)", false), ("JavaScript:x", false), (" java\nscript\t:x", false),
            ("\u{1}javascript:x", false), ("data:text/html,x", false), ("FILE:///etc/passwd", false),
            ("vbscript:x", false), ("blob:https://a", false), (":javascript:", true),
        ]
    )
    func schemes(text: String, isAllowed: Bool) {
        #expect(CardURL.isAllowed(text) == isAllowed)
        #expect((code(json(["url": .string(text)])) == nil) == isAllowed)
        #expect((code(json(["urls": ["ios": .string(text)]])) == nil) == isAllowed)
        #expect((code(json(["translations": ["de": ["url": .string(text)]]])) == nil) == isAllowed)
        if !isAllowed { #expect(code(json(["urls": ["web": .string(text)]]))?.path == "card.urls.web") }
    }

    @Test(
        "What is wrong with platforms and translations is named where it is",
        arguments: [
            (#"{"urls":[]}"#, "field_invalid", "card.urls"),
            (#"{"urls":{"windows":"x"}}"#, "field_unknown", "card.urls.windows"),
            (#"{"urls":{"ios":1}}"#, "field_invalid", "card.urls.ios"),
            (#"{"translations":[]}"#, "field_invalid", "card.translations"),
            (#"{"translations":{"d":{}}}"#, "field_invalid", "card.translations.d"),
            (#"{"translations":{"de_DE":{}}}"#, "field_invalid", "card.translations.de_DE"),
            (#"{"translations":{"de":1}}"#, "field_invalid", "card.translations.de"),
            (#"{"translations":{"de":null}}"#, "field_invalid", "card.translations.de"),
            (#"{"translations":{"de":{"type":"banner"}}}"#, "field_unknown", "card.translations.de.type"),
            (#"{"translations":{"de":{"title":[]}}}"#, "field_invalid", "card.translations.de.title"),
            (#"{"translations":{"de":{"extras":"x"}}}"#, "field_invalid", "card.translations.de.extras"),
            (#"{"translations":{"de":{"url":"data:x"}}}"#, "field_invalid", "card.translations.de.url"),
        ]
    )
    func refuses(text: String, code: String, path: String) throws {
        let members = try #require(try JSONValue(parsing: text).object)
        let error = self.code(json(members))
        #expect(error?.code == code && error?.path == path)
    }

    @Test("A card has a hundred translations and no more")
    func limit() {
        func translations(_ count: Int) -> JSONValue {
            let tags = (0..<count).map { ("de-x\($0)", JSONValue.object([:])) }
            return json(["translations": .object(JSONObject(tags, uniquingKeysWith: { $1 }))])
        }
        #expect(code(translations(100)) == nil)
        #expect(code(translations(101))?.path == "card.translations")
    }

    @Test("Platforms and translations read back as they were written")
    func readsBack() throws {
        var (card, translation) = (Self.card, CardTemplate.Translation())
        translation.title = ""
        translation.url = "app://de"
        translation.extras = ["k": "v"]
        card.translations = ["de": translation, "pt-BR": CardTemplate.Translation()]
        card.platformURLs = [.ios: "ios://x", .web: "https://x"]
        #expect(try CardTemplate(json: JSONValue(parsing: card.json.text), at: "card") == card)
    }
}

@Suite("Tags of languages")
struct LanguageTagFormTests {
    @Test(
        "A tag has a language of letters and subtags of at most eight letters and digits",
        arguments: [
            ("de", true), ("pt-BR", true), ("zh-Hant-TW", true), ("es-419", true), ("sl-rozaj-biske-1994", true),
            ("abcdefgh", true), ("de-a", true), ("de-12345678", true), ("", false), ("d", false),
            ("abcdefghi", false), ("d3", false), ("de_DE", false), ("de-", false), ("-de", false), ("de--DE", false),
            ("de-123456789", false), ("de-\u{E9}", false), ("d\u{E9}", false), ("de DE", false),
            ("aa-" + String(repeating: "b-", count: 15) + "cc", true),
            ("aa-" + String(repeating: "b-", count: 15) + "ccc", false),
        ]
    )
    func form(tag: String, isValid: Bool) {
        #expect(LanguageTag.isValid(tag) == isValid)
    }

    @Test("A tag matches itself before any other, in whatever case and wherever it stands")
    func itself() {
        let tags = ["en", "en-GB", "zh-Hans", "zh-Hant", "zh-Hant-HK", "pt", "pt-BR", "sr-Latn", "sr-Cyrl", "ja"]
        for (place, tag) in tags.enumerated() {
            for wanted in [tag, tag.uppercased(), tag.lowercased(), tag.split(separator: "-").joined(separator: "_")] {
                #expect(LanguageTag.bestMatch(for: wanted, among: tags) == place, "\(wanted)")
            }
            let others = tags.filter { !$0.hasPrefix(tag.prefix(2)) }
            #expect(LanguageTag.bestMatch(for: tag, among: others) == nil)
        }
        #expect(LanguageTag.bestMatch(for: "de", among: []) == nil)
        #expect(LanguageTag.bestMatch(for: "", among: [""]) == nil)
    }
}
