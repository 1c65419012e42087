extension OpenAPIOperation {
    private static let at = Parameter(
        name: "at",
        schema: ["type": ["number", "string"]],
        description: "The moment, in Unix seconds or ISO 8601; now where it is left out."
    )

    /// The operations on what users see and why, and on what templates are made of.
    static let templates: [OpenAPIOperation] = [
        OpenAPIOperation(
            route: .explainUser,
            tag: .users,
            summary: "Says why campaigns have or have no card in a user's feed.",
            query: [
                Parameter(
                    name: "campaign_id",
                    schema: ["type": "string"],
                    description:
                        """
                        Only this one, which may be a draft. Where it is left out, those that were ever launched: \
                        first the active and those of which the user has a card, of either kind the last launched first.
                        """
                ), at, limit, offset,
            ],
            success: .json("Explanations")
        ),
        OpenAPIOperation(
            route: .showFeed,
            tag: .users,
            summary: "Shows the feed that a sync would give, without giving it.",
            query: [
                at, Parameter(name: "platform", schema: ["type": "string"], description: "ios, android or web."),
            ],
            success: .json("UserFeed")
        ),
        OpenAPIOperation(
            route: .preview,
            tag: .campaigns,
            summary: "Shows a card as a user would see it.",
            body: "Preview",
            success: .json("PreviewedCard")
        ),
        OpenAPIOperation(
            route: .checkDraft,
            tag: .campaigns,
            summary:
                "Looks at a campaign that need not exist, and keeps nothing: "
                + "templates with line and column, and all else.",
            body: "NewCampaign",
            success: .json("CheckedCampaign")
        ),
        OpenAPIOperation(
            route: .listTemplateNames,
            tag: .campaigns,
            summary: "Lists the names that an editor can offer to who writes a template or an audience.",
            success: .json("TemplateNames")
        ),
        OpenAPIOperation(
            route: .listContentBlocks,
            tag: .campaigns,
            summary: "Lists the content blocks.",
            success: .json("ContentBlocks")
        ),
        OpenAPIOperation(
            route: .readContentBlock,
            tag: .campaigns,
            summary: "Reads a content block by its name.",
            success: .json("ContentBlock")
        ),
        OpenAPIOperation(
            route: .saveContentBlock,
            tag: .campaigns,
            summary: "Makes a content block, or puts another in its place; cards that name it change with it.",
            body: "NewContentBlock",
            success: .json("ContentBlock")
        ),
        OpenAPIOperation(
            route: .deleteContentBlock,
            tag: .campaigns,
            summary: "Removes a content block; refused where a campaign or another content block includes it.",
            query: [
                Parameter(
                    name: "force",
                    schema: ["type": "boolean", "default": false],
                    description: "Whether to remove a block that is included; cards with it then leave all feeds."
                )
            ],
            success: .nothing
        ),
    ]
}
