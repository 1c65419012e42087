import CardModel
import OrderedCollections
import WireJSON

extension OpenAPISchemas {
    /// An audience where it isn't a branch of another, null for everybody.
    static var audienceOrNull: JSONValue { ["oneOf": [reference("Audience"), ["type": "null"]]] }

    /// Audiences, saved segments and reach.
    static var segments: JSONObject {
        let written: JSONObject = [
            "name": ["type": "string", "minLength": 1, "maxLength": 255],
            "description": ["type": "string", "maxLength": 2_000], "tags": list(text),
            "audience": audienceOrNull,
        ]
        let kept: JSONObject = [
            "id": text, "version": whole, "archived": flag, "summary": text, "created_at": time, "updated_at": time,
        ]
        let both = kept.merging(written) { first, _ in first }
        let shapes: JSONObject = [
            "Segment": object(both, required: Array(both.keys)),
            "Segments": record(["segments": list(reference("Segment"))]),
            "NewSegment": object(
                written.merging(["id": text]) { first, _ in first },
                required: ["name"],
                isClosed: true
            ),
            "SegmentUpdate": object(both, required: ["name", "version"], isClosed: true),
        ]
        return shapes.merging(reach) { first, _ in first }.merging(audience) { first, _ in first }
    }

    private static var reach: JSONObject {
        [
            "ReachRequest": object(
                [
                    "audience": audienceOrNull,
                    "exact": [
                        "type": "boolean", "default": false, "description": "Asks every user, however long it takes.",
                    ],
                ],
                isClosed: true
            ),
            "Reach": [
                "description": "Where it is not exact, the truth lies from low to high 95 times in 100.",
                "allOf": [
                    record([
                        "users": whole, "exact": flag, "total": whole, "asked": whole, "margin": whole, "low": whole,
                        "high": whole,
                    ])
                ],
            ],
            "AudienceExplainRequest": object(
                ["audience": audienceOrNull, "user_id": identifier],
                required: ["user_id"],
                isClosed: true
            ),
            "AudienceExplained": record([
                "user_id": text, "matches": flag, "reasons": list(reference("AudienceExplanation")),
                "explanation": reference("AudienceExplanation"),
            ]),
            "AudienceExplanation": object(
                [
                    "path": text, "condition": text, "summary": text, "matches": flag, "clause": ["type": "object"],
                    "found": ["description": "What was found of the user; null for nothing."],
                    "note": choice(["segment_unknown", "left_out"]), "branches": list(reference("AudienceExplanation")),
                ],
                required: ["path", "condition", "summary", "matches"]
            ),
        ]
    }

    private static var audience: JSONObject {
        let branches = list(reference("Audience"))
        var properties: JSONObject = [
            "all": branches, "any": branches, "none": branches, "AND": branches, "OR": branches,
            "comparison": AttributeClause.Comparison.schema,
            "value": ["type": ["string", "number", "boolean", "array"], "items": [:]],
        ]
        for shape in Audience.filterShapes { properties[shape.name] = shape.schema }
        return [
            "Audience": [
                "type": "object",
                "description": .string(
                    "Everybody where empty; otherwise one condition, an attribute with its comparison and value. "
                        + "AND, OR, custom_attribute, last_used_app and the subscription statuses are "
                        + "read as the field's "
                        + "public API has them, and read back in the other spelling."
                ), "properties": .object(properties), "additionalProperties": false,
            ]
        ]
    }
}
