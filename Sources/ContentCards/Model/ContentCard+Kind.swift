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
            self = KnownKind(rawValue: wireName)?.kind ?? .unknown(wireName)
        }

        /// The name on the wire.
        public var wireName: String {
            switch self {
            case .banner: KnownKind.banner.rawValue
            case .captionedImage: KnownKind.captionedImage.rawValue
            case .classic: KnownKind.classic.rawValue
            case .control: KnownKind.control.rawValue
            case .unknown(let name): name
            }
        }

        /// Whether cards of this kind are to be drawn.
        package var isPresentable: Bool {
            switch self {
            case .banner, .captionedImage, .classic: true
            case .control, .unknown: false
            }
        }

        /// The kinds that this version of the SDK knows.
        package static var known: [Self] { KnownKind.allCases.map(\.kind) }
    }

    /// Whether the card belongs to a control group: leave its place empty, and log its impression when the user
    /// would have seen it.
    public var isControl: Bool { kind == .control }

    /// Whether the card is to be drawn: false for control cards and for types that the SDK does not know.
    public var isPresentable: Bool { kind.isPresentable }
}

/// The kinds that this version of the SDK knows, by their names on the wire.
///
/// `wireName` and `kind` name each other's cases, so that the compiler asks for a new one in both directions.
private enum KnownKind: String, CaseIterable {
    case banner
    case captionedImage = "captioned_image"
    case classic
    case control

    var kind: ContentCard.Kind {
        switch self {
        case .banner: .banner
        case .captionedImage: .captionedImage
        case .classic: .classic
        case .control: .control
        }
    }
}
