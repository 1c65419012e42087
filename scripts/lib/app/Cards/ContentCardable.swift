import AppboyUI
import Foundation

// The app's own types, as the implementation guide has apps write them.
protocol ContentCardable {
    var contentCardData: ContentCardData? { get }
    init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType)
}

extension ContentCardable {
    var isContentCard: Bool { contentCardData != nil }

    func logContentCardClicked() {
        CardManager.shared.logContentCardClicked(idString: contentCardData?.contentCardId)
    }

    func logContentCardDismissed() {
        CardManager.shared.logContentCardDismissed(idString: contentCardData?.contentCardId)
    }

    func logContentCardImpression() {
        CardManager.shared.logContentCardImpression(idString: contentCardData?.contentCardId)
    }
}

enum ContentCardClassType: Hashable {
    case cake
    case coupon
    case message
    case none

    init(rawType: String?) {
        switch rawType?.lowercased() {
        case "cake": self = .cake
        case "coupon": self = .coupon
        case "message": self = .message
        default: self = .none
        }
    }
}

enum ContentCardKey: String {
    case idString
    case created
    case classType = "class_type"
    case dismissible
    case extras
    case image
    case title
    case cardDescription = "message"
    case price
    case urlString
}

struct ContentCardData: Hashable {
    let contentCardId: String
    let contentCardClassType: ContentCardClassType
    let createdAt: Double
    let isDismissable: Bool

    static func == (lhs: ContentCardData, rhs: ContentCardData) -> Bool {
        lhs.contentCardId == rhs.contentCardId
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(contentCardId)
    }
}
