import UIKit
import WebKit

class CakeViewController: UIViewController {
    @IBOutlet private weak var stackView: UIStackView!
    @IBOutlet private weak var amountStepper: UIStepper!
    private let webView = WKWebView()
    private var cake: Cake?
    private lazy var buyButton: UIButton = {
        let button = UIButton(type: .system)
        button.setTitle("Buy", for: .normal)
        button.titleLabel?.font = .preferredFont(forTextStyle: .headline)
        button.addTarget(self, action: #selector(buyTapped), for: .touchUpInside)
        return button
    }()

    func configure(with cake: Cake) {
        self.cake = cake
        title = cake.title
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        navigationItem.largeTitleDisplayMode = .never
        let stackView = UIStackView(arrangedSubviews: [webView, buyButton])
        stackView.axis = .vertical
        stackView.spacing = 12
        stackView.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(stackView)
        self.stackView = stackView
        NSLayoutConstraint.activate([
            stackView.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor),
            stackView.leadingAnchor.constraint(equalTo: view.layoutMarginsGuide.leadingAnchor),
            stackView.trailingAnchor.constraint(equalTo: view.layoutMarginsGuide.trailingAnchor),
            stackView.bottomAnchor.constraint(equalTo: view.safeAreaLayoutGuide.bottomAnchor),
        ])
        webView.navigationDelegate = self
        if let address = cake?.imageUrl, let url = URL(string: address) { webView.load(URLRequest(url: url)) }
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        if isMovingFromParent { cake?.logContentCardImpression() }
    }

    @IBAction private func amountChanged(_ sender: UIStepper) {
        buyButton.setTitle("Buy \(Int(sender.value))", for: .normal)
    }

    @objc private func buyTapped() {
        let generator = UINotificationFeedbackGenerator()
        generator.prepare()
        generator.notificationOccurred(.success)
        dismiss(animated: true) { [weak self] in self?.cake?.logContentCardClicked() }
    }
}

extension CakeViewController: WKNavigationDelegate {
    func webView(
        _ webView: WKWebView,
        decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping (WKNavigationActionPolicy) -> Void
    ) {
        decisionHandler(navigationAction.request.url?.scheme == "https" ? .allow : .cancel)
    }
}
