import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// The cart and the checkout, with a coupon that slides in.
final class CartController: UIViewController {
    private let shop: Shop
    private lazy var impressions = CardImpressions(shop.cards) { [weak self] in self?.isInForeground ?? false }
    private let table = UITableView(frame: .zero, style: .plain)
    private let couponView = CouponView()
    private lazy var summary = CartSummaryView { [weak self] in self?.checkOut() }
    private lazy var empty = EmptyView(
        icon: "cart-large",
        title: "Your cart is empty",
        text: "What you add to it waits here.",
        button: .primary("Look around", identifier: "look-around") { [weak self] in self?.shop.open(.home) }
    )
    private lazy var content = makeContent()
    private var cart = Cart()
    private var coupons: [Coupon] = []
    private var offered: Coupon?
    private var isOnScreen = false

    init(shop: Shop) {
        self.shop = shop
        super.init(nibName: nil, bundle: nil)
        title = "Cart"
    }

    required init?(coder: NSCoder) {
        nil
    }

    // MARK: Life

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemGroupedBackground
        table.backgroundColor = .systemGroupedBackground
        table.register(CartLineCell.self, forCellReuseIdentifier: "line")
        table.dataSource = self
        table.delegate = self
        view.fill(with: content)
        view.fill(with: empty)
        couponView.addAction(UIAction { [weak self] _ in self?.applyCoupon() }, for: .touchUpInside)
        couponView.onRefuse = { [weak self] in self?.refuseCoupon() }
        shop.cart.follow(self) { [weak self] in self?.show($0) }
        shop.cards.addObserver(self, for: [.coupon]) { [weak self] objects in
            self?.coupons = objects.compactMap { $0 as? Coupon }
            self?.offerCoupon()
        }
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        isOnScreen = true
        impressions.begin()
        shop.cards.screenOpened()
        offerCoupon()
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        isOnScreen = false
        impressions.end()
        hideCoupon(animated: false)
    }

    private func makeContent() -> UIView {
        let content = UIView()
        let slot = UIView()
        couponView.translatesAutoresizingMaskIntoConstraints = false
        slot.fill(with: couponView, insets: NSDirectionalEdgeInsets(top: 8, leading: 16, bottom: 16, trailing: 16))
        slot.isHidden = true
        let bottom = UIStackView.column([slot, summary], spacing: 0)
        for view in [table, bottom] as [UIView] {
            view.translatesAutoresizingMaskIntoConstraints = false
            content.addSubview(view)
        }
        NSLayoutConstraint.activate([
            table.topAnchor.constraint(equalTo: content.topAnchor),
            table.leadingAnchor.constraint(equalTo: content.leadingAnchor),
            table.trailingAnchor.constraint(equalTo: content.trailingAnchor),
            bottom.topAnchor.constraint(equalTo: table.bottomAnchor),
            bottom.leadingAnchor.constraint(equalTo: content.leadingAnchor),
            bottom.trailingAnchor.constraint(equalTo: content.trailingAnchor),
            bottom.bottomAnchor.constraint(equalTo: content.bottomAnchor),
        ])
        return content
    }

    // MARK: The cart

    private func show(_ cart: Cart) {
        self.cart = cart
        table.reloadData()
        summary.show(cart)
        content.isHidden = cart.isEmpty
        empty.isHidden = !cart.isEmpty
        navigationItem.rightBarButtonItem = cart.isEmpty ? nil : makeEmptyButton()
        offerCoupon()
    }

    private func makeEmptyButton() -> UIBarButtonItem {
        UIBarButtonItem(title: "Empty", primaryAction: UIAction { [weak self] _ in self?.askToEmpty() })
    }

    private func askToEmpty() {
        let alert = UIAlertController(
            title: "Empty the cart?",
            message: "This takes everything out.",
            preferredStyle: .alert
        )
        alert.addAction(UIAlertAction(title: "Keep", style: .cancel))
        alert.addAction(
            UIAlertAction(title: "Empty", style: .destructive) { [shop] _ in
                shop.cart.value.empty()
                shop.cards.logEvent("Emptied items from cart")
            }
        )
        present(alert, animated: true)
    }

    private func checkOut() {
        let paid = shop.checkOut()
        let alert = UIAlertController(
            title: "Thank you",
            message: "You paid \(paid.formatted()). It is on its way.",
            preferredStyle: .alert
        )
        alert.addAction(UIAlertAction(title: "OK", style: .default))
        present(alert, animated: true)
    }

    // MARK: The coupon

    /// Nothing is shown of the slot of a control group, but it counts when it would have been seen.
    private func offerCoupon() {
        guard isOnScreen else { return }
        let coupon = shop.offer.choose(from: coupons, for: cart)
        impressions.update(visible: [coupon].compactMap { $0 })
        // A campaign may be edited while its coupon is on screen: then it is the same card, and says something else.
        guard coupon != offered else { return }
        let isAnother = coupon?.contentCardData != offered?.contentCardData
        offered = coupon
        guard let coupon, !coupon.isControl else { return hideCoupon(animated: true) }
        couponView.show(coupon)
        if isAnother { slideIn() }
    }

    private func slideIn() {
        couponView.superview?.isHidden = false
        couponView.transform = CGAffineTransform(translationX: -view.bounds.width - 500, y: 0)
        UIView.animate(
            withDuration: 0.7,
            delay: 0.15,
            usingSpringWithDamping: 0.85,
            initialSpringVelocity: 0,
            animations: { self.couponView.transform = .identity }
        )
    }

    private func hideCoupon(animated: Bool) {
        offered = nil
        guard animated else {
            couponView.superview?.isHidden = true
            return
        }
        UIView.animate(
            withDuration: 0.35,
            animations: { self.couponView.transform = CGAffineTransform(translationX: -900, y: 0) },
            completion: { [weak self] _ in
                guard let self, offered == nil || offered?.isControl == true else { return }
                couponView.superview?.isHidden = true
            }
        )
    }

    private func applyCoupon() {
        guard let coupon = offered, !coupon.isControl else { return }
        shop.apply(coupon)
    }

    private func refuseCoupon() {
        guard let coupon = offered, !coupon.isControl else { return }
        shop.refuse(coupon)
        offerCoupon()
    }
}

extension CartController: UITableViewDataSource, UITableViewDelegate {
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { cart.lines.count }

    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "line", for: indexPath)
        let line = cart.lines[indexPath.row]
        (cell as? CartLineCell)?.show(line) { [shop] in shop.cart.value.set($0, of: line.tile.id) }
        return cell
    }

    func tableView(_ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath) -> Bool { false }

    func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { true }

    func tableView(
        _ tableView: UITableView,
        commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {
        guard editingStyle == .delete, cart.lines.indices.contains(indexPath.row) else { return }
        shop.cart.value.set(0, of: cart.lines[indexPath.row].tile.id)
    }
}
