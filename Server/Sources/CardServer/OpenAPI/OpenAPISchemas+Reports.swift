import CardModel
import OrderedCollections
import Statistics
import WireJSON

extension OpenAPISchemas {
    static let optionalNumber: JSONValue = ["type": ["number", "null"]]

    /// The schemas of what was counted, what the variants say, and what campaigns count.
    static var reports: JSONObject {
        parts.merging(comparisons) { first, _ in first }.merging(conversions) { first, _ in first }
            .merging([
                "Report": record([
                    "campaign_id": text, "name": text, "status": reference("CampaignStatus"), "generated_at": time,
                    "time_zone": text,
                    "eligible": [
                        "oneOf": [reference("Reach"), ["type": "null"]],
                        "description": "The users in the audience at present, where that was asked for.",
                    ],
                    "totals": reference("Counts"), "variants": list(reference("VariantCounts")),
                    "experiment": reference("Experiment"), "days": list(reference("DayCounts")),
                    "days_utc": list(reference("DayCounts")),
                    "withheld": list(reference("WithheldCount")),
                    "decode_errors": list(
                        record([
                            "variant_id": text, "class_type": optionalText, "field": optionalText, "message": text,
                            "count": whole, "last_at": time,
                        ])
                    ),
                ])
            ]) { first, _ in first }
    }

    private static var parts: JSONObject {
        let counts = CampaignCounts().members.mapValues { _ in whole }
        let conversions: JSONObject = ["conversions": list(reference("ConversionResult"))]
        let variant: JSONObject = [
            "id": text, "name": text, "control": flag, "weight": whole,
            "rates": record(["seen": reference("Rate"), "clicked": reference("Rate"), "dismissed": reference("Rate")]),
        ]
        let day: JSONObject = [
            "day": ["type": "string", "format": "date"], "variant_id": text,
            "conversions": list(
                record([
                    "id": text, "conversions": whole, "unique_conversions": whole,
                    "amounts": list(record(["currency": text, "amount": number, "purchases": whole])),
                ])
            ),
        ]
        return [
            "Counts": record(counts.merging(conversions) { first, _ in first }),
            "VariantCounts": record(
                variant.merging(counts) { first, _ in first }.merging(conversions) { first, _ in first }
            ),
            "DayCounts": record(day.merging(counts) { first, _ in first }),
            "Rate": record(["of": whole, "rate": optionalNumber, "low": optionalNumber, "high": optionalNumber]),
            "ConversionResult": record([
                "id": text, "name": text, "users": whole, "conversions": whole, "unique_conversions": whole,
                "rate": reference("Rate"),
                "amounts": list(
                    record([
                        "currency": text, "amount": number, "purchases": whole, "buyers": whole,
                        "per_user": optionalNumber, "low": optionalNumber, "high": optionalNumber,
                    ])
                ),
            ]),
        ]
    }

    private static var comparisons: JSONObject {
        let interval: JSONValue = [
            "type": ["object", "null"], "properties": ["low": number, "high": number], "required": ["low", "high"],
        ]
        return [
            "Experiment": record([
                "confidence": number,
                "verdict": record([
                    "code": choice(Experiment.Verdict.Code.allCases.map(\.rawValue)), "variant_id": optionalText,
                    "message": text,
                ]),
                "sample_ratio": [
                    "type": ["object", "null"],
                    "properties": [
                        "mismatch": flag, "p_value": number, "chi_square": number, "degrees_of_freedom": whole,
                        "single_look_p_value": number,
                    ],
                ],
                "comparisons": list(reference("Comparison")),
            ]),
            "Comparison": record([
                "metric": record([
                    "type": choice(["clicks", "conversion", "amount"]), "conversion_id": optionalText,
                    "currency": optionalText,
                ]),
                "variant_id": text, "baseline_id": text, "difference": number, "difference_interval": interval,
                "lift": optionalNumber, "lift_interval": interval,
                "p_value": ["type": "number", "description": "Stays valid when one looks at any time."],
                "single_look_p_value": optionalNumber,
                "verdict": choice(SampleComparison.Verdict.allCases.map(\.rawValue)),
            ]),
        ]
    }

    private static var conversions: JSONObject {
        [
            "Conversion": object(
                [
                    "id": ["type": "string", "minLength": 1, "maxLength": 64],
                    "name": ["type": "string", "minLength": 1, "maxLength": 255],
                    "on": [
                        "type": "object",
                        "description": .string(
                            "One of: event (the name of a custom event), purchase (a product's id, or true for any), "
                                + "session_start (true); the first two with properties, an array of property, "
                                + "comparison and value."
                        ),
                    ],
                    "window_seconds": [
                        "type": "number", "minimum": 1, "maximum": .number(Campaign.Conversion.longestWindow),
                        "default": .number(Campaign.Conversion.usualWindow),
                    ],
                    "from": choice(Campaign.Conversion.Opening.allCases.map(\.rawValue)),
                ],
                required: ["id", "on"],
                isClosed: true
            ),
            "Check": object(
                [
                    "code": text, "path": text, "severity": choice(CampaignCheck.Severity.allCases.map(\.rawValue)),
                    "message": text,
                    "reason": ["type": "string", "description": "Of a template: what is wrong in it."],
                    "line": whole, "column": whole,
                ],
                required: ["code", "path", "severity", "message"]
            ),
            "Checks": record(["launchable": flag, "checks": list(reference("Check"))]),
        ]
    }
}
