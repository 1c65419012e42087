import Foundation

#if canImport(UIKit)
import UIKit
#else
import BrowserUIKit
#endif

/// The home page: tiles of cards and of the shop, which nobody can tell apart.
final class HomeController: UIViewController {
    private let shop: Shop
    private let impressions: CardImpressions
    private var list: TileList
    private let layout = UICollectionViewFlowLayout()
    private lazy var collection = UICollectionView(frame: .zero, collectionViewLayout: layout)

    init(shop: Shop) {
        self.shop = shop
        impressions = CardImpressions(shop.cards)
        list = shop.home
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
        shop.cards.addObserver(self, for: [.item(.tile)]) { [weak self] _ in self?.update() }
        shop.preferences.follow(self) { [weak self] _ in self?.update() }
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        impressions.begin()
        // What is visible may have changed meanwhile: nothing is while another page is in front.
        noteVisibleTiles()
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        impressions.end()
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        noteVisibleTiles()
    }

    private func update() {
        guard shop.home != list else { return }
        list = shop.home
        collection.reloadData()
        // Laying out the collection is not laying out the controller's view, so what came is noted here.
        noteVisibleTiles()
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

    private func noteVisibleTiles() {
        collection.layoutIfNeeded()
        let window = collection.bounds
        let visible = collection.indexPathsForVisibleItems.filter { path in
            guard path.section == 1, let frame = collection.layoutAttributesForItem(at: path)?.frame else {
                return false
            }
            let part = frame.intersection(window)
            return !part.isNull && part.width * part.height >= frame.width * frame.height / 2
        }
        impressions.update(visible: list.seen(at: visible.map(\.item).sorted()))
    }
}

extension HomeController: UICollectionViewDataSource, UICollectionViewDelegateFlowLayout {
    func numberOfSections(in collectionView: UICollectionView) -> Int { 2 }

    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        section == 0 ? 1 : list.tiles.count
    }

    func collectionView(
        _ collectionView: UICollectionView,
        cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
        let name = indexPath.section == 0 ? "greeting" : "tile"
        let cell = collectionView.dequeueReusableCell(withReuseIdentifier: name, for: indexPath)
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
        guard indexPath.section == 1 else {
            return CGSize(width: width, height: GreetingCell.height(hasLargeText: hasLargeText))
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
        section == 0
            ? UIEdgeInsets(top: 6, left: 16, bottom: 14, right: 16)
            : UIEdgeInsets(top: 0, left: 16, bottom: 24, right: 16)
    }

    func collectionView(_ collectionView: UICollectionView, shouldHighlightItemAt indexPath: IndexPath) -> Bool {
        indexPath.section == 1
    }

    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
        collectionView.deselectItem(at: indexPath, animated: true)
        guard indexPath.section == 1 else { return }
        let tile = list.tiles[indexPath.item]
        tile.logContentCardClicked()
        if let link = tile.deeplink.flatMap(Deeplink.init), link != .tile(tile.id) {
            shop.open(link)
        } else {
            show(tile)
        }
    }

    func scrollViewDidScroll(_ scrollView: UIScrollView) {
        noteVisibleTiles()
    }
}
