public import Statistics

/// The counts of one conversion of some variants, over all days.
public struct ConversionSummary: Sendable {
    /// The conversion.
    public let conversion: Campaign.Conversion
    /// The number of users with an open or ended conversion window.
    public let users: Int64
    /// The counts.
    public let counts: ConversionCounts
    /// The amounts that were spent, by currency.
    public let amounts: [String: AmountCounts]

    /// The share of the users who converted.
    public var rate: Proportion { Proportion(successes: counts.uniqueConversions, trials: users) }
}

extension CampaignReport {
    /// Returns the sums of some variants for each conversion of the campaign, in its order.
    public func conversionSummaries(of variants: [VariantID]) -> [ConversionSummary] {
        campaign.content.conversions.map { conversion in
            var counts = ConversionCounts()
            var amounts: [String: AmountCounts] = [:]
            for variant in variants {
                counts += conversions(conversion.id, of: variant)
                for (currency, amount) in self.amounts(conversion.id, of: variant) {
                    amounts[currency, default: AmountCounts()] += amount
                }
            }
            let users = variants.reduce(0) { $0 + population(of: conversion, in: $1) }
            return ConversionSummary(conversion: conversion, users: users, counts: counts, amounts: amounts)
        }
    }

    /// Returns the sums of all variants but the control for each conversion of the campaign, in its order.
    public var conversionTotals: [ConversionSummary] {
        conversionSummaries(of: campaign.content.variants.filter { !$0.isControl }.map(\.id))
    }
}
