import Testing
import WireJSON

@testable import CardModel

@Suite("What templates are made of")
struct TemplatePartTests {
    @Test(
        "Tags are counted by their beginnings",
        arguments: [
            ("", 0), ("{", 0), ("{ {", 0), ("{{", 1), ("{%", 1), ("{{ a }}{% b %}", 2), ("a {{b}} c {{d}}", 2),
            ("}}%}", 0), ("{a{{b}}", 1), ("{{{{", 2), ("\u{65E5}{{\u{672C}", 1), ("% {", 0),
        ]
    )
    func tags(text: String, count: Int) {
        #expect(TemplateEngine.tags(in: text) == count)
    }

    @Test("A campaign's tags are those of all its texts, and its blocks those that they name")
    func campaigns() {
        var campaign = Sample.campaign("c", variants: [Sample.variant("a"), Sample.variant("b")])
        #expect(campaign.content.templateTags == 0 && campaign.content.contentBlocks.isEmpty)
        campaign.content.variants[0].card?.title = "{{ a }} {{ content_blocks.${footer} }}"
        campaign.content.variants[1].card?.extras = ["k": "{% if a %}{% endif %}"]
        var translation = CardTemplate.Translation()
        translation.url = "app://{{ content_blocks.${link} }}"
        campaign.content.variants[1].card?.translations = ["de": translation]
        #expect(campaign.content.templateTags == 5)
        #expect(campaign.content.contentBlocks == ["footer", "link"])
        campaign.content.variants.append(Campaign.Variant(id: VariantID(rawValue: "control"), card: nil))
        #expect(campaign.content.templateTags == 5)
    }

    @Test("Every text of a card is written, with the field in which it stands")
    func writtenTexts() {
        var card = CardTemplate(layout: .captionedImage)
        #expect(card.writtenTexts.isEmpty && !card.isTemplate)
        (card.title, card.description, card.image) = ("1", "2", "3")
        (card.imageAlt, card.domain, card.url) = ("4", "5", "6")
        card.platformURLs = [.web: "7"]
        card.extras = ["k": "8"]
        var translation = CardTemplate.Translation()
        (translation.title, translation.description, translation.image) = ("9", "10", "11")
        (translation.imageAlt, translation.domain, translation.url) = ("12", "13", "14")
        translation.extras = ["k": "15"]
        card.translations = ["de": translation]
        #expect(card.writtenTexts.map(\.text) == (1...15).map(String.init))
        let own = ["title", "description", "image", "image_alt", "domain", "url"]
        let expected =
            own + ["urls.web", "extras.k"] + own.map { "translations.de.\($0)" } + ["translations.de.extras.k"]
        #expect(card.writtenTexts.map(\.field) == expected)
        #expect(!card.isTemplate)
        card.translations["de"]?.extras = ["k": "{{ 1 }}"]
        #expect(card.isTemplate)
    }

    @Test("A template is one whatever letters and marks stand beside its braces", arguments: ["\u{D4E}", "\u{600}"])
    func letterBeforeBraces(letter: String) throws {
        var card = CardTemplate(layout: .classic)
        card.title = letter + "{{ 1 }}"
        #expect(card.isTemplate)
        card.title = "{%\u{301} if %}"
        #expect(card.isTemplate)
        card.title = letter + "{ 1 }"
        #expect(!card.isTemplate)
    }

    @Test("The properties of a trigger that templates ask for are named")
    func triggerProperties() {
        var campaign = Sample.campaign("c")
        campaign.content.variants[0].card?.title = "{{ api_trigger_properties.${price} }} {{ ${first_name} }}"
        campaign.content.variants[0].card?.description = "api_trigger_properties.${plain}"
        #expect(TemplateEngine().triggerProperties(of: campaign.content) == ["price"])
    }

    @Test(
        "A reason and a message are cut at a scalar, within their bytes",
        arguments: ["a", "\u{E9}", "\u{65E5}", "\u{1F600}"]
    )
    func failures(unit: String) {
        let text = String(repeating: unit, count: 1_001)
        let failure = TemplateFailure(.failed, field: "title", reason: text, message: text)
        for (kept, limit) in [(failure.reason, 200), (failure.countedReason, 200), (failure.message, 1_000)] {
            #expect(kept.utf8.count <= limit && kept.utf8.count > limit - 4)
            #expect(text.hasPrefix(kept) && kept.unicodeScalars.allSatisfy { String($0) == unit })
        }
        let counted = TemplateFailure(.aborted, reason: "said", counted: "counted", message: "")
        #expect(counted.reason == "said" && counted.countedReason == "counted")
    }

    @Test("Only content of another host that failed is asked for again, after a minute")
    func retries() {
        for kind in TemplateFailure.FailureKind.allCases {
            let failure = TemplateFailure(kind, reason: "connected_content", message: "")
            #expect(failure.retryAfter == (kind == .failed ? 60 : nil))
            #expect(TemplateFailure(kind, reason: "syntax", message: "").retryAfter == nil)
            #expect(!failure.isDamage)
        }
        #expect(TemplateFailure.unreadable.isDamage && TemplateFailure.unreadable.retryAfter == nil)
    }

    @Test("A budget of which nothing was used is neither spent nor costly")
    func budget() {
        let budget = RenderBudget.feed
        #expect(!budget.isSpent && !budget.isCostly)
        let first = budget.allowance()
        budget.settle(first)
        #expect(!budget.isSpent && !budget.isCostly, "Nothing was done.")
        #expect(RenderBudget.moment.elapsed() == .zero)
    }

    @Test("A content block has a name for addresses, a text and a description, each at its limit")
    func blocks() throws {
        func failures(name: String = "a", _ json: JSONValue) -> [String] {
            do throws(ModelErrors) {
                _ = try ContentBlock.read(name: name, json: json, updatedAt: 5)
                return []
            } catch {
                return error.all.map(\.path)
            }
        }
        func text(_ count: Int) -> JSONValue { .string(String(repeating: "x", count: count)) }
        #expect(failures(["content": text(ContentBlock.sizeLimit), "description": text(8_000)]).isEmpty)
        let tooLong: JSONValue = ["content": text(ContentBlock.sizeLimit + 1), "description": text(8_001)]
        #expect(failures(tooLong) == ["content", "description"])
        #expect(failures(["content": "", "description": .null]).isEmpty && failures([:]) == ["content"])
        #expect(failures(["content": 1, "description": []]) == ["content", "description"])
        #expect(failures([]) == ["content"])
        #expect(failures(name: "a b", ["content": ""]) == ["name"] && failures(name: "", [:]) == ["name", "content"])
        let json: JSONValue = ["content": "{{ a }}", "description": "What for"]
        let block = try ContentBlock(name: "footer.1", json: json, updatedAt: 5)
        #expect(block == ContentBlock(name: "footer.1", content: "{{ a }}", description: "What for", updatedAt: 5))
        #expect(try ContentBlock(name: block.name, json: block.json, updatedAt: 5) == block)
    }
}

@Suite("Sentences with values in them")
struct PhraseTests {
    private func phrase(_ phrase: Phrase) -> Phrase { phrase }

    @Test("A phrase has a key with places, and its values between its words")
    func parts() {
        let name = "Ann"
        let text = phrase("\(name) has \(3) cards")
        #expect(text.key == "{1} has {2} cards")
        #expect(text.words == ["", " has ", " cards"] && text.values == ["Ann", "3"])
        #expect(text.english == "Ann has 3 cards")
        let plain = phrase("all users")
        #expect(plain.key == "all users" && plain.words == ["all users"] && plain.values.isEmpty)
        #expect(plain.english == "all users")
    }

    @Test("Values at the beginning, at the end and beside each other stay in their places")
    func edges() {
        let (one, two) = ("1", "{2}")
        #expect(phrase("\(one)\(two)").english == "1{2}" && phrase("\(one)\(two)").key == "{1}{2}")
        #expect(phrase("a \(one)").english == "a 1" && phrase("\(one) b").english == "1 b")
        #expect(phrase("\("")").english.isEmpty && phrase("").english.isEmpty)
    }

    @Test("Another meaning is another key of the same words")
    func meanings() {
        let number = 5
        let meant = Phrase("never \(number)", in: "expiry")
        #expect(meant.key == "never {1} [expiry]" && meant.english == "never 5")
    }

    @Test("Words in another order take the values of their places")
    func joined() {
        #expect(Phrase.joined(["", " of ", ""], ["2", "1"]) == "2 of 1")
        #expect(Phrase.joined(["x"], []) == "x" && Phrase.joined(["a ", ""], ["b"]) == "a b")
    }
}
