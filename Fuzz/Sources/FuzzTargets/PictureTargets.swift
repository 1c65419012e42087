import CardModel

/// What members upload.
extension FuzzTarget {
    /// A file that is said to be a picture.
    static let picture = FuzzTarget("picture", maximumLength: 1_024) { input in
        let header = try? PictureHeader(of: input)
        if let header {
            let (width, height) = (header.width, header.height)
            try require(width > 0 && width <= ImageLimits.side, "A width is a possible one: \(width)")
            try require(height > 0 && height <= ImageLimits.side, "A height is a possible one: \(height)")
            try require(width * height <= ImageLimits.pixels, "A picture fits into memory: \(width) × \(height)")
            try require((1...ImageLimits.frames).contains(header.frames), "An animation is short: \(header.frames)")
            try requireSame(try? PictureHeader(of: input + input), header, "What is behind a picture is passed over")
            let essentials = PictureEssentials.of(input, header.format)
            try require(essentials.count <= input.count, "What a decoder needs is a part of the file")
            // Of a file whose head lies about its parts, what is left may be no picture, which the decoder refuses.
            if let rest = try? PictureHeader(of: essentials) {
                try requireSame(rest, header, "What a decoder needs is the same picture")
            }
            try requireSame(
                PictureEssentials.of(essentials, header.format),
                essentials,
                "What a decoder needs is needed again"
            )
        }
        for length in [input.count / 2, input.count - 1] where length >= 0 {
            guard let cut = try? PictureHeader(of: Array(input.prefix(length))) else { continue }
            try requireSame(cut, header, "A file that was cut off is refused, or is the same picture")
        }
    }
}
