import CardModel
import CardStore
import CardStoreConformance
import Testing

@testable import PostgresCardStore

/// The statement differs by what is asked for, so that each of its forms is asked, and compared with what is to be
/// found.
@Suite("PostgreSQL: searches for campaigns", .timeLimit(.minutes(20)))
struct CampaignQueryTests {
    private struct Stored {
        let id: String
        let name: String
        let tags: [String]
        let status: Campaign.Status
        let updatedAt: UnixTime
    }

    private static let stored: [Stored] = (0..<12).map { number in
        let statuses = Campaign.Status.allCases
        return Stored(
            id: "c-\(number)",
            name: ["Sale", "SALE 50% off", "News_letter", #"Back\slash"#][number % 4],
            tags: [["spring"], ["spring", "vip"], []][number % 3],
            status: statuses[number % statuses.count],
            // Several were changed at one moment.
            updatedAt: noon + Double(number / 3)
        )
    }

    private func fill(_ store: PostgresCardStore) async throws {
        for row in Self.stored {
            var campaign = Campaign.sample(row.id, title: row.name)
            campaign.content.tags = row.tags
            try await store.insertCampaign(campaign, by: .command)
            _ = try await store.writer.write { session in
                try session.connection.execute(
                    "UPDATE campaigns SET status = $2, updated_at = $3 WHERE id = $1",
                    [row.id, row.status.rawValue, row.updatedAt]
                )
            }
        }
    }

    /// The ids that a search has to find, those last changed first.
    private func expected(_ filter: CampaignFilter, _ place: CampaignPlace?) -> [String] {
        func isMeant(_ row: Stored) -> Bool {
            if let status = filter.status, row.status != status { return false }
            if filter.status == nil, row.status == .archived { return false }
            if let text = filter.text, !row.name.lowercased().contains(text.lowercased()), row.id != text {
                return false
            }
            if let tag = filter.tag, !row.tags.contains(tag) { return false }
            guard let place else { return true }
            return (row.updatedAt, row.id) < (place.updatedAt, place.id.rawValue)
        }
        return Self.stored.filter(isMeant).sorted { ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id) }.map(\.id)
    }

    private func found(
        _ filter: CampaignFilter,
        _ place: CampaignPlace?,
        limit: Int = 50,
        in store: PostgresCardStore
    ) async throws -> [String] {
        let query = CampaignQuery(filter: filter, place: place, limit: limit)
        return try await store.read { try query.run($0).map(\.id.rawValue) }
    }

    @Test("Every form of the statement finds what it is to find, in the order of the changes")
    func forms() async throws {
        try await withStore { store in
            try await fill(store)
            let places: [CampaignPlace?] = [
                nil, CampaignPlace(updatedAt: noon + 2, id: CampaignID(rawValue: "c-7")),
                CampaignPlace(updatedAt: noon, id: CampaignID(rawValue: "c-0")),
                CampaignPlace(updatedAt: .infinity, id: CampaignID(rawValue: "")),
            ]
            let texts: [String?] = [nil, "sale", "50%", "s_l", "_", #"\"#, "c-3"]
            for status in [nil] + Campaign.Status.allCases.map(Optional.some) {
                for tag in [nil, "vip", "none"] as [String?] {
                    for text in texts {
                        for place in places {
                            let filter = CampaignFilter(status: status, tag: tag, text: text)
                            let ids = try await found(filter, place, in: store)
                            #expect(ids == expected(filter, place), "\(filter) \(String(describing: place))")
                        }
                    }
                }
            }
        }
    }

    @Test("Pages of any length have every campaign once, also those that were changed at one moment", arguments: 1...5)
    func pages(limit: Int) async throws {
        try await withStore { store in
            try await fill(store)
            var (ids, place): ([String], CampaignPlace?) = ([], nil)
            for _ in 0..<13 {
                let query = CampaignQuery(filter: CampaignFilter(), place: place, limit: limit)
                let page = try await store.read { try query.run($0) }
                #expect(page.count <= limit)
                ids += page.map(\.id.rawValue)
                guard let last = page.last else { break }
                place = CampaignPlace(updatedAt: last.updatedAt, id: last.id)
            }
            #expect(ids == expected(CampaignFilter(), nil))
        }
    }

    @Test("What is found by its name is read as it was found, whatever is changed in between")
    func oneMoment() async throws {
        try await TemplateDatabase.withCopy { url in
            var options = PostgresCardStore.Options()
            // However busy the machine is.
            options.statementTimeout = .seconds(600)
            options.lockTimeout = .seconds(600)
            let store = try await PostgresCardStore.open(url: url, options: options)
            for id in ["c-1", "c-2"] { try await store.insertCampaign(.sample(id), by: .command) }
            // Whoever reads campaigns waits at a gate, once it is settled which rows there are.
            try await store.writer.write { session in
                try session.connection.simple(
                    """
                    ALTER TABLE campaigns RENAME TO all_campaigns;
                    CREATE VIEW campaigns AS SELECT c.* FROM all_campaigns AS c
                    CROSS JOIN (SELECT pg_advisory_xact_lock_shared(7)) AS gate
                    """
                )
            }
            let hold = HeldJob()
            async let changing: Void = store.writer.write { session in
                _ = try session.connection.row("SELECT pg_advisory_xact_lock(7) IS NULL AS is_locked")
                hold.wait()
                try session.connection.execute("UPDATE all_campaigns SET status = 'archived' WHERE id = 'c-1'")
            }
            while !hold.isHeld.load(ordering: .acquiring) { await Task.yield() }
            let search = Task {
                try await store.searchCampaigns(matching: CampaignFilter(text: "sale"), after: nil, limit: 9)
            }
            let waits = """
                SELECT 1 FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
                WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted
                """
            while try await store.read({ try $0.rows(waits).isEmpty }) { await Task.yield() }
            hold.end.signal()
            try await changing
            #expect(try await search.value.map(\.status) == [.draft, .draft])
            let later = try await store.searchCampaigns(matching: CampaignFilter(text: "sale"), after: nil, limit: 9)
            #expect(later.map(\.id.rawValue) == ["c-2"])
            try await store.close()
        }
    }

    @Test("Tags are each named once, in the order of their bytes, as many as are asked for")
    func tags() async throws {
        try await withStore { store in
            try await fill(store)
            #expect(try await store.campaignTags(limit: 9) == ["spring", "vip"])
            #expect(try await store.campaignTags(limit: 1) == ["spring"])
            var campaign = Campaign.sample("more")
            campaign.content.tags = ["Zebra", "äther", "spring\u{0}"]
            try await store.insertCampaign(campaign, by: .command)
            #expect(try await store.campaignTags(limit: 9) == ["Zebra", "spring", "spring\u{0}", "vip", "äther"])
        }
    }
}
