import Foundation

/// Takes a percentage off the cart, once.
struct Coupon: Hashable, ContentCardable {
    let title: String
    let code: String
    /// The percentage that it takes off: from 0 to 100.
    let percentage: Decimal
    let contentCardData: ContentCardData?

    var isControl: Bool { contentCardData?.isControl ?? false }
    /// The percentage as people read it, such as "20%".
    var percentText: String { "\(percentage)%" }

    init(title: String, code: String, percentage: Decimal, contentCardData: ContentCardData? = nil) {
        self.title = title
        self.code = code
        self.percentage = percentage
        self.contentCardData = contentCardData
    }

    /// Takes `coupon_code` and `discount_percentage`; without a percentage from 0 to 100 there is no coupon.
    init?(metaData: [ContentCardKey: Any], classType contentCardClassType: ContentCardClassType) {
        guard let fields = CardFields(metaData, contentCardClassType) else { return nil }
        let percentage = fields.extra(.discountPercentage).flatMap { Decimal(plain: $0) }
        guard fields.isControl || percentage.map({ $0 <= 100 }) ?? false else { return nil }
        self.init(
            title: fields.text(.title) ?? "",
            code: fields.extra("coupon_code") ?? "",
            percentage: percentage ?? 0,
            contentCardData: fields.data
        )
    }
}

/// Decides which coupon the checkout offers.
struct CouponOffer {
    private var done: Set<String> = []

    /// The newest coupon that was neither used nor refused; none while the cart is empty or has one.
    ///
    /// It may be the slot of a control group: then nothing is shown, and it is counted.
    func choose(from coupons: [Coupon], for cart: Cart) -> Coupon? {
        guard !cart.isEmpty, cart.coupon == nil else { return nil }
        return coupons.filter { !done.contains($0.id) }
            .max { ($0.createdAt, $1.id) < ($1.createdAt, $0.id) }
    }

    /// Never offers a coupon again.
    mutating func finish(_ coupon: Coupon) {
        done.insert(coupon.id)
    }
}

extension Coupon {
    fileprivate var id: String { contentCardData?.contentCardId ?? code }
    fileprivate var createdAt: Double { contentCardData?.createdAt ?? 0 }
}
