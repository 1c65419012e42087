import CardModel
import WireJSON

extension OpenAPIOperation {
    private static let types = ImageFormat.allCases.map(\.mediaType)

    static let media: [OpenAPIOperation] = [
        OpenAPIOperation(
            route: .listMedia,
            tag: .campaigns,
            summary: "Lists the pictures of the media library, the newest first, with where each is used.",
            query: [limit, offset],
            success: .json("MediaItems")
        ),
        OpenAPIOperation(
            route: .uploadMedia,
            tag: .campaigns,
            summary:
                "Uploads a picture of 10 MB at most, whatever type is named; the same one again is answered with 200.",
            query: [
                Parameter(
                    name: "name",
                    schema: ["type": "string"],
                    description: "What the file is called; its letters and digits are in the address, too."
                ),
                Parameter(
                    name: "alt",
                    schema: ["type": "string", "maxLength": .integer(Int64(MediaItem.altLimit))],
                    description: "What the picture shows."
                ),
                Parameter(
                    name: "crop",
                    schema: ["type": "string", "pattern": "^[0-9]+,[0-9]+,[0-9]+,[0-9]+$"],
                    description: "The part to use: left, top, width and height in pixels."
                ),
            ],
            bodyTypes: types + ["application/octet-stream"],
            success: .json("MediaItem", status: 200, or: 201)
        ),
        OpenAPIOperation(
            route: .readMedia,
            tag: .campaigns,
            summary: "Reads a picture of the media library, with where it is used.",
            success: .json("MediaItem")
        ),
        OpenAPIOperation(
            route: .updateMedia,
            tag: .campaigns,
            summary: "Changes the alternative text of a picture.",
            body: "MediaUpdate",
            success: .json("MediaItem")
        ),
        OpenAPIOperation(
            route: .deleteMedia,
            tag: .campaigns,
            summary: "Deletes a picture; refused where a campaign or content block uses it.",
            query: [
                Parameter(
                    name: "force",
                    schema: ["type": "boolean", "default": false],
                    description: "Whether to delete a picture that is used; cards then show no picture."
                )
            ],
            success: .nothing
        ),
        OpenAPIOperation(
            route: .picture,
            tag: .operations,
            summary: "Returns the largest size of a picture, which never changes at this address.",
            success: .files(types)
        ),
        OpenAPIOperation(
            route: .pictureSize,
            tag: .operations,
            summary: "Returns a smaller size of a picture, which never changes at this address.",
            success: .files(types)
        ),
    ]
}
