import UIKit

enum HomeSection: Hashable {
    case coupons
    case cakes
}

class HomeDataSource: NSObject {
    typealias DataSource = UICollectionViewDiffableDataSource<HomeSection, AnyHashable>
    typealias Snapshot = NSDiffableDataSourceSnapshot<HomeSection, AnyHashable>

    private var dataSource: DataSource!
    private weak var delegate: CellActionDelegate?

    init(collectionView: UICollectionView, delegate: CellActionDelegate) {
        self.delegate = delegate
        super.init()
        collectionView.register(
            HomeHeaderView.self,
            forSupplementaryViewOfKind: UICollectionView.elementKindSectionHeader,
            withReuseIdentifier: HomeHeaderView.reuseIdentifier
        )
        configureDataSource(collectionView)
        collectionView.collectionViewLayout = HomeLayout.make()
    }

    func apply(_ content: [ContentCardable]) {
        var snapshot = Snapshot()
        snapshot.appendSections([.coupons, .cakes])
        snapshot.appendItems(content.compactMap { $0 as? Coupon }, toSection: .coupons)
        snapshot.appendItems(content.compactMap { $0 as? Cake }.sorted { $0.title < $1.title }, toSection: .cakes)
        dataSource.apply(snapshot, animatingDifferences: true)
    }

    private func configureDataSource(_ collectionView: UICollectionView) {
        let couponRegistration = UICollectionView.CellRegistration<CouponCell, Coupon> { cell, _, coupon in
            cell.configure(coupon)
        }
        let cakeRegistration = UICollectionView.CellRegistration<UICollectionViewListCell, Cake> { cell, _, cake in
            var content = UIListContentConfiguration.valueCell()
            content.text = cake.title
            content.secondaryText = cake.price.formattedPrice
            content.image = UIImage(systemName: "gift")
            content.imageProperties.tintColor = .systemOrange
            cell.contentConfiguration = content
            cell.accessories = [.disclosureIndicator()]
        }
        dataSource = DataSource(collectionView: collectionView) {
            (collectionView, indexPath, item) -> UICollectionViewCell? in
            switch item {
            case let coupon as Coupon:
                return collectionView.dequeueConfiguredReusableCell(
                    using: couponRegistration,
                    for: indexPath,
                    item: coupon
                )
            case let cake as Cake:
                return collectionView.dequeueConfiguredReusableCell(using: cakeRegistration, for: indexPath, item: cake)
            default:
                return UICollectionViewCell()
            }
        }
        dataSource.supplementaryViewProvider = { collectionView, kind, indexPath in
            let view = collectionView.dequeueReusableSupplementaryView(
                ofKind: kind,
                withReuseIdentifier: HomeHeaderView.reuseIdentifier,
                for: indexPath
            )
            (view as? HomeHeaderView)?.title = indexPath.section == 0 ? "For you" : "Cakes"
            return view
        }
    }
}

extension HomeDataSource: UICollectionViewDelegate {
    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
        collectionView.deselectItem(at: indexPath, animated: true)
        delegate?.cellTapped(data: dataSource.itemIdentifier(for: indexPath))
    }

    func collectionView(
        _ collectionView: UICollectionView,
        willDisplay cell: UICollectionViewCell,
        forItemAt indexPath: IndexPath
    ) {
        (dataSource.itemIdentifier(for: indexPath) as? ContentCardable)?.logContentCardImpression()
    }
}
