import CardModel
import CardStore
import Testing

/// Checks of days.
enum CountingDayChecks {
    static let checks: [ConformanceCheck] = [
        ownDay, summerTimeEnds, summerTimeStarts, zoneChanges, deliveryDay,
    ]

    /// 2026-10-25T00:30:00Z, half past two in Berlin in summer time; at 01:00Z the clocks go back.
    private static let beforeTheChange: UnixTime = 1_792_888_200

    private static func days(_ store: any CardStore) async throws -> [String] {
        let report = try #require(try await store.campaignReport(of: CampaignID(rawValue: "sale")))
        return report.rows.filter { $0.counts.impressions > 0 }.flatMap { row in
            Array(repeating: "\(row.day.utc) \(row.day.local)", count: Int(row.counts.impressions))
        }
    }

    private static func useBerlin(_ store: any CardStore) async throws {
        var settings = Settings()
        settings.timeZone = "Europe/Berlin"
        try await store.saveSettings(settings, at: noon, by: command)
    }

    static let ownDay = ConformanceCheck(
        "An event counts on the day on which it happened, not on which it arrived"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")

            try await store.record([.impression(1, at: noon - 3 * 86_400), .impression(2)], at: noon)

            #expect(try await days(store) == ["2026-11-18 2026-11-18", "2026-11-21 2026-11-21"])
        }
    }

    static let summerTimeEnds = ConformanceCheck(
        "The workspace's day follows its zone through the end of summer time"
    ) { stores in
        try await stores.withStore { store in
            try await useBerlin(store)
            try await store.launch(.sample())
            try await store.give("card-1")
            let start = Self.beforeTheChange
            // The 24th ends at 22:00Z in summer time; the 25th has 25 hours and ends at 23:00Z in winter time.
            let times = [start - 9_001, start - 9_000, start + 1_799, start + 1_800, start + 80_999, start + 81_000]

            try await store.record(times.enumerated().map { .impression(UInt64($0), at: $1) })

            #expect(
                try await days(store) == [
                    "2026-10-24 2026-10-24", "2026-10-24 2026-10-25", "2026-10-25 2026-10-25", "2026-10-25 2026-10-25",
                    "2026-10-25 2026-10-25", "2026-10-25 2026-10-26",
                ]
            )
        }
    }

    static let summerTimeStarts = ConformanceCheck(
        "The workspace's day follows its zone through the start of summer time"
    ) { stores in
        try await stores.withStore { store in
            try await useBerlin(store)
            try await store.launch(.sample())
            try await store.give("card-1")
            // 2026-03-29 begins at 23:00Z of the 28th in winter time and ends at 22:00Z in summer time.
            let start: UnixTime = 1_774_738_800

            try await store.record([
                .impression(1, at: start - 1), .impression(2, at: start), .impression(3, at: start + 82_799),
                .impression(4, at: start + 82_800),
            ])

            #expect(
                try await days(store) == [
                    "2026-03-28 2026-03-28", "2026-03-28 2026-03-29", "2026-03-29 2026-03-29", "2026-03-29 2026-03-30",
                ]
            )
        }
    }

    static let zoneChanges = ConformanceCheck(
        "A new zone holds from the next event on"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.give("card-1")
            let evening = noon + 11.5 * 3600
            try await store.record([.impression(1, at: evening)])

            try await useBerlin(store)
            try await store.record([.impression(2, at: evening)])

            #expect(try await days(store) == ["2026-11-21 2026-11-21", "2026-11-21 2026-11-22"])
        }
    }

    static let deliveryDay = ConformanceCheck(
        "A delivery counts on the day of its change"
    ) { stores in
        try await stores.withStore { store in
            try await store.launch(.sample())
            try await store.give("card-1", at: noon - 86_400)

            let report = try #require(try await store.campaignReport(of: CampaignID(rawValue: "sale")))
            #expect(report.rows.map(\.day.utc.description) == ["2026-11-20"])
            #expect(report.rows.map(\.counts.delivered) == [1])
        }
    }
}
