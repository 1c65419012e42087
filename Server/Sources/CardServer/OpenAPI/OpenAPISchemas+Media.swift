import CardModel
import OrderedCollections
import WireJSON

extension OpenAPISchemas {
    /// The media library.
    static var media: JSONObject {
        [
            "MediaItem": record([
                "id": text, "name": text, "alt": text, "format": choice(ImageFormat.allCases.map(\.rawValue)),
                "width": whole, "height": whole, "frames": whole, "bytes": whole, "url": text,
                "sizes": list(record(["width": whole, "url": text])), "created_at": time, "created_by": text,
                "used_by": list(
                    object(
                        [
                            "type": choice([MediaUse.MediaUseKind.campaign, .contentBlock].map(\.rawValue)), "id": text,
                            "name": text, "version": whole,
                        ],
                        required: ["type", "id", "name"]
                    )
                ),
                "used_by_count": whole,
            ]),
            "MediaItems": record([
                "media": list(reference("MediaItem")), "count": whole, "bytes": whole, "bytes_limit": whole,
            ]),
            "MediaUpdate": object(
                ["alt": ["type": "string", "maxLength": .integer(Int64(MediaItem.altLimit))]],
                required: ["alt"]
            ),
        ]
    }
}
