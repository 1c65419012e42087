extension ContentCard {
    /// Says how a card looks.
    public enum Kind: Sendable, Hashable {
        /// An image alone.
        case banner
        /// An image with title and text below it.
        case captionedImage
        /// Title and text, with a small image or without.
        case classic
        /// Nothing: the card of a control group, which is counted and never shown.
        case control
        /// A type that this version of the SDK does not know: kept, and not shown.
        case unknown(String)

        /// Creates the kind from its name on the wire.
        public init(wireName: String) {
            switch wireName {
            case "banner": self = .banner
            case "captioned_image": self = .captionedImage
            case "classic": self = .classic
            case "control": self = .control
            default: self = .unknown(wireName)
            }
        }

        /// The name on the wire.
        public var wireName: String {
            switch self {
            case .banner: "banner"
            case .captionedImage: "captioned_image"
            case .classic: "classic"
            case .control: "control"
            case .unknown(let name): name
            }
        }
    }

    /// Whether the card belongs to a control group: leave its place empty, and log its impression when the user
    /// would have seen it.
    public var isControl: Bool { kind == .control }

    /// Whether the card is to be drawn: false for control cards and for types that the SDK does not know.
    public var isPresentable: Bool {
        switch kind {
        case .banner, .captionedImage, .classic: true
        case .control, .unknown: false
        }
    }
}
