import CardModel

/// Each statement adds what a group has counted to the rows of the writer's slot, in the order of their keys.
extension WriteSession {
    /// Adds what the group has counted to what was counted before.
    func flushCounts() throws {
        try addVariants()
        try addConversions()
        try addAmounts()
        try addAllocations()
        try addWithheld()
        let forgets = !pending.forgottenCampaigns.isEmpty || pending.forgottenTime != nil
        // Rows are locked in their order by others: whoever needs more of them takes all at once.
        if forgets { connection.later("LOCK TABLE problems IN SHARE ROW EXCLUSIVE MODE", []) }
        for problem in pending.problems.inOrder({ $0.order }) { add(problem) }
        if forgets { forgetMessages() }
    }

    // MARK: Variants

    private static let variantColumns = [
        "delivered", "impressions", "unique_impressions", "clicks", "unique_clicks", "dismissals", "decode_errors",
        "recipients",
    ]
    private static let variantNames = variantColumns.joined(separator: ", ")

    private static let counted = """
        unnest($2::TEXT[], $3::BIGINT[], $4::BIGINT[], $5::TEXT[], $6::BIGINT[], $7::BIGINT[], $8::BIGINT[],
            $9::BIGINT[], $10::BIGINT[], $11::BIGINT[], $12::BIGINT[], $13::BIGINT[])
            AS c (campaign_id, utc_day, local_day, variant_id, \(variantNames))
        """

    private static let addCounts = """
        INSERT INTO counts (slot, campaign_id, utc_day, local_day, variant_id, \(variantNames))
        SELECT $1, c.* FROM \(counted)
        ON CONFLICT (campaign_id, utc_day, local_day, variant_id, slot) DO UPDATE SET
            \(variantColumns.map { "\($0) = counts.\($0) + excluded.\($0)" }.joined(separator: ", "))
        """

    /// The totals of a day leave out what was counted of controls.
    private static let addDayTotals = """
        INSERT INTO day_totals (slot, local_day, \(variantNames))
        SELECT $1, c.local_day, \(variantColumns.map { "sum(c.\($0))::BIGINT" }.joined(separator: ", "))
        FROM \(counted)
        WHERE NOT EXISTS (
            SELECT 1 FROM controls AS o WHERE o.campaign_id = c.campaign_id AND o.variant_id = c.variant_id
        )
        GROUP BY c.local_day ORDER BY c.local_day
        ON CONFLICT (local_day, slot) DO UPDATE SET
            \(variantColumns.map { "\($0) = day_totals.\($0) + excluded.\($0)" }.joined(separator: ", "))
        """

    private func addVariants() throws {
        let rows = recorder.counts.variants.inOrder { $0.key.order }
        guard !rows.isEmpty else { return }
        let (keys, counts) = (rows.map(\.key), rows.map(\.value))
        let values: [any PostgresEncodable] = [
            slot, keys.map(\.campaign.rawValue), keys.map { Int64($0.day.utc.number) },
            keys.map { Int64($0.day.local.number) }, keys.map(\.variant.rawValue), counts.map(\.delivered),
            counts.map(\.impressions), counts.map(\.uniqueImpressions), counts.map(\.clicks),
            counts.map(\.uniqueClicks), counts.map(\.dismissals), counts.map(\.decodeErrors), counts.map(\.recipients),
        ]
        connection.later(Self.addCounts, values)
        connection.later(Self.addDayTotals, values)
    }

    // MARK: Conversions

    private static let addConversionCounts = """
        INSERT INTO conversion_counts
            (slot, campaign_id, utc_day, local_day, variant_id, conversion, conversions, unique_conversions)
        SELECT $1, c.* FROM unnest(
            $2::TEXT[], $3::BIGINT[], $4::BIGINT[], $5::TEXT[], $6::TEXT[], $7::BIGINT[], $8::BIGINT[]
        ) AS c
        ON CONFLICT (campaign_id, utc_day, local_day, variant_id, conversion, slot) DO UPDATE SET
            conversions = conversion_counts.conversions + excluded.conversions,
            unique_conversions = conversion_counts.unique_conversions + excluded.unique_conversions
        """

    private func addConversions() throws {
        let rows = recorder.counts.conversions.inOrder { $0.key.order }
        guard !rows.isEmpty else { return }
        connection.later(
            Self.addConversionCounts,
            [slot] + Self.values(of: rows.map(\.key)) + [
                rows.map(\.value.conversions), rows.map(\.value.uniqueConversions),
            ]
        )
    }

    private static func values(of keys: [RecordedCounts.ConversionKey]) -> [any PostgresEncodable] {
        [
            keys.map(\.campaign.rawValue), keys.map { Int64($0.day.utc.number) },
            keys.map { Int64($0.day.local.number) }, keys.map(\.variant.rawValue), keys.map(\.conversion),
        ]
    }

    /// PostgreSQL adds decimals exactly.
    private static let addAmountCounts = """
        INSERT INTO amount_counts
            (slot, campaign_id, utc_day, local_day, variant_id, conversion, currency, purchases, \
            buyers, amount, squares)
        SELECT $1, c.campaign_id, c.utc_day, c.local_day, c.variant_id, c.conversion, c.currency, c.purchases, c.buyers,
            c.amount::NUMERIC, c.squares
        FROM unnest(
            $2::TEXT[], $3::BIGINT[], $4::BIGINT[], $5::TEXT[], $6::TEXT[], $7::TEXT[], $8::BIGINT[], $9::BIGINT[],
            $10::TEXT[], $11::DOUBLE PRECISION[]
        ) AS c (campaign_id, utc_day, local_day, variant_id, conversion, currency, purchases, buyers, amount, squares)
        ON CONFLICT (campaign_id, utc_day, local_day, variant_id, conversion, currency, slot) DO UPDATE SET
            purchases = amount_counts.purchases + excluded.purchases,
            buyers = amount_counts.buyers + excluded.buyers,
            amount = amount_counts.amount + excluded.amount,
            squares = amount_counts.squares + excluded.squares
        """

    private func addAmounts() throws {
        let rows = recorder.counts.amounts.inOrder { $0.key.order }
        guard !rows.isEmpty else { return }
        let counts = rows.map(\.value)
        connection.later(
            Self.addAmountCounts,
            [slot] + Self.values(of: rows.map(\.key.conversion)) + [
                rows.map(\.key.currency), counts.map(\.purchases), counts.map(\.buyers),
                counts.map(\.amount.description), counts.map(\.squares),
            ]
        )
    }

    // MARK: Divisions

    private func addAllocations() throws {
        let rows = recorder.counts.allocations.inOrder { $0.key.order }
        guard !rows.isEmpty else { return }
        connection.later(
            """
            INSERT INTO divisions (slot, campaign_id, weights, variant_id, users)
            SELECT $1, c.* FROM unnest($2::TEXT[], $3::TEXT[], $4::TEXT[], $5::BIGINT[]) AS c
            ON CONFLICT (campaign_id, weights, variant_id, slot)
            DO UPDATE SET users = divisions.users + excluded.users
            """,
            [
                slot, rows.map(\.key.campaign.rawValue), rows.map(\.key.weights), rows.map(\.key.variant.rawValue),
                rows.map(\.value),
            ]
        )
    }

    // MARK: Problems

    private func forgetMessages() {
        connection.later(
            """
            UPDATE problems SET message = ''
            WHERE message != '' AND (campaign_id = ANY ($1::TEXT[]) OR last_at < $2)
            """,
            [pending.forgottenCampaigns.map(\.rawValue).sorted(), pending.forgottenTime ?? 0]
        )
    }

    /// Counts a problem, or adds it unless the campaign has as many as it may.
    private func add(_ problem: EventWrites.DecodingErrorReport) {
        connection.later(
            """
            WITH known AS (
                UPDATE problems SET
                    count = count + 1, message = CASE WHEN $5 >= last_at THEN $6 ELSE message END,
                    last_at = greatest(last_at, $5)
                WHERE campaign_id = $1 AND variant_id = $2 AND class_type = $3 AND field = $4
                RETURNING 1
            )
            INSERT INTO problems (campaign_id, variant_id, class_type, field, message, count, last_at)
            SELECT $1, $2, $3, $4, $6, 1, $5
            WHERE NOT EXISTS (SELECT 1 FROM known)
                AND (SELECT count(*) FROM problems WHERE campaign_id = $1) < $7
            """,
            [
                problem.campaign.rawValue, problem.variant.rawValue, problem.error.classType ?? "",
                problem.error.field ?? "", problem.at, problem.error.message, EventWrites.DecodingErrorReport.limit,
            ]
        )
    }
}

extension Sequence {
    /// Returns the elements in the order of their keys, each of which is made once: it takes more than a comparison.
    fileprivate func inOrder(_ key: (Element) -> KeyOrder) -> [Element] {
        map { (key: key($0), element: $0) }.sorted { $0.key < $1.key }.map(\.element)
    }
}

/// A key whose parts are compared one after the other, texts by their bytes: the order of the index.
private struct KeyOrder: Comparable {
    let parts: [[UInt8]]
    let days: [Int64]

    init(_ campaign: CampaignID, _ day: CountingDay? = nil, _ texts: String...) {
        parts = [Array(campaign.rawValue.utf8)] + texts.map { Array($0.utf8) }
        days = day.map { [Int64($0.utc.number), Int64($0.local.number)] } ?? []
    }

    static func < (one: KeyOrder, other: KeyOrder) -> Bool {
        // safe: every key has a campaign
        if one.parts[0] != other.parts[0] { return one.parts[0].lexicographicallyPrecedes(other.parts[0]) }
        if one.days != other.days { return one.days.lexicographicallyPrecedes(other.days) }
        return one.parts.lexicographicallyPrecedes(other.parts) { $0.lexicographicallyPrecedes($1) }
    }
}

extension RecordedCounts.Key {
    fileprivate var order: KeyOrder { KeyOrder(campaign, day, variant.rawValue) }
}

extension RecordedCounts.ConversionKey {
    fileprivate var order: KeyOrder { KeyOrder(campaign, day, variant.rawValue, conversion) }
}

extension RecordedCounts.AmountKey {
    fileprivate var order: KeyOrder {
        KeyOrder(conversion.campaign, conversion.day, conversion.variant.rawValue, conversion.conversion, currency)
    }
}

extension RecordedCounts.VariantAllocationKey {
    fileprivate var order: KeyOrder { KeyOrder(campaign, nil, weights, variant.rawValue) }
}

extension EventWrites.DecodingErrorReport {
    fileprivate var order: KeyOrder {
        KeyOrder(campaign, nil, variant.rawValue, error.classType ?? "", error.field ?? "")
    }
}

extension WithheldKey {
    fileprivate var order: KeyOrder { KeyOrder(campaign, day, variant.rawValue, kind.rawValue, reason.text) }
}

// MARK: Withheld cards

extension WriteSession {
    private func addWithheld() throws {
        for (key, users) in pending.withheld.inOrder({ $0.key.order }) {
            connection.later(
                """
                INSERT INTO withheld_counts (campaign_id, utc_day, local_day, variant_id, kind, reason, users)
                SELECT $1, $2, $3, $4, $5, CASE WHEN (
                    SELECT count(DISTINCT reason) FROM withheld_counts WHERE campaign_id = $1 AND reason <> $6
                ) < $8 THEN $6 ELSE '' END, $7
                ON CONFLICT (campaign_id, utc_day, local_day, variant_id, kind, reason) DO UPDATE SET
                    users = withheld_counts.users + excluded.users
                """,
                [
                    key.campaign.rawValue, Int64(key.day.utc.number), Int64(key.day.local.number),
                    key.variant.rawValue, key.kind.rawValue, key.reason.text, users, WithheldCount.reasonLimit,
                ]
            )
        }
    }
}
