import CardModel
import CardServer
import Statistics

/// A formatter of what a reader of a report is told first; in English as the API says it.
enum ResultFormatter {
    static func text(_ experiment: Experiment, _ campaign: Campaign) -> String {
        let verdict = experiment.verdict
        guard let place = verdict.place, experiment.findings.indices.contains(place) else {
            return localized(sentence: experiment.message(of: campaign))
        }
        let finding = experiment.findings[place]
        let (variant, baseline) = (name(of: finding.variant, campaign), name(of: finding.baseline, campaign))
        let (metric, lift) = (title(of: finding.metric, campaign), lift(of: finding))
        return verdict.code == .better
            ? localized("Winner: \(variant) is better than \(baseline) by \(metric)\(lift).")
            : localized("\(variant) is worse than \(baseline) by \(metric)\(lift).")
    }

    /// Returns the display name of a variant: its name in quotes, or its ID where it has none.
    private static func name(of variant: VariantID, _ campaign: Campaign) -> String {
        let name = campaign.content.variants.first { $0.id == variant }.map(\.name)
        return name.flatMap { $0.isEmpty ? nil : localized("“\($0)”") } ?? variant.rawValue
    }

    private static func title(of metric: Experiment.Metric, _ campaign: Campaign) -> String {
        func name(_ id: String) -> String { campaign.content.conversions.first { $0.id == id }?.displayName ?? id }
        return switch metric {
        case .clicks: localized("clicks")
        case .conversion(let id): localized("the conversion “\(name(id))”")
        case .amount(let id, let currency): localized("the amount of “\(name(id))” in \(currency)")
        }
    }

    /// The lift with its interval: `: +12% (+3% to +22%)`.
    private static func lift(of finding: Experiment.Finding) -> String {
        guard let lift = finding.comparison.lift, let interval = finding.liftInterval else { return "" }
        return localized(": \(percent(lift)) (\(percent(interval.low)) to \(percent(interval.high)))")
    }

    private static func percent(_ part: Double) -> String {
        guard abs(part) < 1e6 else { return part < 0 ? localized("less", in: "lift") : localized("more", in: "lift") }
        return PageFormatter.change(part, digits: 0)
    }
}
