import CardModel
import Foundation
import SampleCampaigns
import Testing
import WireJSON

/// The texts of the samples, and their audiences.
struct SampleContentTests {
    private static let address = "https://cards.example/media/0/"
    private static let demo = SampleCampaign.demo { "\(address)\($0.fileName)" }
    private static let all = demo + SampleCampaign.simulation

    private static func sample(_ id: String) throws -> SampleCampaign {
        try #require(all.first { $0.id.rawValue == id })
    }

    /// Returns whether a user with some attributes is in the audience of a sample.
    private static func matches(_ id: String, _ custom: JSONObject) throws -> Bool {
        var profile = UserProfile(id: UserID(rawValue: "u"), createdAt: 0)
        profile.custom = custom
        let facts = UserFacts(UserState(profile: profile), at: 1)
        return AudienceMatcher(try sample(id).content.audience).matches(facts)
    }

    // MARK: As a launch checks them

    @Test("have no error at a launch, and templates that can be rendered", arguments: all.map(\.id.rawValue))
    func launchable(_ id: String) throws {
        let content = try Self.sample(id).content
        let errors = content.checks(types: [], at: 1_800_000_000).filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(errors.map(\.message))")
        let problems = TemplateEngine().problems(in: content)
        #expect(problems.isEmpty, "\(problems.map(\.message))")
    }

    @Test("can be launched once, from the moment at which they were created")
    func once() throws {
        for sample in Self.all {
            let campaign = try sample.launched(at: 5)
            #expect(campaign.createdAt == 5 && campaign.updatedAt == 5 && campaign.content == sample.content)
            #expect(try campaign.applying(.launch, at: 6) == campaign)
        }
        #expect(try SampleCampaign.launched([], at: 1).isEmpty)
    }

    @Test("are the same each time, in the same order")
    func repeated() {
        let again = SampleCampaign.demo { "\(Self.address)\($0.fileName)" }
        #expect(again.map(\.id) == Self.demo.map(\.id) && again.map(\.content) == Self.demo.map(\.content))
    }

    @Test("are told from a member's own by their ids and tags, and from each other by their names")
    func names() {
        #expect(Self.demo.allSatisfy { $0.id.rawValue.hasPrefix("demo-") && $0.content.tags.contains("demo") })
        #expect(SampleCampaign.simulation.allSatisfy { $0.id.rawValue.hasPrefix("sim-") })
        #expect(Set(Self.all.map(\.content.name)).count == Self.all.count)
        for sample in Self.all {
            #expect(Set(sample.content.variants.map(\.id)).count == sample.content.variants.count)
        }
    }

    // MARK: Audiences

    @Test("of gold members are for these alone")
    func gold() throws {
        #expect(try Self.matches("demo-gold-tile", ["plan": "gold"]))
        for custom: JSONObject in [[:], ["plan": "free"], ["plan": "Gold"], ["plan": 1], ["level": "gold"]] {
            #expect(try !Self.matches("demo-gold-tile", custom), "\(JSONValue.object(custom).text)")
        }
        let others = Self.demo.filter { $0.id.rawValue != "demo-gold-tile" }
        #expect(others.allSatisfy { $0.content.audience == .everyone })
    }

    @Test(
        "of a simulation divide users by plan and score",
        arguments: [
            (["plan": "pro", "score": 50], true, true, true), (["plan": "pro", "score": 49], true, false, true),
            (["plan": "free", "score": 50], false, true, false), (["plan": "free", "score": 19], false, false, true),
            (["plan": "free", "score": 20], false, false, false), (["score": 49.5], false, false, false),
            (["score": "50"], false, false, true), ([:], false, false, true),
        ] as [(JSONObject, Bool, Bool, Bool)]
    )
    func simulated(_ custom: JSONObject, _ isPro: Bool, _ hasScore: Bool, _ isNested: Bool) throws {
        #expect(try Self.matches("sim-plan", custom) == isPro)
        #expect(try Self.matches("sim-score", custom) == hasScore)
        #expect(try Self.matches("sim-nested", custom) == isNested)
        #expect(try Self.matches("sim-everybody", custom))
    }

    @Test("keep the coupon from one user in five, the same each time")
    func control() throws {
        let coupon = try Self.sample("demo-coupon").launched(at: 1)
        let users = (0..<5_000).map { UserID(rawValue: "user-\($0)") }
        let inControl = users.filter { VariantAssignment.variant(of: coupon, for: $0)?.isControl == true }
        // Six standard deviations of 5,000 draws of one in five are 170.
        #expect((830...1_170).contains(inControl.count), "\(inControl.count)")
        let later = try Self.sample("demo-coupon").launched(at: 2)
        #expect(inControl.allSatisfy { VariantAssignment.variant(of: later, for: $0)?.isControl == true })
    }

    // MARK: What the Shop reads

    @Test("of the shop have extras that it understands")
    func extras() throws {
        for card in Self.demo.flatMap(\.content.variants).compactMap(\.card) {
            switch card.extras["class_type"] {
            case "home_tile":
                let isTriggered = card.extras["tile_price"]?.hasPrefix("{{") == true
                let price = card.extras["tile_price"].flatMap { Double($0) }
                #expect(isTriggered || price.map { $0 > 0 } == true)
                let link = try #require(card.extras["tile_deeplink"])
                #expect(isTriggered || URL(string: link)?.scheme == "shop")
                #expect(card.extras["tile_title"]?.isEmpty == false && card.extras["tile_id"]?.isEmpty == false)
            case "coupon_code":
                let percentage = try #require(card.extras["discount_percentage"].flatMap { Double($0) })
                #expect((1...100).contains(percentage) && card.extras["coupon_code"]?.isEmpty == false)
                #expect(card.title?.contains("\(Int(percentage))%") == true)
            case "message_webview": #expect(card.extras["html"]?.hasPrefix("<h1>") == true)
            case "message_full_page": #expect(card.extras["message_title"] == card.title)
            case "ad_banner": #expect(card.extras["ad_image"]?.isEmpty == false)
            default: #expect(card.extras.isEmpty)
            }
        }
    }

    // MARK: Pictures

    @Test("show pictures that are whole, described, and small enough to lie in the program")
    func pictures() {
        for picture in SamplePicture.allCases {
            let bytes = picture.bytes
            // The last chunk of a PNG, whose checksum never changes.
            let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
            #expect(bytes.suffix(12).elementsEqual(end) && bytes.count < 200_000, "\(picture): \(bytes.count)")
            let height = bytes[20..<24].reduce(0) { $0 << 8 | Int($1) }
            #expect((100...2_000).contains(height))
            #expect(!picture.alt.isEmpty && !picture.alt.hasSuffix(".") && picture.fileName.hasSuffix(".png"))
        }
        #expect(Set(SamplePicture.allCases.map(\.alt)).count == SamplePicture.allCases.count)
        #expect(Set(SamplePicture.allCases.map(\.bytes)).count == SamplePicture.allCases.count)
    }

    @Test("are a member's own once anything but the picture was changed")
    func edits() throws {
        let moved = SampleCampaign.demo { "https://elsewhere.example/\($0.fileName)" }
        let index = try #require(Self.demo.firstIndex { $0.id.rawValue == "demo-banner" })
        let sample = Self.demo[index]
        #expect(sample.differsByPictures(from: moved[index].content))
        let edits: [(inout Campaign.Content) -> Void] = [
            { $0.name = "Mine" }, { $0.tags = [] }, { $0.audience = .any([]) }, { $0.variants = [] },
            { $0.variants[0].card?.priority = 99 }, { $0.variants.append($0.variants[0]) }, { $0.salt = "mine" },
            { $0.variants[0].card?.url = nil }, { $0.name += "!" },
        ]
        for (number, edit) in edits.enumerated() {
            var content = moved[index].content
            edit(&content)
            #expect(!sample.differsByPictures(from: content), "edit \(number)")
        }
    }
}
