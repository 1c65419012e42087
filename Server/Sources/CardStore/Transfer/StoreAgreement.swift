import CardModel

/// Finds where a copied store answers differently from the one that it was copied from.
package enum StoreAgreement {
    /// Compares what people would look at: the catalog, the number of users, every report, the totals and the audit
    /// log.
    ///
    /// - Parameters:
    ///   - copy: The copy.
    ///   - original: The store that it was made from.
    /// - Returns: The names of what differs; empty where nothing does.
    /// - Throws: What keeps a store from being read.
    package static func differences(of copy: any CardStore, from original: any CardStore) async throws -> [String] {
        var differences: [String] = []
        func compare<Value: Equatable>(_ name: String, _ own: Value, _ expected: Value) {
            if own != expected { differences.append(name) }
        }
        let (own, expected) = (try await copy.loadCatalog(), try await original.loadCatalog())
        compare("catalog", own.generation, expected.generation)
        compare("campaigns", own.campaigns, expected.campaigns)
        compare("keys", own.keys.map(\.id), expected.keys.map(\.id))
        compare("users", try await copy.userCount(), try await original.userCount())
        for campaign in expected.campaigns.map(\.id) {
            let reports = (try await report(campaign, copy), try await report(campaign, original))
            compare("report of \(campaign.rawValue)", reports.0, reports.1)
        }
        let first = Day(number: 0)
        compare("day totals", try await copy.dayTotals(from: first), try await original.dayTotals(from: first))
        compare("events", try await copy.newestEventTime(), try await original.newestEventTime())
        compare("audit log", try await copy.verifyAudit().problems.isEmpty, true)
        return differences
    }

    /// A report with its parts in one order.
    private static func report(_ campaign: CampaignID, _ store: any CardStore) async throws -> CampaignReport? {
        var report = try await store.campaignReport(of: campaign)
        report?.conversions.sort { "\($0)" < "\($1)" }
        report?.amounts.sort { "\($0)" < "\($1)" }
        return report
    }
}
