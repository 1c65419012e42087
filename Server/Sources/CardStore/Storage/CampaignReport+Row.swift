package import CardModel

extension CountingDay {
    /// Restores a day from its columns.
    package init(_ row: some StoredRow) throws {
        self.init(utc: try row.day("utc_day"), local: try row.day("local_day"))
    }
}

extension CampaignCounts {
    /// Restores counts from a row.
    package init(_ row: some StoredRow) throws {
        self.init()
        delivered = try row.integer("delivered")
        impressions = try row.integer("impressions")
        uniqueImpressions = try row.integer("unique_impressions")
        clicks = try row.integer("clicks")
        uniqueClicks = try row.integer("unique_clicks")
        dismissals = try row.integer("dismissals")
        decodeErrors = try row.integer("decode_errors")
        recipients = try row.integer("recipients")
    }
}

extension CampaignReport.Row {
    /// Restores the counts of a variant and a day.
    package init(_ row: some StoredRow) throws {
        self.init(
            variant: VariantID(rawValue: try row.text("variant_id")),
            day: try CountingDay(row),
            counts: try CampaignCounts(row)
        )
    }
}

extension CampaignReport.DecodingErrorCount {
    /// Restores a problem; its columns are part of a key, so what the device did not name is empty there.
    package init(_ row: some StoredRow) throws {
        let (classType, field) = (try row.text("class_type"), try row.text("field"))
        self.init(
            variant: VariantID(rawValue: try row.text("variant_id")),
            classType: classType.isEmpty ? nil : classType,
            field: field.isEmpty ? nil : field,
            message: try row.text("message"),
            count: try row.integer("count"),
            lastAt: try row.double("last_at")
        )
    }
}

extension CampaignReport.ConversionRow {
    /// Restores the conversions of a variant and a day.
    package init(_ row: some StoredRow) throws {
        var counts = ConversionCounts()
        counts.conversions = try row.integer("conversions")
        counts.uniqueConversions = try row.integer("unique_conversions")
        self.init(
            variant: VariantID(rawValue: try row.text("variant_id")),
            day: try CountingDay(row),
            conversion: try row.text("conversion"),
            counts: counts
        )
    }
}

extension CampaignReport.AmountRow {
    /// Restores the amounts of a variant and a day.
    package init(_ row: some StoredRow) throws {
        guard let amount = Amount(exactly: try row.text("amount")) else { throw StoreError.unreadable("an amount") }
        self.init(
            variant: VariantID(rawValue: try row.text("variant_id")),
            day: try CountingDay(row),
            conversion: try row.text("conversion"),
            currency: try row.text("currency"),
            counts: AmountCounts(
                purchases: try row.integer("purchases"),
                buyers: try row.integer("buyers"),
                amount: amount,
                squares: try row.double("squares")
            )
        )
    }
}

extension CampaignReport.VariantAllocationRow {
    /// Restores how many users were divided so.
    package init(_ row: some StoredRow) throws {
        guard let allocation = VariantAllocation(try row.text("weights")) else {
            throw StoreError.unreadable("how users were divided")
        }
        self.init(
            allocation: allocation,
            variant: VariantID(rawValue: try row.text("variant_id")),
            users: try row.integer("users")
        )
    }
}

extension WithheldCount {
    /// The maximum number of reasons that are kept apart for a campaign: templates can make as many as there are users.
    package static let reasonLimit: Int64 = 200

    /// Returns the reason by which a failure counts: none where as many others are kept apart as may be.
    package static func reason(of failure: TemplateFailure, besides others: Int64) -> String {
        others < reasonLimit ? failure.countedReason : ""
    }

    /// Restores a count from its row.
    package init(_ row: some StoredRow) throws {
        guard let kind = TemplateFailure.FailureKind(rawValue: try row.text("kind")) else {
            throw StoreError.unreadable("a count")
        }
        self.init(
            variant: VariantID(rawValue: try row.text("variant_id")),
            day: try CountingDay(row),
            kind: kind,
            reason: try row.text("reason"),
            users: try row.integer("users")
        )
    }
}
