import Foundation
import Testing

@testable import Dashboard

@Suite("Dashboard: catalogs")
struct CatalogTests {
    private let file = TextCatalog.File(PackageResources.ja_json)
    private var japanese: [String: String] { file.texts }
    private var all: [String: String] { file.texts.merging(file.sentences) { text, _ in text } }

    private func used() throws -> Set<String> {
        let files = AssetFiles(folder: nil)
        let templates = Templates.embedded.keys.compactMap(files.template).flatMap { text in
            TemplateText(text: text).segments.map(\.key)
        }
        return try SourceTexts.keys().union(templates).union(ScriptTexts.keys)
    }

    @Test("The Japanese catalog has every text of templates, pages and scripts, and no other")
    func complete() throws {
        let used = try used()
        #expect(used.count > 1_000)
        let missing = used.subtracting(japanese.keys).sorted()
        #expect(missing.isEmpty, "Add to Assets/ja.json: \(missing)")
        let unused = Set(japanese.keys).subtracting(used).sorted()
        #expect(unused.isEmpty, "Remove from Assets/ja.json: \(unused)")
    }

    @Test("Each text has the values and tags of its English")
    func placeholders() {
        for (english, text) in all {
            #expect(values(english) == values(text), "\(english): \(text)")
            let tags = (TemplateSegment(key: english).tags.sorted(), TemplateSegment(key: text).tags.sorted())
            #expect(tags.0 == tags.1, "\(english): \(text)")
        }
    }

    @Test("No text is empty, or has a space that Japanese doesn't write, or ASCII punctuation at its end")
    func punctuation() {
        for (english, text) in all where english.contains(where: \.isLetter) {
            #expect(!text.isEmpty, "\(english)")
            #expect(text.firstMatch(of: /[ぁ-んァ-ヶ一-龠] [ぁ-んァ-ヶ一-龠]/) == nil, "\(english): \(text)")
            #expect(text.firstMatch(of: /[ぁ-んァ-ヶ一-龠][.,:!?]/) == nil, "\(english): \(text)")
        }
    }

    private func values(_ text: String) -> [String] { text.matches(of: /\{\d\}/).map { String($0.output) }.sorted() }

    /// The texts whose number is never one: a constant, a size, or what is only said of several.
    private static let neverOne: Set<String> = [
        " in the last {1} calendar days", " · {1} frames",
        "A code has {1} letters and digits. Type it as the app shows it.",
        "A feed has {1} cards at most: those that come last in it leave, or wait until there is room.",
        "A form can have {1} rows and 1 MB. Remove some before you add others.",
        "A set has at most {1} keys and {2} bytes.", "It has {1} rows, and a form can have {2}.",
        "It is too early to compare: each variant needs {1} users and {2} of them who did something.",
        "Only the {1} segments changed last are searched.",
        "Rendered, the card takes {1} bytes; {2} are possible.",
        "The card's texts, URLs and key-value pairs take {1} bytes; {2} are possible.",
        "The user was given {1} cards in all, and gets no other of a campaign that gave one.",
        "one of {1} cards", "{1} blocks are shown. Search to find the others.", "{1} bytes",
        "{1} campaigns deliver cards within {2} from {3} on.", "{1} campaigns run on {2}.",
        "{1} segments are shown. Search to find the others.", "{1} variants",
    ]
    /// The beginnings of such messages of the command, the server and its stores.
    private static let neverOneInMessages = [
        " in the last {1} calendar days", "A code has {1} letters and digits.", "A set has at most {1} keys",
        "About {1} events are in none", "At most {1} sends and triggers wait for a user",
        "It is too early to compare", "Of {1} impressions, clicks and content errors", "Process {1} has one open",
        "Rendered, the card takes {1} bytes", "Servers on {1} hosts use the database", "The answer has {1} bytes",
        "The body is larger than {1} bytes.", "The card's texts, URLs and key-value pairs take {1} bytes",
        "The disk is full: {1} bytes are free.", "The disk is nearly full: {1} bytes are free",
        "The max number of ids per request was exceeded", "The service manager handed {1} sockets down.",
        "The user was given {1} cards in all", "There is no room in {1} for the backup's {2} bytes",
        "at has to be Unix seconds of the last {1} days.", "events      {1} logged, of {2} users",
        "it didn't answer for {1} seconds", "{1} bytes", "{1} is stored {2} times", "{1} pictures are",
    ]
    /// The words after a value that end with an s and are no plurals.
    private static let otherWords: Set<String> = [
        "is", "has", "was", "as", "asks", "answers", "includes", "contains", "does", "matches", "less", "belongs",
        "comes",
        "describes", "differs", "holds", "opens", "owns", "redirects", "says", "sends", "serves", "speaks", "stays",
        "takes", "works",
    ]

    /// Returns the texts that count things, and those of them that have no other text for a single thing.
    private func counting(in keys: Set<String>) -> (found: Set<String>, lacking: Set<String>) {
        let bounds = ["at most ", "At most ", "more than ", "at least ", " to ", "longer than "]
        func form(_ key: String) -> String { key.replacing(/\{\d\}/, with: "{}") }
        let forms = Set(keys.map(form))
        var (found, lacking) = (Set<String>(), Set<String>())
        for key in keys {
            for match in key.matches(of: /\{\d\} ((?:new \{\d\}|calendar |recovery )?)([a-z]+s)\b/) {
                let before = key[..<match.range.lowerBound]
                guard !Self.otherWords.contains(String(match.2)) else { continue }
                guard !bounds.contains(where: { before.hasSuffix($0) }) else { continue }
                found.insert(key)
                let rest = "\(match.1)\(match.2.dropLast())\(key[match.range.upperBound...])"
                if !forms.contains(form("\(before){1} \(rest)")), !forms.contains(form("\(before)1 \(rest)")) {
                    lacking.insert(key)
                }
            }
        }
        return (found, lacking)
    }

    @Test("A text that counts things has another one for a single thing, unless it is never said of one")
    func plurals() {
        let (found, lacking) = counting(in: Set(all.keys))
        #expect(found.count > 30)
        let unknown = lacking.subtracting(Self.neverOne).sorted()
        #expect(unknown.isEmpty, "Add a text for one, or say it without a plural: \(unknown)")
        #expect(Self.neverOne.subtracting(lacking).sorted() == [])
    }

    @Test("A message of the command or the server that counts things says one of them in the singular, too")
    func messagePlurals() throws {
        let modules = [
            "BrazeImport", "CardModel", "CardServer", "CardStore", "CommandSettings", "FeedScreen", "PlacardCommands",
            "PostgresCardStore", "SQLiteCardStore", "ShardedCardStore", "Simulation", "UserImport", "WorkspaceFiles",
        ]
        let (found, lacking) = counting(in: try SourceTexts.literals(of: modules))
        #expect(found.count > 20)
        let known = Self.neverOneInMessages
        let unknown = lacking.filter { key in !known.contains { key.hasPrefix($0) } }.sorted()
        #expect(unknown.isEmpty, "Say it by Quantity.text, or without a plural: \(unknown)")
        let unused = known.filter { beginning in !lacking.contains { $0.hasPrefix(beginning) } }
        #expect(unused.isEmpty, "No message begins so: \(unused)")
    }

    @Test("The file of a catalog is sorted, one text a line")
    func sorted() {
        let lines = String(decoding: PackageResources.ja_json, as: UTF8.self)
        let keys = lines.matches(of: #/(?m)^    "((?:[^"\\]|\\.)*)": /#).map { String($0.1) }
        #expect(keys.count == file.texts.count + file.sentences.count)
        let points = keys.map { Array($0.replacing("\\\"", with: "\"").unicodeScalars.map(\.value)) }
        let descents = zip(points, points.dropFirst()).count { !$0.lexicographicallyPrecedes($1) }
        #expect(descents == 1, "Sentences and texts are sorted, each by itself.")
    }

    @Test("The texts of a source are those that it asks catalogs for, with numbers for their values")
    func source() {
        let source = #"""
            /// localized("of a comment")
            let a = localized("Starts in \(wait(for: "x)")), on \(day).") + localized(
                "Never", of: "expiry")
            let table: [String: Phrase] = [
                "a": "First", "b": "Second",
            ]
            """#.replacing("\n]", with: "\n    ]")
        let keys = SourceTexts.keys(in: source)
        #expect(keys == ["Starts in {1}, on {2}.", "Never", "First", "Second"])
        #expect(SourceTexts.keys(in: #"localized("never", in: "expiry")"#) == ["never [expiry]"])
        #expect(SourceTexts.labels(in: #"FilterField("from", .text, label: "From")"#) == ["From"])
    }
}

@Suite("Dashboard: phrases and templates in a language")
struct PhraseTests {
    private let german = TextCatalog(
        tag: "de",
        name: "Deutsch",
        locale: Locale(identifier: "de_DE"),
        numberLocale: Locale(identifier: "de_DE"),
        units: [],
        translate: { ["{1} of {2}": "von {2} {1}", "never [expiry]": "unbegrenzt", "Hello": "Hallo"][$0] }
    )

    @Test("A phrase has its values where the language wants them, and stays English where a catalog lacks it")
    func phrases() {
        #expect(localized("\(1) of \("{1}")") == "1 of {1}")
        TextCatalog.$current.withValue(german) {
            #expect(localized("\(1) of \("{1}")") == "von {1} 1")
            #expect(localized("never", in: "expiry") == "unbegrenzt")
            #expect(localized("never") == "never")
            #expect(localized("\(3) users") == "3 users")
        }
    }

    @Test("What a template says is found between tags and in attributes that people read, with values and code in it")
    func segments() {
        let template = """
            <p class="a" title="Sent {{when}}">Hi <b>{{name}}</b>, {{#isNew}}new{{/isNew}}</p> {{count}}
            <input name="Name" value="Go" placeholder="{{#x}}Any{{/x}}"{{>field}}>{{>part}}<a href="/Path">there</a>
            <td class="b"{{#text}} data-label="Details"{{/text}}>{{text}}</td>
            <p>{{who}}: {{text}}</p>
            """
        let keys = TemplateText(text: template).segments.map(\.key)
        #expect(
            keys == ["Sent {{when}}", "Hi <b>{{name}}</b>,", "new", "Any", "there", "Details", "{{who}}: {{text}}"]
        )
        #expect(TemplateText(text: template).translated { _ in nil } == template)
    }

    @Test("A template without translations stays byte for byte as it is")
    func identity() throws {
        for name in Templates.embedded.keys {
            let text = try #require(AssetFiles(folder: nil).template(name))
            #expect(TemplateText(text: text).translated { _ in nil } == text, "\(name)")
        }
    }

    @Test("A translation keeps the space around a text, or joins what is beside it")
    func spaces() {
        let template = "<p>Set <a>it</a> to go.</p>"
        let words = ["Set": "設定\u{2060}", "it": "これ", "to go.": "\u{2060}してください。"]
        #expect(TemplateText(text: template).translated { words[$0.key] } == "<p>設定<a>これ</a>してください。</p>")
        #expect(TemplateText(text: template).translated { ["Set": "X"][$0.key] } == "<p>X <a>it</a> to go.</p>")
    }

    @Test("Numbers and times follow the language, and each length of time has its plural")
    func wording() {
        let (now, zone) = (1_800_000_000.0, "Asia/Tokyo")
        #expect(PageFormatter.time(now, in: zone) == "15 Jan 2027, 17:00")
        #expect(PageFormatter.short(12_345) == "12.3k")
        #expect(PageFormatter.duration(3_600) == "1 hour" && PageFormatter.duration(7_200) == "2 hours")
        #expect(PageFormatter.relative(now - 60, to: now) == "1 minute ago")
        TextCatalog.$current.withValue(.japanese) {
            #expect(PageFormatter.time(now, in: zone) == "2027年1月15日 17:00")
            #expect(PageFormatter.short(9_999) == "9,999" && PageFormatter.short(12_345) == "1.23万")
            #expect(PageFormatter.short(345_678_901) == "3.46億" && PageFormatter.short(4_014_265) == "401万")
            #expect(PageFormatter.counted(1, .user) == "1人" && PageFormatter.counted(1_234, .user) == "1,234人")
            #expect(PageFormatter.part(12, of: 1_234, .user) == "1,234人中12人")
            #expect(ContentBlockPages.more(8, beyond: 5) == "ほか3件")
            #expect(localized("and \(PageFormatter.counted(3, .campaign)) more", in: "counted") == "ほか3件のキャンペーン")
            #expect(PageFormatter.relative(now - 7_200, to: now) == "2時間前")
            #expect(PageFormatter.relative(now + 86_400, to: now) == "1日後")
            #expect(UserFormatter.country("DE") == "ドイツ")
            #expect(PageFormatter.labeled("カード", "タイトル") == "カード：タイトル")
            let names = UserFormatter.attributes.filter { [.firstName, .lastName].contains($0) }
            #expect(names == [.lastName, .firstName])
        }
    }
}
