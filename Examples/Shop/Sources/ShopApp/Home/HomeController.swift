import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// The home page: ads, and below them tiles of cards and of the shop, which nobody can tell apart.
final class HomeController: UIViewController {
    private enum Section: Int, CaseIterable {
        case greeting, ads, tiles
    }

    private let shop: Shop
    private lazy var impressions = CardImpressions(shop.cards) { [weak self] in self?.isInForeground ?? false }
    private var list: TileList
    private var ads: [Ad]
    private let layout = UICollectionViewFlowLayout()
    private lazy var collection = UICollectionView(frame: .zero, collectionViewLayout: layout)

    init(shop: Shop) {
        self.shop = shop
        list = shop.home
        ads = shop.ads
        super.init(nibName: nil, bundle: nil)
        title = "Shop"
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemGroupedBackground
        collection.backgroundColor = .systemGroupedBackground
        collection.register(GreetingCell.self, forCellWithReuseIdentifier: "greeting")
        collection.register(AdCell.self, forCellWithReuseIdentifier: "ad")
        collection.register(TileCell.self, forCellWithReuseIdentifier: "tile")
        collection.dataSource = self
        collection.delegate = self
        collection.alwaysBounceVertical = true
        layout.minimumLineSpacing = 14
        layout.minimumInteritemSpacing = 14
        view.fill(with: collection)
        let refresh = UIRefreshControl()
        refresh.addAction(UIAction { [weak self] _ in self?.refresh() }, for: .valueChanged)
        collection.refreshControl = refresh
        shop.cards.addObserver(self, for: [.item(.tile), .ad]) { [weak self] _ in self?.update() }
        shop.preferences.follow(self) { [weak self] _ in self?.update() }
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        impressions.begin()
        // What is visible may have changed since: nothing is while another page is in front.
        noteVisibleCards()
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        impressions.end()
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        noteVisibleCards()
    }

    private func update() {
        guard shop.home != list || shop.ads != ads else { return }
        list = shop.home
        ads = shop.ads
        collection.reloadData()
        // Laying out the collection is not laying out the controller's view, so what came is noted here.
        noteVisibleCards()
    }

    private func refresh() {
        Task { [weak self, cards = shop.cards] in
            await cards.requestRefresh()
            self?.collection.refreshControl?.endRefreshing()
        }
    }

    /// Shows the page of a product.
    func show(_ tile: Tile) {
        navigationController?.pushViewController(ProductController(tile: tile, shop: shop), animated: true)
    }

    private var shownAds: [Ad] { ads.filter { !$0.isControl } }

    private func noteVisibleCards() {
        collection.layoutIfNeeded()
        let visible = collection.indexPathsForVisibleItems.filter(isHalfVisible)
        func items(_ section: Section) -> [Int] {
            visible.filter { $0.section == section.rawValue }.map(\.item).sorted()
        }
        let shown = shownAds
        var seen: [any ContentCardable] = list.seen(at: items(.tiles))
        for index in items(.ads) where shown.indices.contains(index) { seen.append(shown[index]) }
        // The slots of control groups would be below the greeting.
        if !items(.greeting).isEmpty { seen += ads.filter(\.isControl) as [any ContentCardable] }
        impressions.update(visible: seen)
    }

    private func isHalfVisible(_ path: IndexPath) -> Bool {
        guard let frame = collection.layoutAttributesForItem(at: path)?.frame else { return false }
        let part = frame.intersection(collection.uncoveredBounds)
        return !part.isNull && part.width * part.height >= frame.width * frame.height / 2
    }
}

extension HomeController: UICollectionViewDataSource, UICollectionViewDelegateFlowLayout {
    func numberOfSections(in collectionView: UICollectionView) -> Int { Section.allCases.count }

    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        switch Section(rawValue: section) {
        case .greeting: 1
        case .ads: shownAds.count
        case .tiles: list.tiles.count
        case nil: 0
        }
    }

    func collectionView(
        _ collectionView: UICollectionView,
        cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
        let names: [Section: String] = [.greeting: "greeting", .ads: "ad"]
        let name = Section(rawValue: indexPath.section).flatMap { names[$0] } ?? "tile"
        let cell = collectionView.dequeueReusableCell(withReuseIdentifier: name, for: indexPath)
        (cell as? AdCell)?.show(shownAds[indexPath.item])
        (cell as? TileCell)?.show(list.tiles[indexPath.item])
        return cell
    }

    func collectionView(
        _ collectionView: UICollectionView,
        layout collectionViewLayout: UICollectionViewLayout,
        sizeForItemAt indexPath: IndexPath
    ) -> CGSize {
        let width = collectionView.bounds.width - 32
        let hasLargeText = traitCollection.preferredContentSizeCategory.isAccessibilityCategory
        switch Section(rawValue: indexPath.section) {
        case .greeting: return CGSize(width: width, height: GreetingCell.height(hasLargeText: hasLargeText))
        case .ads: return CGSize(width: width, height: AdCell.height(forWidth: width))
        case .tiles, nil: break
        }
        let columns = hasLargeText ? max((width / 380).rounded(.down), 1) : max((width / 230).rounded(.down), 2)
        let column = ((width - 14 * (columns - 1)) / columns).rounded(.down)
        return CGSize(width: column, height: column * 0.8 + TileCell.textHeight)
    }

    func collectionView(
        _ collectionView: UICollectionView,
        layout collectionViewLayout: UICollectionViewLayout,
        insetForSectionAt section: Int
    ) -> UIEdgeInsets {
        switch Section(rawValue: section) {
        case .greeting: UIEdgeInsets(top: 6, left: 16, bottom: 14, right: 16)
        case .ads: shownAds.isEmpty ? .zero : UIEdgeInsets(top: 0, left: 16, bottom: 14, right: 16)
        case .tiles, nil: UIEdgeInsets(top: 0, left: 16, bottom: 24, right: 16)
        }
    }

    func collectionView(_ collectionView: UICollectionView, shouldHighlightItemAt indexPath: IndexPath) -> Bool {
        indexPath.section == Section.tiles.rawValue
    }

    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
        collectionView.deselectItem(at: indexPath, animated: true)
        guard indexPath.section == Section.tiles.rawValue else { return }
        let tile = list.tiles[indexPath.item]
        tile.logContentCardClicked()
        if let link = tile.deeplink.flatMap(Deeplink.init), link != .tile(tile.id) {
            shop.open(link)
        } else {
            show(tile)
        }
    }

    func scrollViewDidScroll(_ scrollView: UIScrollView) {
        noteVisibleCards()
    }
}
