import CardModel
import HTTPTypes
import WireJSON

extension RequestError {
    static let altInvalid = RequestError.fieldInvalid(
        "alt",
        expected: "at most \(MediaItem.altLimit) bytes without control or directional characters"
    )

    /// Returns what a function reads, and throws what it refuses as the caller sees it.
    static func reading<Value>(_ body: () throws(ImageError) -> Value) throws(RequestError) -> Value {
        do throws(ImageError) {
            return try body()
        } catch {
            throw RequestError(error)
        }
    }

    init(_ refusal: ImageError) {
        switch refusal {
        case .formatUnsupported(isVector: true):
            self.init(
                .unsupportedMediaType,
                "image_format_unsupported",
                "SVG isn't accepted, because it can run scripts. Export the picture as PNG or WebP."
            )
        case .formatUnsupported(isVector: false):
            self.init(
                .unsupportedMediaType,
                "image_format_unsupported",
                "The file isn't a PNG, JPEG, WebP or GIF image. Export the picture in one of these formats."
            )
        case .animatedPNG:
            self.init(
                .unsupportedMediaType,
                "image_format_unsupported",
                "The file is an animated PNG, of which only one frame would be shown. "
                    + "Export the animation as GIF or WebP."
            )
        case .unreadable:
            self.init(
                .unprocessableContent,
                "image_unreadable",
                "The picture can't be read: it is damaged or cut off. Export it again."
            )
        case .tooManyBytes: self = .mediaTooLarge
        case .tooManyPixels:
            self.init(
                .unprocessableContent,
                "image_too_large",
                "The picture has more than 50 megapixels or 16,383 pixels a side. Make it smaller; "
                    + "a card shows 1,440 pixels at most."
            )
        case .tooManyFrames:
            self.init(
                .unprocessableContent,
                "image_too_large",
                "The animation has more than 300 frames or 100 megapixels in all. Make it shorter or smaller."
            )
        case .cropInvalid:
            self.init(
                .badRequest,
                "field_invalid",
                "The part to cut out isn't inside of the picture, or the picture is animated.",
                details: [("path", "crop")]
            )
        }
    }

    init(_ error: ImageProcessingError) {
        switch error {
        case .unreadable: self.init(ImageError.unreadable)
        case .cropOutside: self.init(ImageError.cropInvalid)
        case .tookTooLong:
            self.init(
                .unprocessableContent,
                "image_too_large",
                "The picture takes too long to process. Make it smaller."
            )
        case .libraryMissing:
            self.init(
                .serviceUnavailable,
                "image_library_missing",
                "The server can't process pictures: libvips isn't installed. "
                    + "Ask your administrator to install libvips42.",
                retryAfter: 60
            )
        case .crashed:
            self.init(
                .unprocessableContent,
                "image_unreadable",
                "The picture can't be processed. Export it again, or in another format."
            )
        case .failed:
            self.init(
                .serviceUnavailable,
                "unavailable",
                "The server couldn't process the picture. Try again; if that doesn't help, check the server log.",
                retryAfter: 5
            )
        }
    }

    static let mediaTooLarge = RequestError(
        .contentTooLarge,
        "body_too_large",
        "A picture has 10 MB at most. Make it smaller; a card shows 1,440 pixels at most."
    )

    static func mediaFull(_ bytes: Int) -> RequestError {
        RequestError(
            .insufficientStorage,
            "media_full",
            "The media library has no room for the picture: all together have \(bytes >> 20) MiB at most. "
                + "Delete unused pictures, or ask your administrator to raise media_storage."
        )
    }

    static func uploadsTooFast(after seconds: Double) -> RequestError {
        RequestError(
            .tooManyRequests,
            "rate_limited",
            "Too many uploads. Wait a moment.",
            // safe: a minute at most
            retryAfter: max(1, Int(seconds.rounded(.up)))
        )
    }

    static let uploadTooSlow = RequestError(
        .requestTimeout,
        "request_timeout",
        "The picture didn't arrive within a minute. Make it smaller, or use a faster connection."
    )

    static let pictureDropped = RequestError(
        .notFound,
        "not_found",
        "The files of the picture were removed. Upload it again."
    )

    static func mediaInUse(_ use: MediaUse, count: Int) -> RequestError {
        let others = count > 1 ? " and \(count - 1) more" : ""
        return RequestError(
            .conflict,
            "media_in_use",
            "The picture is used by \(use.label)\(others). Remove it there first, or delete it with force=true."
        )
    }
}

extension HTTPResponse.Status {
    fileprivate static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}
