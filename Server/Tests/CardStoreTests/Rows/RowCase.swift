import CardModel
import CardStore
import CardStoreConformance
import Testing

/// A row as stores write it, and what makes a value of it.
struct RowCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let row: SampleRow
    /// The columns that may be NULL.
    let optional: Set<String>
    let read: @Sendable (SampleRow) throws -> Any

    init(
        _ name: String,
        optional: Set<String> = [],
        _ values: [String: TransferValue],
        _ read: @escaping @Sendable (SampleRow) throws -> Any
    ) {
        testDescription = name
        row = SampleRow(values)
        self.optional = optional
        self.read = read
    }
}

extension RowCase {
    static let all = people + campaigns + reports + deliveries

    private static let time = TransferValue.real(noon)
    private static let day: [String: TransferValue] = ["utc_day": .integer(20_777), "local_day": .integer(20_778)]

    /// Rows of the catalog.
    static let campaigns = [
        RowCase(
            "campaign",
            optional: ["launched_at"],
            [
                "id": .string("sale"), "content": .string(Campaign.sample().storedContent), "status": .string("draft"),
                "withdrawn": .integer(0), "version": .integer(3), "generation": .integer(5), "created_at": time,
                "updated_at": time, "launched_at": time,
            ]
        ) { try Campaign($0) },
        RowCase(
            "campaign's version",
            optional: ["restores"],
            [
                "version": .integer(3), "at": time, "actor": .string("ann@example.com"),
                "action": .string("campaign.update"), "status": .string("active"), "changed": .string("name,tags"),
                "restores": .integer(1),
            ]
        ) { try CampaignVersion($0) },
        RowCase(
            "segment",
            [
                "id": .string("vip"), "content": .string(segmentContent), "archived": .integer(1),
                "version": .integer(2), "created_at": time, "updated_at": time,
            ]
        ) { try Segment($0) },
        RowCase(
            "content block",
            [
                "name": .string("footer"), "content": .string("Bye"), "description": .string(""), "updated_at": time,
            ]
        ) { try ContentBlock($0) },
        RowCase(
            "content type",
            ["class_type": .string("coupon_code"), "schema": .string("{}"), "updated_at": time]
        ) { try ContentType($0) },
        RowCase(
            "proposal of content types",
            [
                "id": .string("p"), "key_id": .string("key_a"), "app_version": .string("1.0"),
                "types": .string(#"[{"class_type":"ad"}]"#), "updated_at": time,
            ]
        ) { try ContentTypeProposal($0) },
        RowCase(
            "approval",
            optional: ["content", "decider", "decided_at"],
            [
                "id": .string("apr_1"), "campaign_id": .string("sale"), "version": .integer(1),
                "content": .string(Campaign.sample().storedContent), "status": .string("rejected"),
                "requester": .string("ann@example.com"), "requester_kind": .string("member"), "requested_at": time,
                "decider": .string("bob@example.com"), "decided_at": time, "comments": .string("[]"),
            ]
        ) { try Approval($0) },
    ]

    private static let segmentContent = Segment(
        id: SegmentID(rawValue: "vip"),
        content: Segment.SegmentContent(name: "VIP", audience: .everyone),
        createdAt: noon
    ).storedContent

    /// Rows of what is counted.
    static let reports = [
        RowCase(
            "row of a report",
            day.merging(counts) { $1 }.merging(["variant_id": .string("a")]) { $1 }
        ) { try CampaignReport.Row($0) },
        RowCase(
            "problem of decoding",
            [
                "variant_id": .string("a"), "class_type": .string("ad"), "field": .string("code"),
                "message": .string("missing"), "count": .integer(2), "last_at": time,
            ]
        ) { try CampaignReport.DecodingErrorCount($0) },
        RowCase(
            "conversions",
            day.merging([
                "variant_id": .string("a"), "conversion": .string("order"), "conversions": .integer(3),
                "unique_conversions": .integer(2),
            ]) { $1 }
        ) { try CampaignReport.ConversionRow($0) },
        RowCase(
            "amounts",
            day.merging([
                "variant_id": .string("a"), "conversion": .string("order"), "currency": .string("EUR"),
                "amount": .string("19.99"), "purchases": .integer(1), "buyers": .integer(1), "squares": .real(399.6),
            ]) { $1 }
        ) { try CampaignReport.AmountRow($0) },
        RowCase(
            "division of users",
            ["weights": .string("a:1,control:3"), "variant_id": .string("a"), "users": .integer(9)]
        ) { try CampaignReport.VariantAllocationRow($0) },
        RowCase(
            "withheld cards",
            day.merging([
                "variant_id": .string("a"), "kind": .string("aborted"), "reason": .string("no name"),
                "users": .integer(9),
            ]) { $1 }
        ) { try WithheldCount($0) },
        RowCase(
            "conversion of a card",
            optional: ["local_day"],
            ["at": time, "local_day": .integer(20_778)]
        ) { try CountedConversion($0) },
        RowCase(
            "spending",
            optional: ["counted"],
            [
                "amount": .string("19.99"), "purchases": .integer(1), "first_at": time,
                "counted": .string(#"{"p":[]}"#),
            ]
        ) { try Spending($0) },
    ]

    private static let counts = Dictionary(
        uniqueKeysWithValues: [
            "delivered", "impressions", "unique_impressions", "clicks", "unique_clicks", "dismissals", "decode_errors",
            "recipients",
        ].map { ($0, TransferValue.integer(4)) }
    )

    /// Rows of what users get and do.
    static let deliveries = [
        RowCase(
            "event",
            optional: ["owner", "card_id", "campaign_id", "variant_id", "details"],
            [
                "position": .integer(7), "user_id": .string("user-1"), "owner": .null,
                "id": .bytes(Array(repeating: 7, count: 16)), "type": .string("click"), "at": time, "received_at": time,
                "card_id": .string("card-1"), "campaign_id": .string("sale"), "variant_id": .string("a"),
                "details": .string("{}"),
            ]
        ) { try StoredEvent($0) },
        RowCase(
            "broadcast",
            optional: ["properties"],
            [
                "audience": .string(Audience.everyone.json.text), "trigger_id": .string("t"),
                "campaign_id": .string("sale"), "at": time, "due_at": time, "due_locally": .integer(1), "until": time,
                "properties": .string("{}"),
            ]
        ) { try Broadcast($0) },
        RowCase(
            "past trigger",
            ["trigger_id": .string("t"), "at": time, "outcome": .string("removal_event")]
        ) { try PastTrigger($0) },
        RowCase(
            "test card",
            optional: ["language"],
            [
                "card_id": .string("card-1"), "campaign_id": .string("sale"), "variant_id": .string("a"),
                "language": .string("ja"), "members": .bytes(Array(#","title":"x""#.utf8)), "pinned": .integer(1),
                "priority": .integer(.max), "sent_at": time, "expires_at": time, "viewed": .integer(0),
                "clicked": .integer(1), "dismissed": .integer(0), "replaced": .integer(0), "changed_at": .integer(4),
            ]
        ) { try TestCard($0) },
        RowCase(
            "notice for the webhook",
            [
                "position": .integer(1), "id": .bytes(Array(repeating: 7, count: 16)),
                "kind": .string("user.deleted"), "subject": .string("user-1"), "details": .string("{}"), "at": time,
            ]
        ) { try WebhookNotice($0) },
    ]

    /// Rows of members, keys and what they do.
    static let people = [
        RowCase(
            "key",
            optional: ["revoked_at", "expires_at", "last_used_at", "previous_hash", "previous_expires_at"],
            [
                "id": .string("key_a"), "name": .string("Backend"), "kind": .string("secret"),
                "permissions": .string("read,users"), "hash": .bytes([1, 2]), "hint": .string("wxyz"),
                "created_at": time, "revoked_at": time, "expires_at": time, "last_used_at": time,
                "allowed_addresses": .string("10.0.0.0/8"), "previous_hash": .bytes([3]), "previous_expires_at": time,
            ]
        ) { try APIKey($0) },
        RowCase(
            "entry of the audit log",
            optional: ["details"],
            [
                "position": .integer(1), "at": time, "actor": .string("ann"), "actor_kind": .string("member"),
                "action": .string("key.create"), "subject": .string("key_a"), "details": .string("{}"),
                "hash": .bytes([1]),
            ]
        ) { try AuditEntry($0) },
        RowCase(
            "chain of the audit log",
            [
                "last_count": .integer(9), "last_position": .integer(9), "last_hash": .bytes([1]),
                "anchor_count": .integer(4), "anchor_position": .integer(4), "anchor_hash": .bytes([2]),
            ]
        ) { try AuditChain($0) },
        RowCase(
            "session",
            optional: ["account_change"],
            [
                "hash": .bytes([1]), "email": .string("ann@example.com"), "form_key": .bytes([2]), "created_at": time,
                "expires_at": time, "address": .string("192.0.2.1"), "browser": .string("Firefox"),
                "last_used_at": time, "confirmed_at": time, "account_change": .string("password"),
            ]
        ) { try Session($0) },
        RowCase(
            "import",
            optional: ["plan", "started_at", "ended_at", "failure"],
            [
                "id": .string("imp_1"), "file_name": .string("users.csv"), "format": .string("csv"),
                "size": .integer(10), "fingerprint": .string("f"), "created_at": time,
                "created_by": .string("ann@example.com"), "status": .string("failed"), "received": .integer(10),
                "plan": .string("{}"), "started_at": time, "ended_at": time, "failure": .string("line 2"),
                "read_bytes": .integer(5), "line": .integer(2), "imported": .integer(1), "rejected": .integer(0),
            ]
        ) { try ImportJob($0) },
        RowCase(
            "picture",
            optional: ["bucket_folder"],
            [
                "id": .string(String(repeating: "0a", count: 16)), "name": .string("a.png"), "alt": .string(""),
                "format": .string("png"), "width": .integer(960), "height": .integer(480), "frames": .integer(1),
                "widths": .string("960 480"), "bytes": .integer(4_096), "created_at": time,
                "created_by": .string("ann@example.com"), "bucket_folder": .string("Xy7 960:2048 480:700"),
            ]
        ) { try MediaItem($0) },
    ]
}
