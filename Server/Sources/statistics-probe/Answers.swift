import Statistics
import WireJSON

/// The answers of the probe to each question.
enum Answers {
    static func answer(to question: JSONValue) -> JSONValue {
        switch question["ask"]?.string {
        case "normal_quantile": .number(NormalDistribution.quantile(number(question, "p")))
        case "wilson": wilson(question)
        case "mean": mean(question)
        case "welch": welch(question)
        case "compare": compare(question)
        case "sample_ratio": sampleRatio(question)
        default: .null
        }
    }

    private static func number(_ question: JSONValue, _ name: String) -> Double { question[name]?.double ?? .nan }

    private static func interval(_ interval: Interval?) -> JSONValue {
        interval.map { [.number($0.low), .number($0.high)] } ?? .null
    }

    private static func wilson(_ question: JSONValue) -> JSONValue {
        let proportion = Proportion(
            successes: question["successes"]?.integer ?? 0,
            trials: question["trials"]?.integer ?? 0
        )
        return interval(proportion.wilsonInterval(confidence: number(question, "confidence")))
    }

    private static func sample(_ json: JSONValue?) -> Sample {
        Sample(
            count: json?["count"]?.integer ?? 0,
            active: json?["active"]?.integer ?? 0,
            sum: json?["sum"]?.double ?? 0,
            sumOfSquares: json?["squares"]?.double ?? 0
        )
    }

    private static func mean(_ question: JSONValue) -> JSONValue {
        let sample = sample(question["sample"])
        return [
            "mean": sample.mean.map(JSONValue.number) ?? .null,
            "variance": sample.variance.map(JSONValue.number) ?? .null,
            "interval": interval(sample.interval(confidence: number(question, "confidence"))),
        ]
    }

    private static func welch(_ question: JSONValue) -> JSONValue {
        guard let test = WelchTest(sample(question["sample"]), with: sample(question["baseline"])) else { return .null }
        return [
            "statistic": .number(test.statistic), "degrees_of_freedom": .number(test.degreesOfFreedom),
            "p_value": .number(test.pValue),
        ]
    }

    private static func compare(_ question: JSONValue) -> JSONValue {
        let comparison = SampleComparison(
            sample(question["sample"]),
            with: sample(question["baseline"]),
            spread: question["spread"] == "larger" ? .larger : .separate,
            error: number(question, "error"),
            family: Int(question["family"]?.integer ?? 1)
        )
        guard let comparison else { return .null }
        return [
            "difference": .number(comparison.difference),
            "difference_interval": interval(comparison.differenceInterval),
            "lift": comparison.lift.map(JSONValue.number) ?? .null,
            "lift_interval": interval(comparison.liftInterval), "p_value": .number(comparison.pValue),
            "verdict": .string(comparison.verdict.rawValue),
        ]
    }

    private static func sampleRatio(_ question: JSONValue) -> JSONValue {
        let groups = (question["groups"]?.array ?? []).map { group in
            SampleRatioTest.Group(
                weights: group["weights"]?.array?.compactMap(\.double) ?? [],
                counts: group["counts"]?.array?.compactMap(\.integer) ?? []
            )
        }
        guard let test = SampleRatioTest(groups) else { return .null }
        return [
            "chi_square": .number(test.chiSquare), "degrees_of_freedom": .integer(Int64(test.degreesOfFreedom)),
            "single_look_p_value": .number(test.singleLookPValue), "p_value": .number(test.pValue),
        ]
    }
}
