import CardModel
import Testing
import WireJSON

@Suite("Caps and quiet hours that can't be meant")
struct DeliveryLimitErrorTests {
    private func error(_ json: JSONValue) -> ModelError? {
        var settings = Settings()
        do throws(ModelError) {
            try settings.readDeliveryLimits(json)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "A time of day has two digits, a colon and two digits",
        arguments: [
            "24:00", "22:60", "99:99", "7:00", "07:0", "007:00", "07:000", "07-00", "0700", "07:00:00", "07", ":",
            "07:",
            ":00", "", " 07:00", "07:00 ", "+7:00", "-7:00", "7a:00", "\u{FF10}\u{FF17}:00", "\u{660}7:00", "07:00Z",
        ]
    )
    func times(_ text: String) {
        for (name, other) in [("from", "to"), ("to", "from")] {
            var members: JSONObject = [:]
            members[name] = .string(text)
            members[other] = "12:00"
            let found = error(["quiet_hours": .object(members)])
            #expect(found?.path == "quiet_hours.\(name)")
            #expect(found?.code == .fieldInvalid)
        }
    }

    @Test("The first and the last minute of a day are times, and read back as they were written")
    func ends() throws {
        for (from, to) in [("00:00", "23:59"), ("23:59", "00:00"), ("00:00", "00:01"), ("12:00", "11:59")] {
            var settings = Settings()
            let json: JSONValue = ["quiet_hours": ["from": .string(from), "to": .string(to)]]
            try settings.readDeliveryLimits(json)
            let hours = try #require(settings.quietHours)
            #expect(hours.fromText == from && hours.toText == to)
            #expect(hours.json == json["quiet_hours"])
        }
    }

    @Test(
        "What is wrong is named with its code and place",
        arguments: [
            (["quiet_hours": 5], .fieldInvalid, "quiet_hours"), (["quiet_hours": []], .fieldInvalid, "quiet_hours"),
            (["quiet_hours": ["from": "07:00"]], .fieldMissing, "quiet_hours.to"),
            (["quiet_hours": ["to": "07:00"]], .fieldMissing, "quiet_hours.from"),
            (["quiet_hours": ["from": 7, "to": "08:00"]], .fieldInvalid, "quiet_hours.from"),
            (["quiet_hours": ["from": "07:00", "to": "07:00"]], .fieldInvalid, "quiet_hours.to"),
            (["quiet_hours": ["from": "07:00", "to": "08:00", "zone": "UTC"]], .fieldUnknown, "quiet_hours.zone"),
            (["frequency_caps": [:]], .fieldInvalid, "frequency_caps"),
            (["frequency_caps": "none"], .fieldInvalid, "frequency_caps"),
            (["frequency_caps": [1]], .fieldInvalid, "frequency_caps[0]"),
            (["frequency_caps": [["days": 1]]], .fieldMissing, "frequency_caps[0].cards"),
            (["frequency_caps": [["cards": 1]]], .fieldMissing, "frequency_caps[0].days"),
            (["frequency_caps": [["cards": 0, "days": 1]]], .fieldInvalid, "frequency_caps[0].cards"),
            (["frequency_caps": [["cards": 1_001, "days": 1]]], .fieldInvalid, "frequency_caps[0].cards"),
            (["frequency_caps": [["cards": 1.5, "days": 1]]], .fieldInvalid, "frequency_caps[0].cards"),
            (["frequency_caps": [["cards": "1", "days": 1]]], .fieldInvalid, "frequency_caps[0].cards"),
            (["frequency_caps": [["cards": 1, "days": 0]]], .fieldInvalid, "frequency_caps[0].days"),
            (["frequency_caps": [["cards": 1, "days": 91]]], .fieldInvalid, "frequency_caps[0].days"),
            (["frequency_caps": [["cards": 1, "days": -1]]], .fieldInvalid, "frequency_caps[0].days"),
            (["frequency_caps": [["cards": 1, "days": 1, "tag": 5]]], .fieldInvalid, "frequency_caps[0].tag"),
            (["frequency_caps": [["cards": 1, "days": 1, "per": "user"]]], .fieldUnknown, "frequency_caps[0].per"),
            (
                ["frequency_caps": [["cards": 1, "days": 1], ["cards": 1, "days": 1, "tag": "a\nb"]]], .fieldInvalid,
                "frequency_caps[1].tag"
            ),
        ] as [(JSONValue, ModelError.Code, String)]
    )
    func errors(_ json: JSONValue, _ code: ModelError.Code, _ path: String) {
        let found = error(json)
        #expect(found?.code == code)
        #expect(found?.path == path)
    }

    @Test("There are ten caps at most, of the smallest and the largest numbers")
    func bounds() throws {
        func caps(_ count: Int) -> JSONValue {
            let cap: JSONValue = ["cards": 1_000, "days": 90, "tag": .string(String(repeating: "x", count: 255))]
            return ["frequency_caps": .array(Array(repeating: cap, count: count))]
        }
        var settings = Settings()
        try settings.readDeliveryLimits(caps(10))
        #expect(settings.frequencyCaps.count == 10)
        #expect(settings.frequencyCaps.first?.seconds == 7_776_000.0)
        #expect(error(caps(11))?.path == "frequency_caps")
        try settings.readDeliveryLimits(["frequency_caps": [["cards": 1, "days": 1]]])
        #expect(settings.frequencyCaps == [FrequencyCap(cards: 1, days: 1)])
        // What isn't said is off.
        try settings.readDeliveryLimits([:])
        #expect(settings.frequencyCaps.isEmpty && settings.quietHours == nil)
    }

    @Test(
        "Quiet hours begin with their first second and end with the last, of any day",
        arguments: [
            (79_199.999, nil), (79_200, 111_600), (86_399.5, 111_600), (86_400, 111_600), (111_599.25, 111_600),
            (111_600, nil), (0, 25_200), (-1, 25_200), (-7_200, 25_200), (-7_200.5, nil), (25_199, 25_200),
            (25_200, nil),
        ] as [(UnixTime, UnixTime?)]
    )
    func seconds(_ now: UnixTime, _ end: UnixTime?) {
        #expect(QuietHours(from: 22 * 60, to: 7 * 60).end(at: now, in: .utc) == end)
    }
}
