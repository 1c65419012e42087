import CardModel
import Statistics

extension ReportPage {
    /// Two variants compared by one metric, in words.
    struct Finding {
        let metric: String
        let variant: String
        let baseline: String
        let lift: String
        let interval: String
        let bar: String?
        let p: String
        let verdict: String
        let tone: String
    }

    /// The comparisons of a report: those by the first metric are what the experiment is about.
    struct Findings {
        let main: [Finding]
        let others: [Finding]

        init(_ experiment: Experiment, _ content: Campaign.Content) {
            let all = experiment.findings
            main = all.filter { $0.metric == all.first?.metric }.map { Finding($0, content) }
            others = all.filter { $0.metric != all.first?.metric }.map { Finding($0, content) }
        }
    }
}

extension Campaign.Content {
    /// Returns what people call a variant, which is its id where the campaign has it no more.
    func variantName(_ id: VariantID) -> String { variants.first { $0.id == id }?.displayName ?? id.rawValue }

    fileprivate func conversionName(_ id: String) -> String {
        conversions.first { $0.id.hasSameBytes(as: id) }?.displayName ?? id
    }
}

extension ReportPage.Finding {
    fileprivate init(_ finding: Experiment.Finding, _ content: Campaign.Content) {
        let (comparison, lift) = (finding.comparison, finding.comparison.lift)
        // Numbers beside "not enough data" would be read as a result.
        let isKnown = comparison.verdict != .notEnoughData
        let interval = isKnown ? finding.liftInterval : nil
        let p = comparison.pValue
        self.init(
            metric: Self.title(of: finding.metric, content),
            variant: content.variantName(finding.variant),
            baseline: content.variantName(finding.baseline),
            lift: isKnown ? lift.map { PageFormatter.change($0, digits: 1) } ?? "–" : "–",
            interval: interval.map { Self.text(of: $0) } ?? "",
            bar: interval.map { IntervalChart(low: $0.low, value: lift ?? 0, high: $0.high).svg },
            p: !isKnown ? "–" : p < 0.001 ? "< 0.001" : PageFormatter.decimal(p, digits: 3),
            verdict: Self.text(of: comparison.verdict),
            tone: Self.tone(of: comparison.verdict)
        )
    }

    private static func tone(of verdict: SampleComparison.Verdict) -> String {
        switch verdict {
        case .higher: "good"
        case .lower: "bad"
        case .noDifferenceYet, .notEnoughData: ""
        }
    }

    private static func text(of verdict: SampleComparison.Verdict) -> String {
        switch verdict {
        case .higher: localized("higher")
        case .lower: localized("lower")
        case .noDifferenceYet: localized("inconclusive")
        case .notEnoughData: localized("not enough data")
        }
    }

    private static func title(of metric: Experiment.Metric, _ content: Campaign.Content) -> String {
        switch metric {
        case .clicks: localized("Clicks")
        case .conversion(let id): content.conversionName(id)
        case .amount(let id, let currency): localized("\(content.conversionName(id)): \(currency) per user")
        }
    }

    private static func text(of interval: Interval) -> String {
        let low = PageFormatter.change(interval.low, digits: 1)
        return localized("\(low) to \(PageFormatter.change(interval.high, digits: 1))")
    }
}
