import UIKit

extension UIView {
    class func fromNib<T: UIView>() -> T? {
        Bundle(for: T.self).loadNibNamed(String(describing: T.self), owner: nil, options: nil)?.first as? T
    }

    func pinEdges(to other: UIView, insets: UIEdgeInsets = .zero) {
        translatesAutoresizingMaskIntoConstraints = false
        topAnchor.constraint(equalTo: other.topAnchor, constant: insets.top).isActive = true
        leadingAnchor.constraint(equalTo: other.leadingAnchor, constant: insets.left).isActive = true
        trailingAnchor.constraint(equalTo: other.trailingAnchor, constant: -insets.right).isActive = true
        bottomAnchor.constraint(equalTo: other.bottomAnchor, constant: -insets.bottom).isActive = true
    }
}

extension UITableView {
    func registerNib<T: UITableViewCell>(_ type: T.Type) {
        register(
            UINib(nibName: String(describing: type), bundle: nil),
            forCellReuseIdentifier: String(describing: type)
        )
    }
}

extension UITextField {
    @IBInspectable var hasDoneButton: Bool {
        get { inputAccessoryView != nil }
        set { if newValue { addDoneButtonOnKeyboard() } }
    }

    func addDoneButtonOnKeyboard() {
        let toolbar = UIToolbar(frame: CGRect(x: 0, y: 0, width: UIScreen.main.bounds.width, height: 50))
        toolbar.barStyle = .default
        let space = UIBarButtonItem(barButtonSystemItem: .flexibleSpace, target: nil, action: nil)
        let done = UIBarButtonItem(title: "Done", style: .done, target: self, action: #selector(doneTapped))
        toolbar.items = [space, done]
        toolbar.sizeToFit()
        inputAccessoryView = toolbar
    }

    @objc private func doneTapped() {
        resignFirstResponder()
    }
}

extension UIButton {
    convenience init(title: String, target: Any?, selector: Selector) {
        self.init(type: .system)
        setTitle(title, for: .normal)
        addTarget(target, action: selector, for: .touchUpInside)
    }
}

extension Decimal {
    var formattedPrice: String {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        return formatter.string(from: self as NSDecimalNumber) ?? "\(self)"
    }
}
