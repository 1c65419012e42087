import CardModel
import Testing
import WireJSON

@Suite("A segment is an audience with a name")
struct SegmentTests {
    @Test("A segment is read as it is written, and counts its versions")
    func roundTrip() throws {
        let json: JSONValue = [
            "name": "VIP", "description": "Those who pay", "tags": ["a"],
            "audience": ["attribute": "plan", "comparison": "equals", "value": "gold"],
        ]
        let content = try Segment.SegmentContent(json: json)
        #expect(JSONValue.object(content.json) == json)
        let segment = Segment(id: SegmentID(rawValue: "vip"), content: content, createdAt: 1)
        #expect(segment.updating(content, at: 2) == segment)
        let archived = segment.archiving(true, at: 2)
        #expect((archived.version, archived.updatedAt, archived.isArchived) == (2, 2, true))
        #expect(
            try Segment.SegmentContent(
                json: archived.json,
                allowing: ["id", "version", "archived", "summary", "created_at", "updated_at"]
            ) == content
        )
    }

    @Test(
        "What is wrong is named",
        arguments: [
            (#"{"audience":{}}"#, "name"), (#"{"name":""}"#, "name"), (#"{"name":"a","tags":[1]}"#, "tags[0]"),
            (#"{"name":"a","audience":{"all":[{"x":1}]}}"#, "audience.all[0].x"),
            (#"{"name":"a","colour":1}"#, "colour"),
        ]
    )
    func refuses(text: String, path: String) throws {
        let json = try JSONValue(parsing: text)
        let error = #expect(throws: ModelError.self) { try Segment.SegmentContent(json: json) }
        #expect(error?.path == path)
    }

    @Test("A segment that is not there, or that leads back, is refused where it is named")
    func checksSegments() throws {
        let (one, two, three) = (SegmentID(rawValue: "1"), SegmentID(rawValue: "2"), SegmentID(rawValue: "3"))
        let segments: [SegmentID: Audience] = [
            one: .everyone, two: .any([.segment(one)]), three: .none([.segment(two)]),
        ]
        try Audience.all([.segment(three)]).checkSegments(in: segments)
        try Audience.segment(one).checkSegments(in: segments, of: three)

        let unknown = #expect(throws: ModelError.self) {
            try Audience.all([.everyone, .segment(SegmentID(rawValue: "4"))]).checkSegments(in: segments)
        }
        #expect(unknown?.code == .segmentUnknown && unknown?.path == "audience.all[1].segment")
        for (audience, path) in [
            (Audience.segment(one), "audience.segment"),
            (.any([.none([.segment(three)])]), "audience.any[0].none[0].segment"),
        ] {
            let cycle = #expect(throws: ModelError.self) { try audience.checkSegments(in: segments, of: one) }
            #expect(cycle?.code == .segmentCycle && cycle?.path == path)
        }
    }

    @Test("Segments that double each other are refused, and cost little before they are")
    func boundsSegments() throws {
        func id(_ number: Int) -> SegmentID { SegmentID(rawValue: "\(number)") }
        var segments: [SegmentID: Audience] = [id(0): .everyone]
        for number in 1...80 {
            segments[id(number)] = .any([.segment(id(number - 1)), .segment(id(number - 1))])
        }
        try Audience.segment(id(11)).checkSegments(in: segments)
        for number in [14, 80] {
            let error = #expect(throws: ModelError.self) {
                try Audience.segment(id(number)).checkSegments(in: segments)
            }
            #expect(error?.code == .fieldInvalid)
        }
        #expect(AudienceMatcher(.segment(id(80)), segments: segments).matches(Sample.facts(Sample.user().profile)))
    }

    @Test("A segment that grows is too much for the segments and audiences that have it as a part, however far away")
    func growth() {
        let (one, two, far) = (SegmentID(rawValue: "1"), SegmentID(rawValue: "2"), SegmentID(rawValue: "3"))
        func many(_ count: Int) -> Audience { .any(Array(repeating: .everyone, count: count)) }
        let segments: [SegmentID: Audience] = [
            one: .everyone, two: .all(Array(repeating: .segment(one), count: 20)), far: .none([.segment(two)]),
        ]
        /// Whether the segment grows, which others it is too much for, and whether an audience is among them.
        func change(
            to audience: Audience,
            in segments: [SegmentID: Audience],
            asking other: Audience
        ) -> (grows: Bool, segments: [SegmentID], other: Bool) {
            var growth = SegmentGrowth(of: one, to: audience, in: segments)
            let (excessive, isTooMuch) = (growth.excessiveSegments(), growth.isTooMuch(for: other))
            return (growth.grows, excessive, isTooMuch)
        }
        #expect(change(to: .any([]), in: segments, asking: .segment(far)) == (false, [], false))
        #expect(change(to: many(400), in: segments, asking: .segment(far)) == (true, [], false))
        let both = Audience.all([.segment(far), .segment(two)])
        #expect(change(to: many(400), in: segments, asking: both) == (true, [], true))
        #expect(change(to: many(600), in: segments, asking: .segment(far)) == (true, [two, far], true))
        #expect(change(to: many(600), in: segments, asking: many(20_000)) == (true, [two, far], false))

        var broken = segments
        broken[one] = many(900)
        #expect(change(to: many(800), in: broken, asking: both) == (false, [], false), "It may become less.")
    }

    @Test("The explanation of segments that double each other ends soon, and says the same of the user")
    func boundsExplanations() {
        func id(_ number: Int) -> SegmentID { SegmentID(rawValue: "\(number)") }
        var segments: [SegmentID: Audience] = [id(0): .none([.everyone])]
        for number in 1...80 {
            segments[id(number)] = .any([.segment(id(number - 1)), .segment(id(number - 1))])
        }
        let facts = Sample.facts(Sample.user().profile)
        func count(_ one: AudienceExplanation) -> Int { one.branches.reduce(1) { $0 + count($1) } }
        func depth(_ one: AudienceExplanation) -> Int { 1 + (one.branches.map(depth).max() ?? 0) }

        let deep = AudienceMatcher(.segment(id(80)), segments: segments).explanation(of: facts)
        #expect(!deep.matches && depth(deep) == 25 && count(deep) <= 20_000)
        #expect(deep.reasons.allSatisfy { $0.note == .leftOut })
        let wide = AudienceMatcher(.segment(id(9)), segments: segments).explanation(of: facts)
        #expect(!wide.matches && count(wide) == 2_558 && wide.reasons.allSatisfy { $0.note == nil })
    }

    @Test("Explanations share their room, and those that find none say whether the user is meant")
    func sharesRoom() {
        let matcher = AudienceMatcher(.all([.everyone, .everyone, .any([])]))
        let facts = Sample.facts(Sample.user().profile)
        var room = AudienceExplanation.Room(conditions: 3)
        let cut = matcher.explanation(of: facts, within: &room)
        #expect(cut.branches.count == 2 && cut.note == .leftOut && !cut.matches)
        #expect(cut.reasons.map(\.path) == ["audience"])
        let none = matcher.explanation(of: facts, within: &room)
        #expect(none.branches.isEmpty && none.note == .leftOut && !none.matches)
        #expect(none.summary == "more conditions than can be shown" && none.json["note"] == "left_out")

        var little = AudienceExplanation.Room(bytes: 10)
        let first = matcher.explanation(of: facts, within: &little)
        #expect(first.branches.isEmpty && first.note == .leftOut)
    }

    @Test("A reach by sample has bounds that hold what was found and leave out what was not")
    func boundsReach() {
        let exact = AudienceReach(found: 7, asked: 10, total: 10, isExact: true)
        #expect((exact.users, exact.bounds, exact.margin) == (7, 7...7, 0))
        let half = AudienceReach(found: 25_000, asked: 50_000, total: 1_000_000, isExact: false)
        #expect(half.users == 500_000)
        // 1.96 √(¼ · 0.95 / 50,000) of a million.
        #expect((4_200...4_300).contains(half.margin))
        let none = AudienceReach(found: 0, asked: 50_000, total: 1_000_000, isExact: false)
        #expect(none.users == 0 && none.bounds.lowerBound == 0 && (60...80).contains(none.bounds.upperBound))
        let all = AudienceReach(found: 50_000, asked: 50_000, total: 1_000_000, isExact: false)
        #expect(all.users == 1_000_000 && all.bounds.upperBound == 1_000_000)
        let nobody = AudienceReach(found: 0, asked: 0, total: 5, isExact: false)
        #expect((nobody.users, nobody.bounds) == (0, 0...5))
        let whole = AudienceReach(found: 3, asked: 5, total: 5, isExact: false)
        #expect(whole.bounds == 3...3)
    }
}
