extension OpenAPIOperation {
    /// The operations of backends on what the app's typed contents expect.
    static let contentTypes: [OpenAPIOperation] = [
        OpenAPIOperation(
            route: .listContentTypes,
            tag: .campaigns,
            summary: "Lists what the app's typed contents expect, and what apps propose.",
            success: .json("ContentTypeList")
        ),
        OpenAPIOperation(
            route: .deleteContentType,
            tag: .campaigns,
            summary: "Forgets what a typed content of the app expects: launches aren't checked by it any more.",
            success: .nothing
        ),
        OpenAPIOperation(
            route: .acceptContentType,
            tag: .campaigns,
            summary: "Accepts what an app proposes: launches are checked by it.",
            success: .json("ContentTypeDecision")
        ),
        OpenAPIOperation(
            route: .dismissContentType,
            tag: .campaigns,
            summary: "Hides what an app proposes, until it proposes something else.",
            success: .json("ContentTypeDecision")
        ),
    ]
}
