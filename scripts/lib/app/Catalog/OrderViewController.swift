import UIKit

/// Takes an order: who, what to write on the cake, and when.
class OrderViewController: UIViewController {
    @IBOutlet private weak var scrollView: UIScrollView!
    @IBOutlet private weak var nameField: UITextField!
    @IBOutlet private weak var mailField: UITextField!
    @IBOutlet private weak var writingView: UITextView!
    @IBOutlet private weak var datePicker: UIDatePicker!
    @IBOutlet private weak var sendButton: UIButton!
    private var isSending = false { didSet { sendButton.setNeedsUpdateConfiguration() } }

    override func viewDidLoad() {
        super.viewDidLoad()
        nameField.textContentType = .name
        nameField.autocapitalizationType = .words
        nameField.clearButtonMode = .whileEditing
        nameField.returnKeyType = .next
        nameField.delegate = self
        mailField.keyboardType = .emailAddress
        mailField.textContentType = .emailAddress
        mailField.autocorrectionType = .no
        mailField.returnKeyType = .continue
        mailField.leftView = UIImageView(image: UIImage(systemName: "envelope"))
        mailField.leftViewMode = .always
        writingView.delegate = self
        writingView.font = .preferredFont(forTextStyle: .body)
        writingView.textContainerInset = .zero
        writingView.textContainer.lineFragmentPadding = 0
        writingView.isScrollEnabled = false
        datePicker.datePickerMode = .dateAndTime
        datePicker.minimumDate = Date()
        datePicker.minuteInterval = 15
        if #available(iOS 13.4, *) { datePicker.preferredDatePickerStyle = .compact }
        datePicker.addTarget(self, action: #selector(dateChanged(_:)), for: .valueChanged)
        setUpButton()
        scrollView.keyboardDismissMode = .interactive
        let center = NotificationCenter.default
        center.addObserver(
            self,
            selector: #selector(keyboardWillShow(_:)),
            name: UIResponder.keyboardWillShowNotification,
            object: nil
        )
        center.addObserver(
            self,
            selector: #selector(keyboardWillHide),
            name: UIResponder.keyboardWillHideNotification,
            object: nil
        )
    }

    private func setUpButton() {
        var configuration = UIButton.Configuration.filled()
        configuration.title = "Order"
        configuration.subtitle = "Pay when you collect"
        configuration.image = UIImage(
            systemName: "cart",
            withConfiguration: UIImage.SymbolConfiguration(pointSize: 20, weight: .semibold)
        )
        configuration.imagePlacement = .leading
        configuration.imagePadding = 8
        configuration.cornerStyle = .capsule
        configuration.buttonSize = .large
        configuration.baseBackgroundColor = .systemOrange
        configuration.titleTextAttributesTransformer = UIConfigurationTextAttributesTransformer { incoming in
            var outgoing = incoming
            outgoing.font = .boldSystemFont(ofSize: 18)
            return outgoing
        }
        sendButton.configuration = configuration
        sendButton.configurationUpdateHandler = { [weak self] button in
            guard let self = self else { return }
            button.configuration?.showsActivityIndicator = self.isSending
            button.configuration?.title = button.isEnabled ? "Order" : "Sending"
        }
        sendButton.addAction(UIAction { [weak self] _ in self?.send() }, for: .primaryActionTriggered)
    }

    private func send() {
        view.endEditing(true)
        isSending = true
        sendButton.isEnabled = false
    }

    @objc private func dateChanged(_ sender: UIDatePicker) {
        navigationItem.prompt = DateFormatter.localizedString(from: sender.date, dateStyle: .short, timeStyle: .short)
    }

    @objc private func keyboardWillShow(_ notification: NSNotification) {
        guard let value = notification.userInfo?[UIResponder.keyboardFrameEndUserInfoKey] as? NSValue,
            let duration = notification.userInfo?[UIResponder.keyboardAnimationDurationUserInfoKey] as? NSNumber
        else { return }
        UIView.animate(withDuration: duration.doubleValue) {
            self.scrollView.contentInset.bottom = value.cgRectValue.height
            self.scrollView.scrollIndicatorInsets = self.scrollView.contentInset
            self.scrollView.verticalScrollIndicatorInsets.bottom = value.cgRectValue.height
        }
    }

    @objc func keyboardWillHide(notification: Notification) {
        scrollView.contentInset = .zero
        scrollView.scrollIndicatorInsets = .zero
    }
}

extension OrderViewController: UITextFieldDelegate {
    func textFieldShouldReturn(_ textField: UITextField) -> Bool {
        if textField === nameField { mailField.becomeFirstResponder() } else { textField.resignFirstResponder() }
        return true
    }

    func textFieldShouldClear(_ textField: UITextField) -> Bool { !isSending }
}

extension OrderViewController: UITextViewDelegate {
    func textViewDidBeginEditing(_ textView: UITextView) {
        if textView.textColor == .placeholderText { textView.text = nil }
        textView.textColor = .label
    }

    func textView(_ textView: UITextView, shouldChangeTextIn range: NSRange, replacementText text: String) -> Bool {
        (textView.text as NSString).replacingCharacters(in: range, with: text).count <= 40
    }

    func textViewDidChange(_ textView: UITextView) {
        sendButton.isEnabled = !textView.text.isEmpty
    }
}
