import WireJSON

extension OpenAPIOperation {
    /// Audiences and saved segments.
    static let segments: [OpenAPIOperation] = [
        OpenAPIOperation(
            route: .listSegments,
            tag: .segments,
            summary: "Lists saved segments, those last changed first.",
            query: [
                Parameter(
                    name: "include_archived",
                    schema: ["type": "boolean", "default": false],
                    description: "Whether archived segments are in the list."
                ), limit, offset,
            ],
            success: .json("Segments")
        ),
        OpenAPIOperation(
            route: .createSegment,
            tag: .segments,
            summary: "Saves an audience as a segment.",
            body: "NewSegment",
            success: .json("Segment", status: 201)
        ),
        OpenAPIOperation(
            route: .readSegment,
            tag: .segments,
            summary: "Reads a segment.",
            success: .json("Segment")
        ),
        OpenAPIOperation(
            route: .updateSegment,
            tag: .segments,
            summary: "Changes a segment, for every campaign that uses it; names the version that it was made from.",
            body: "SegmentUpdate",
            success: .json("Segment")
        ),
        archiving(.archiveSegment, "Puts a segment out of the way; where it is used it stays good."),
        archiving(.restoreSegment, "Takes a segment out of the archive."),
        OpenAPIOperation(
            route: .duplicateSegment,
            tag: .segments,
            summary: "Creates a segment with the same audience, which no campaign uses yet.",
            success: .json("Segment", status: 201)
        ),
        OpenAPIOperation(
            route: .estimateReach,
            tag: .segments,
            summary: "Says how many users an audience means: exactly, or by a sample with its margin.",
            body: "ReachRequest",
            isBodyOptional: true,
            success: .json("Reach")
        ),
        OpenAPIOperation(
            route: .explainAudience,
            tag: .segments,
            summary: "Explains clause by clause why a user is in an audience or isn't.",
            body: "AudienceExplainRequest",
            success: .json("AudienceExplained")
        ),
    ]

    private static func archiving(_ route: APIRoute, _ summary: String) -> OpenAPIOperation {
        OpenAPIOperation(
            route: route,
            tag: .segments,
            summary: summary,
            body: "Transition",
            isBodyOptional: true,
            success: .json("Segment")
        )
    }
}
