import Foundation

/// The objects that the screens of the app share.
@MainActor
final class Shop {
    let cards: CardManager
    /// The shop's own tiles.
    let tiles: [Tile]
    let cart = Watched(Cart())
    let preferences: Watched<Preferences>
    /// The coupons that were used or refused.
    var offer = CouponOffer()
    /// Opens a place of the app.
    var open: @MainActor (Deeplink) -> Void = { _ in }
    private var cardTiles: [Tile] = []
    /// The ads of the home page, and slots of control groups among them.
    private(set) var ads: [Ad] = []

    init(cards: CardManager, tiles: [Tile], preferences: Preferences = Preferences()) {
        self.cards = cards
        self.tiles = tiles
        self.preferences = Watched(preferences)
        cards.addObserver(self, for: [.item(.tile)]) { [weak self] objects in
            self?.cardTiles = objects.compactMap { $0 as? Tile }
        }
        cards.addObserver(self, for: [.ad]) { [weak self] objects in
            self?.ads = objects.compactMap { $0 as? Ad }
        }
    }

    /// The home page as it is now.
    var home: TileList {
        TileList(cards: cardTiles, local: tiles, priority: preferences.value.priority)
    }

    /// The product of an id: as a card tells of it, or as the shop does.
    func tile(id: String) -> Tile? { home.tiles.first { $0.id == id } }

    /// Lets another user use the app: their cart is a new one.
    ///
    /// Returns whether they do; with what is no user's ID, all stays as it is.
    @discardableResult
    func signIn(_ user: String) async -> Bool {
        guard await cards.identify(user) else { return false }
        preferences.value.user = user
        cart.value.empty()
        offer = CouponOffer()
        return true
    }

    // MARK: Buying

    /// Puts one piece into the cart.
    func add(_ tile: Tile) {
        let before = cart.value
        cart.value.add(tile)
        guard cart.value != before else { return }
        cards.logEvent("Added item to cart")
    }

    /// Applies a coupon, which counts as a click on its card.
    func apply(_ coupon: Coupon) {
        guard cart.value.apply(coupon) else { return }
        coupon.logContentCardClicked()
        cards.logEvent("Coupon Added")
    }

    /// Refuses a coupon, which dismisses its card.
    func refuse(_ coupon: Coupon) {
        offer.finish(coupon)
        coupon.logContentCardDismissed()
    }

    /// Buys what is in the cart, which uses up a coupon that was applied, and returns what was paid.
    func checkOut() -> Money {
        let bought = cart.value
        for line in bought.lines {
            cards.logPurchase(line.tile.id, price: bought.agreedPrice(of: line), quantity: line.quantity)
        }
        cart.value.empty()
        if let coupon = bought.coupon { refuse(coupon) }
        return bought.total
    }
}
