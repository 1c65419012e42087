import BrowserUIKit

/// Shows what is typed into.
final class FormExample: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        let name = UITextField()
        name.borderStyle = .roundedRect
        name.placeholder = "Name"
        name.text = "Ann"
        name.clearButtonMode = .always
        name.textContentType = .name
        let mail = UITextField()
        mail.borderStyle = .roundedRect
        mail.placeholder = "Mail"
        mail.keyboardType = .emailAddress
        mail.leftView = UIImageView(image: UIImage(systemName: "envelope"))
        mail.leftViewMode = .always
        let secret = UITextField()
        secret.borderStyle = .roundedRect
        secret.placeholder = "Password"
        secret.isSecureTextEntry = true
        let writing = UITextView()
        writing.text = "Write on the cake:\nHappy birthday!"
        writing.font = .systemFont(ofSize: 17)
        writing.isScrollEnabled = false
        writing.backgroundColor = .secondarySystemBackground
        writing.layer.cornerRadius = 8
        let picker = UIDatePicker()
        picker.datePickerMode = .date
        picker.timeZone = TimeZone(identifier: "UTC")
        picker.date = Date(timeIntervalSince1970: 1_800_000_000)
        let terms = UITextView()
        terms.isEditable = false
        terms.isScrollEnabled = false
        terms.font = .systemFont(ofSize: 15)
        let text = NSMutableAttributedString(string: "By ordering you accept the terms.")
        text.addAttribute(.link, value: "https://shop.example/terms", range: NSRange(location: 27, length: 5))
        terms.attributedText = text
        let bar = UISearchBar()
        bar.placeholder = "Search"
        bar.showsCancelButton = true
        let stack = UIStackView(arrangedSubviews: [name, mail, secret, writing, picker, terms, bar])
        stack.axis = .vertical
        stack.spacing = 16
        stack.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(stack)
        NSLayoutConstraint.activate([
            stack.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor, constant: 16),
            stack.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 16),
            view.trailingAnchor.constraint(equalTo: stack.trailingAnchor, constant: 16),
        ])
    }
}
