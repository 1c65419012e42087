import Foundation

struct Cake: ContentCardable, Hashable {
    private(set) var contentCardData: ContentCardData?
    let title: String
    let price: Decimal
    let imageUrl: String?
}

extension Cake {
    init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType) {
        guard let idString = metaData[.idString] as? String,
            let createdAt = metaData[.created] as? Double,
            let isDismissable = metaData[.dismissible] as? Bool,
            let extras = metaData[.extras] as? [AnyHashable: Any],
            let title = extras["cake_name"] as? String,
            let price = Decimal(string: extras[ContentCardKey.price.rawValue] as? String ?? "")
        else { return nil }
        let data = ContentCardData(
            contentCardId: idString,
            contentCardClassType: contentCardClassType,
            createdAt: createdAt,
            isDismissable: isDismissable
        )
        self.init(contentCardData: data, title: title, price: price, imageUrl: metaData[.image] as? String)
    }
}

struct Coupon: ContentCardable, Hashable {
    private(set) var contentCardData: ContentCardData?
    let discountPercentage: Int
    let imageUrl: String
}

extension Coupon {
    init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType) {
        guard let idString = metaData[.idString] as? String,
            let createdAt = metaData[.created] as? Double,
            let isDismissable = metaData[.dismissible] as? Bool,
            let extras = metaData[.extras] as? [AnyHashable: Any],
            let discount = extras["discount_percentage"] as? String, let percentage = Int(discount),
            let image = metaData[.image] as? String
        else { return nil }
        let data = ContentCardData(
            contentCardId: idString,
            contentCardClassType: contentCardClassType,
            createdAt: createdAt,
            isDismissable: isDismissable
        )
        self.init(contentCardData: data, discountPercentage: percentage, imageUrl: image)
    }
}

struct Message: ContentCardable, Hashable {
    private(set) var contentCardData: ContentCardData?
    let title: String
    let text: String
    let urlString: String?
}

extension Message {
    init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType) {
        guard let idString = metaData[.idString] as? String,
            let createdAt = metaData[.created] as? Double,
            let isDismissable = metaData[.dismissible] as? Bool,
            let title = metaData[.title] as? String,
            let text = metaData[.cardDescription] as? String
        else { return nil }
        let data = ContentCardData(
            contentCardId: idString,
            contentCardClassType: contentCardClassType,
            createdAt: createdAt,
            isDismissable: isDismissable
        )
        self.init(contentCardData: data, title: title, text: text, urlString: metaData[.urlString] as? String)
    }
}
