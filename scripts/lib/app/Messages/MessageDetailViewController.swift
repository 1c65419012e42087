import AppboyUI
import UIKit

class MessageDetailViewController: UIViewController {
    private let message: Message
    private let scrollView = UIScrollView()
    private let textLabel = UILabel()

    init(message: Message) {
        self.message = message
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override var preferredStatusBarStyle: UIStatusBarStyle { .lightContent }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemGroupedBackground
        navigationItem.leftBarButtonItem = UIBarButtonItem(
            title: "Close",
            style: .plain,
            target: self,
            action: #selector(close)
        )
        textLabel.numberOfLines = 0
        textLabel.attributedText = styled(message.text)
        scrollView.addSubview(textLabel)
        view.addSubview(scrollView)
        scrollView.frame = view.bounds
        scrollView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        let toolbar = UIToolbar(frame: CGRect(x: 0, y: 0, width: UIScreen.main.bounds.width, height: 44))
        toolbar.items = [
            UIBarButtonItem(barButtonSystemItem: .flexibleSpace, target: nil, action: nil),
            UIBarButtonItem(title: "Open", style: .done, target: self, action: #selector(openLink)),
        ]
        toolbar.sizeToFit()
        view.addSubview(toolbar)
    }

    override func viewWillTransition(to size: CGSize, with coordinator: UIViewControllerTransitionCoordinator) {
        super.viewWillTransition(to: size, with: coordinator)
        coordinator.animate(alongsideTransition: { _ in self.view.layoutIfNeeded() }, completion: nil)
    }

    private func styled(_ text: String) -> NSAttributedString {
        let paragraph = NSMutableParagraphStyle()
        paragraph.lineSpacing = 4
        return NSAttributedString(
            string: text,
            attributes: [
                .paragraphStyle: paragraph, .font: UIFont.preferredFont(forTextStyle: .body),
                .foregroundColor: UIColor.label,
            ]
        )
    }

    @objc private func close() {
        presentingViewController?.dismiss(animated: true)
    }

    @objc private func openLink() {
        guard let address = message.urlString, let url = URL(string: address), UIApplication.shared.canOpenURL(url)
        else {
            return
        }
        UIApplication.shared.open(url, options: [:]) { isOpen in
            if !isOpen { ABKUIUtils.activeApplicationViewController?.dismiss(animated: true) }
        }
    }
}
