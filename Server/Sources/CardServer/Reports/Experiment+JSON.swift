package import CardModel
import OrderedCollections
import Statistics
import WireJSON

extension Experiment {
    /// Returns the results of the variants, as the API gives them.
    func json(of campaign: Campaign) -> JSONValue {
        [
            "confidence": .number(Self.confidence), "verdict": verdictJSON(of: campaign),
            "sample_ratio": sampleRatio?.json ?? .null, "comparisons": .array(findings.map(\.json)),
        ]
    }

    private func verdictJSON(of campaign: Campaign) -> JSONValue {
        [
            "code": .string(verdict.code.rawValue),
            "variant_id": decisive.map { .string($0.variant.rawValue) } ?? .null,
            "message": .string(message(of: campaign)),
        ]
    }

    // safe: a place of the findings
    /// The finding that the verdict comes from.
    private var decisive: Finding? { verdict.place.map { findings[$0] } }

    /// Returns the verdict in words.
    package func message(of campaign: Campaign) -> String {
        switch verdict.code {
        case .nothingToCompare:
            return campaign.content.variants.count < 2
                ? "There is one variant, so there is nothing to compare."
                : "There is nothing yet by which the variants can be compared. A control needs a conversion."
        case .sampleRatioMismatch:
            return "Users were not divided as the weights say. Find out why before you trust any comparison."
        case .weightsChanged:
            return "The weights were changed while the campaign ran, so that variants have users of other times and "
                + "can't be compared. Duplicate the campaign to compare them by the new weights."
        case .notEnoughData:
            return "It is too early to compare: each variant needs \(SampleComparison.fewestUsers) users and "
                + "\(Int(SampleComparison.fewestExpected)) of them who did something."
        case .noDifferenceYet:
            return "Inconclusive: the data are compatible with no difference. More data may show one."
        case .better, .worse:
            guard let finding = decisive else { return "" }
            let (outcome, word) = verdict.code == .better ? ("Winner: ", "better") : ("", "worse")
            let (variant, baseline) = (name(of: finding.variant, campaign), name(of: finding.baseline, campaign))
            return "\(outcome)\(variant) is \(word) than \(baseline) by "
                + "\(finding.metric.title(in: campaign))\(finding.liftText)."
        }
    }
}

extension Experiment {
    /// Returns the display name of a variant: its name in quotes, or its ID where it has none.
    private func name(of variant: VariantID, _ campaign: Campaign) -> String {
        let name = campaign.content.variants.first { $0.id == variant }?.name ?? ""
        return name.isEmpty ? variant.rawValue : "“\(name)”"
    }
}

extension Experiment.Finding {
    fileprivate var json: JSONValue {
        func interval(_ interval: Interval?) -> JSONValue {
            interval.map { ["low": .number($0.low), "high": .number($0.high)] } ?? .null
        }
        return [
            "metric": metric.json, "variant_id": .string(variant.rawValue), "baseline_id": .string(baseline.rawValue),
            "difference": .number(comparison.difference),
            "difference_interval": interval(comparison.differenceInterval),
            "lift": comparison.lift.map(JSONValue.number) ?? .null, "lift_interval": interval(comparison.liftInterval),
            "p_value": .number(comparison.pValue),
            "single_look_p_value": singleLook.map { .number($0.pValue) } ?? .null,
            "verdict": .string(comparison.verdict.rawValue),
        ]
    }
}

extension Experiment.Metric {
    fileprivate var json: JSONValue {
        switch self {
        case .clicks: ["type": "clicks", "conversion_id": .null, "currency": .null]
        case .conversion(let id): ["type": "conversion", "conversion_id": .string(id), "currency": .null]
        case .amount(let id, let currency):
            ["type": "amount", "conversion_id": .string(id), "currency": .string(currency)]
        }
    }

    fileprivate func title(in campaign: Campaign) -> String {
        func name(_ id: String) -> String { campaign.content.conversions.first { $0.id == id }?.name ?? id }
        return switch self {
        case .clicks: "clicks"
        case .conversion(let id): "the conversion “\(name(id))”"
        case .amount(let id, let currency): "the amount of “\(name(id))” in \(currency)"
        }
    }
}

extension Experiment.Finding {
    /// The lift with its interval: `: +12% (+3% to +22%)`.
    fileprivate var liftText: String {
        guard let lift = comparison.lift, let liftInterval else { return "" }
        return ": \(Self.percent(lift)) (\(Self.percent(liftInterval.low)) to \(Self.percent(liftInterval.high)))"
    }

    // safe: below a million
    private static func percent(_ part: Double) -> String {
        guard abs(part) < 1e6 else { return part < 0 ? "less" : "more" }
        let rounded = Int((part * 100).rounded())
        return "\(rounded < 0 ? "−" : "+")\(abs(rounded))%"
    }
}

extension SampleRatioTest {
    fileprivate var json: JSONValue {
        [
            "mismatch": .bool(isMismatch), "p_value": .number(pValue), "chi_square": .number(chiSquare),
            "degrees_of_freedom": .integer(Int64(degreesOfFreedom)),
            "single_look_p_value": .number(singleLookPValue),
        ]
    }
}
