import UIKit

protocol CellActionDelegate: AnyObject {
    func cellTapped(data: Any?)
}

class HomeViewController: UIViewController {
    // MARK: - Outlets
    @IBOutlet private weak var collectionView: UICollectionView!
    @IBOutlet private weak var emptyImageView: UIImageView!
    @IBOutlet private weak var menuBarButton: UIBarButtonItem!

    private let refreshControl = UIRefreshControl()
    private var dataSource: HomeDataSource?
    private lazy var menu: UIMenu = UIMenu(
        title: "",
        children: [
            UIAction(title: "Refresh", image: UIImage(systemName: "arrow.clockwise")) { [weak self] _ in
                self?.refresh(nil)
            },
            UIAction(title: "Reset", attributes: .destructive) { _ in
                NotificationCenter.default.post(name: .homeWasReset, object: nil)
            },
        ]
    )

    override func loadView() {
        let view = UIView()
        let collectionView = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewFlowLayout())
        collectionView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(collectionView)
        self.view = view
        self.collectionView = collectionView
    }
}

// MARK: - View Lifecycle
extension HomeViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        dataSource = HomeDataSource(collectionView: collectionView, delegate: self)
        collectionView.delegate = dataSource
        configureRefreshControl()
        configureObservers()
        configureMenu()
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        navigationController?.navigationBar.prefersLargeTitles = true
        navigationItem.largeTitleDisplayMode = .always
    }

    override func prepare(for segue: UIStoryboardSegue, sender: Any?) {
        guard segue.identifier == "segueToCake", let cake = sender as? Cake else { return }
        (segue.destination as? CakeViewController)?.configure(with: cake)
    }
}

// MARK: - Private
extension HomeViewController {
    fileprivate func configureRefreshControl() {
        refreshControl.addTarget(self, action: #selector(refresh(_:)), for: .valueChanged)
        collectionView.refreshControl = refreshControl
        collectionView.alwaysBounceVertical = true
    }

    fileprivate func configureObservers() {
        CardManager.shared.addObserverForContentCards(observer: self, selector: #selector(contentCardsUpdated(_:)))
        NotificationCenter.default.addObserver(self, selector: #selector(reset), name: .homeWasReset, object: nil)
    }

    fileprivate func configureMenu() {
        let item = UIBarButtonItem(title: nil, image: UIImage(systemName: "ellipsis"), primaryAction: nil, menu: menu)
        navigationItem.rightBarButtonItem = item
        menuBarButton = item
        let longPress = UILongPressGestureRecognizer(target: self, action: #selector(longPressed(_:)))
        longPress.minimumPressDuration = 0.8
        collectionView.addGestureRecognizer(longPress)
    }

    @objc fileprivate func contentCardsUpdated(_ notification: Notification) {
        let cards = CardManager.shared.handleContentCardsUpdated(notification, for: [.cake, .coupon])
        DispatchQueue.main.async { [weak self] in
            guard let self = self else { return }
            self.refreshControl.endRefreshing()
            self.dataSource?.apply(cards)
        }
    }

    @objc fileprivate func refresh(_ sender: Any?) {
        CardManager.shared.requestContentCardsRefresh()
    }

    @objc fileprivate func reset() {
        dataSource?.apply([])
    }

    @objc fileprivate func longPressed(_ recognizer: UILongPressGestureRecognizer) {
        guard recognizer.state == .began else { return }
        UIImpactFeedbackGenerator(style: .medium).impactOccurred()
        let point = recognizer.location(in: collectionView)
        print("pressed at \(point.x), \(point.y)")
    }
}

// MARK: - Cell Actions
extension HomeViewController: CellActionDelegate {
    func cellTapped(data: Any?) {
        switch data {
        case let cake as Cake:
            cake.logContentCardClicked()
            let controller = CakeViewController()
            controller.configure(with: cake)
            navigationController?.pushViewController(controller, animated: true)
        case let coupon as Coupon:
            coupon.logContentCardClicked()
            let alert = UIAlertController(
                title: "\(coupon.discountPercentage) % off",
                message: nil,
                preferredStyle: .alert
            )
            alert.addAction(UIAlertAction(title: "Use it", style: .default) { _ in coupon.logContentCardDismissed() })
            alert.addAction(UIAlertAction(title: "Later", style: .cancel))
            present(alert, animated: true, completion: nil)
        default:
            break
        }
    }
}

extension Notification.Name {
    static let homeWasReset = Notification.Name("homeWasReset")
}
