import ContentCards
import Foundation

struct Coupon: CardContent {
    static let classType = ContentCardClassType.coupon

    let card: ContentCard
    let couponCode: String
    let discountPercentage: Decimal
}
