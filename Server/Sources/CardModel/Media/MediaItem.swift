public import WireJSON

/// A picture of the media library.
public struct MediaItem: Sendable, Hashable, Identifiable {
    /// The bytes of a name, at most.
    public static let nameLimit = 255
    /// The bytes of an alternative text, at most.
    public static let altLimit = 1_000

    /// Whether a text can be an alternative text: empty, or without control and directional characters.
    public static func isAlt(_ text: String) -> Bool {
        text.isEmpty || IdentityText.isValid(text, maximumBytes: altLimit)
    }

    /// The first 128 bits of the SHA-256 of the largest size, in hexadecimal digits: what is at an address never
    /// changes.
    public let id: String
    /// The name of the file, for people.
    @Bytewise public var name: String
    /// The alternative text of the picture, for people who don't see it; can be empty.
    @Bytewise public var alt: String
    /// The format.
    public let format: ImageFormat
    /// The width of the largest size in pixels.
    public let width: Int
    /// The height of the largest size in pixels.
    public let height: Int
    /// The number of frames; 1 for a still picture.
    public let frames: Int
    /// The widths that there are, the largest first.
    public let widths: [Int]
    /// The bytes of all sizes.
    public var bytes: Int
    /// The time at which it was uploaded.
    public let createdAt: UnixTime
    /// The uploader: a member's address, or the ID of a key.
    @Bytewise public var createdBy: String
    /// The place of the picture's bytes.
    public var location: MediaPlace

    /// Creates a picture.
    public init(
        id: String,
        name: String,
        alt: String = "",
        format: ImageFormat,
        width: Int,
        height: Int,
        frames: Int = 1,
        widths: [Int],
        bytes: Int,
        createdAt: UnixTime,
        createdBy: String = "",
        location: MediaPlace = .store
    ) {
        self.id = id
        self.name = name
        self.alt = alt
        self.format = format
        self.width = width
        self.height = height
        self.frames = frames
        self.widths = widths
        self.bytes = bytes
        self.createdAt = createdAt
        self.createdBy = createdBy
        self.location = location
    }

    /// Whether a text can be the id of a picture.
    public static func isID(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// The name in addresses: lower-case letters, digits, hyphens and an extension.
    ///
    /// It follows from the name, so that addresses stay as they are.
    public var slug: String { Self.slug(for: name, format) }

    /// The path of the picture, or of one of its sizes, on the server.
    public func path(width: Int? = nil) -> String {
        // The largest has the plain path.
        guard let width, width != widths.first else { return "/media/\(id)/\(slug)" }
        return "/media/\(id)/\(slug)/\(width)"
    }

    /// Returns the name that people see of a file.
    ///
    /// - Parameters:
    ///   - file: What the file is called, whatever that is.
    ///   - format: What it is.
    /// - Returns: The last part of the path, without control and directional characters and cut to ``nameLimit``
    ///   bytes; the name in addresses where nothing is left.
    public static func name(for file: String, _ format: ImageFormat) -> String {
        let last = file.split(at: "/").last?.split(at: "\\").last ?? ""
        var scalars = String.UnicodeScalarView()
        for scalar in last.unicodeScalars where IdentityText.isValid(String(scalar), maximumBytes: 4) {
            scalars.append(scalar)
        }
        let name = String(scalars)
        guard name.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else { return slug(for: "", format) }
        guard name.utf8.count > nameLimit else { return name }
        let ending = "….\(format.fileExtension)"
        var size = ending.utf8.count
        let start = scalars.prefix { scalar in
            size += UTF8.width(scalar)
            return size <= nameLimit
        }
        return String(String.UnicodeScalarView(start)) + ending
    }

    /// Returns the name that a file gets in addresses.
    ///
    /// - Parameters:
    ///   - file: What the file is called, whatever that is.
    ///   - format: What it is.
    /// - Returns: The name, with the extension of the format.
    public static func slug(for file: String, _ format: ImageFormat) -> String {
        var name = ""
        let stem = file.split(at: "/").last?.split(at: "\\").last ?? ""
        for character in stem.prefix(before: ".").lowercased().unicodeScalars.prefix(60) {
            if character.isASCII, character.properties.isAlphabetic || ("0"..."9").contains(character) {
                name.unicodeScalars.append(character)
            } else if !name.isEmpty, !name.ends(withBytesOf: "-") {
                name += "-"
            }
        }
        while name.hasSuffix("-") { name.removeLast() }
        return (name.isEmpty ? "picture" : name) + "." + format.fileExtension
    }
}

/// One size of a picture.
public struct MediaFile: Sendable, Hashable {
    /// The width in pixels.
    public let width: Int
    /// The encoded picture.
    public let bytes: [UInt8]

    /// Creates a size.
    public init(width: Int, bytes: [UInt8]) {
        self.width = width
        self.bytes = bytes
    }
}
