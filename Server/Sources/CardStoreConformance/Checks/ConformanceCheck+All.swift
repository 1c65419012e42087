import Foundation

extension ConformanceCheck {
    /// Every check, by topic.
    public static let all: [ConformanceCheck] = topics.flatMap { topic, checks in
        checks.map { check in
            var check = check
            check.topic = topic
            return check
        }
    }

    /// Returns the checks of what the stores of a factory can do.
    public static func all(for stores: some StoreFactory) -> [ConformanceCheck] {
        let wanted = ProcessInfo.processInfo.environment["PLACARD_CHECKS"] ?? ""
        return all.filter { check in
            (check.capability.map(stores.capabilities.contains) ?? true)
                && (wanted.isEmpty || check.testDescription.contains(wanted))
        }
    }

    private static let topics: [(String, [ConformanceCheck])] = [
        ("Keys, settings and content types", AccessChecks.checks),
        ("Accounts changed at the same time", AccountRaceChecks.checks),
        ("Addresses that devices set", AddressChecks.checks),
        ("Approvals", ApprovalChecks.checks),
        ("Comments and history of approvals", ApprovalHistoryChecks.checks),
        ("Audit log", AuditChecks.checks),
        ("Backends", BackendChecks.checks),
        ("Backup", BackupChecks.checks),
        ("Lists, search and sums", BrowsingChecks.checks),
        ("Campaigns", CampaignChecks.checks),
        ("Campaign versions", CampaignVersionChecks.checks),
        ("Content type proposals", ContentTypeProposalChecks.checks),
        ("Conversions", ConversionChecks.checks),
        ("Conversions in any order", ConversionOrderChecks.checks),
        ("Conversions counted again", ConversionRecountChecks.checks),
        ("Days", CountingDayChecks.checks),
        ("Events", EventChecks.checks),
        ("Event log and webhook", EventsOutChecks.checks),
        ("Users' cards", FeedChecks.checks),
        ("Histories", HistoryChecks.checks),
        ("Equivalent names are different names", IdentityChecks.checks),
        ("Changes, health and closing", LifeChecks.checks),
        ("Identification and deletion", IdentificationChecks.checks),
        ("Logs of merged users", MergedLogChecks.checks),
        ("Imports of users", ImportChecks.checks),
        ("Imports that wait", ImportLifeChecks.checks),
        ("Media library", MediaChecks.checks),
        ("Folders in a bucket", BucketFolderChecks.checks),
        ("What contents name", MentionChecks.checks),
        ("Messages to members", MailChecks.checks),
        ("Overlap of audiences", OverlapChecks.checks),
        ("Pruning", PruningChecks.checks),
        ("Saved filters", SavedFilterChecks.checks),
        ("Schedules", ScheduleChecks.checks),
        ("Segments", SegmentChecks.checks),
        ("Members, sessions, forms and attempts", TeamChecks.checks),
        ("Content blocks and suppressed cards", TemplateChecks.checks),
        ("Test cards", TestCardChecks.checks),
        ("Codes for tests", TestCodeChecks.checks),
        ("Triggers", TriggerChecks.checks),
        ("Users", UserChecks.checks),
        ("Webhook notices", WebhookNoticeChecks.checks),
        ("Audiences", AudienceChecks.checks),
    ]
}
