import CardModel
import Statistics

extension ReportPage {
    /// The conversions of each variant.
    struct VariantConversions {
        struct ConversionCell {
            let variant: String
            let users: String
            let rate: String
            let interval: String?
            let amounts: [String]
        }

        let name: String
        let cells: [ConversionCell]

        static func list(_ report: CampaignReport) -> [VariantConversions] {
            let variants = report.campaign.content.variants.map {
                (name: $0.displayName, summaries: report.conversionSummaries(of: [$0.id]))
            }
            return report.campaign.content.conversions.enumerated().map { index, conversion in
                // Each variant has a summary of each conversion.
                VariantConversions(
                    name: conversion.displayName,
                    cells: variants.map { ConversionCell($0.summaries[index], of: $0.name) }
                )
            }
        }
    }
}

extension ReportPage.VariantConversions.ConversionCell {
    fileprivate init(_ summary: ConversionSummary, of variant: String) {
        self.init(
            variant: variant,
            users: PageFormatter.count(summary.counts.uniqueConversions),
            rate: summary.rate.rate.map(PageFormatter.percent) ?? "–",
            interval: summary.rate.interval.map(PageFormatter.interval),
            amounts: summary.amounts.sorted { $0.key < $1.key }.map { PageFormatter.money($0.value.amount, $0.key) }
        )
    }
}

extension Proportion {
    /// The values that the share can have.
    var interval: Interval? { wilsonInterval(confidence: Experiment.confidence) }
}

extension PageFormatter {
    /// `1.2% to 3.4%`.
    static func interval(_ interval: Interval) -> String {
        localized("\(percent(interval.low)) to \(percent(interval.high))")
    }
}
