/// A delegate that is told of the colour that the user picks.
@preconcurrency @MainActor
public protocol UIColorPickerViewControllerDelegate: NSObjectProtocol {
    /// Is called when the user has picked a colour.
    func colorPickerViewControllerDidSelectColor(_ viewController: UIColorPickerViewController)

    /// Is called when the user has picked a colour, and whether more may follow at once.
    func colorPickerViewController(
        _ viewController: UIColorPickerViewController,
        didSelect color: UIColor,
        continuously: Bool
    )

    /// Is called when the user is done.
    func colorPickerViewControllerDidFinish(_ viewController: UIColorPickerViewController)
}

extension UIColorPickerViewControllerDelegate {
    /// Does nothing.
    public func colorPickerViewControllerDidSelectColor(_ viewController: UIColorPickerViewController) {}

    /// Does nothing.
    public func colorPickerViewController(
        _ viewController: UIColorPickerViewController,
        didSelect color: UIColor,
        continuously: Bool
    ) {}

    /// Does nothing.
    public func colorPickerViewControllerDidFinish(_ viewController: UIColorPickerViewController) {}
}

/// Lets the user pick a colour from a grid.
open class UIColorPickerViewController: UIViewController {
    /// The object that is told of the colour.
    open weak var delegate: (any UIColorPickerViewControllerDelegate)?
    /// The colour.
    ///
    /// The default is black.
    open var selectedColor = UIColor.black
    /// Whether the user may pick an opacity; the grid has none.
    ///
    /// The default is `true`.
    open var supportsAlpha = true

    private static let columns = 12
    private static let rows = 9

    /// Makes the grid, and a button that ends the choice.
    open override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        let lines = UIStackView()
        lines.axis = .vertical
        lines.translatesAutoresizingMaskIntoConstraints = false
        for row in 0..<Self.rows { lines.addArrangedSubview(line(row)) }
        let done = UIButton(type: .system)
        let language = traitCollection.preferredLanguages.first
        done.setTitle(SystemStrings.done.text(in: language), for: .normal)
        done.addAction(UIAction { [weak self] _ in self?.finish() }, for: .touchUpInside)
        lines.addArrangedSubview(done)
        view.addSubview(lines)
        NSLayoutConstraint.activate([
            lines.topAnchor.constraint(equalTo: view.topAnchor, constant: 24),
            lines.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 16),
            view.trailingAnchor.constraint(equalTo: lines.trailingAnchor, constant: 16),
        ])
    }

    private func line(_ row: Int) -> UIStackView {
        let line = UIStackView()
        line.distribution = .fillEqually
        for column in 0..<Self.columns {
            let button = UIButton(type: .custom)
            let color = Self.color(row, column)
            button.backgroundColor = color
            button.accessibilityLabel = color.name
            button.heightAnchor.constraint(equalToConstant: 30).isActive = true
            button.addAction(UIAction { [weak self] _ in self?.select(color) }, for: .touchUpInside)
            line.addArrangedSubview(button)
        }
        return line
    }

    /// The first row has greys; the others go round the hues, from dark to light.
    private static func color(_ row: Int, _ column: Int) -> UIColor {
        if row == 0 { return UIColor(white: 1 - CGFloat(column) / CGFloat(columns - 1), alpha: 1) }
        let shade = CGFloat(row) / CGFloat(rows - 1)
        let hue = CGFloat(column) / CGFloat(columns)
        return UIColor(hue: hue, saturation: min(2 - shade * 1.7, 1), brightness: min(shade * 1.8 + 0.2, 1), alpha: 1)
    }

    private func select(_ color: UIColor) {
        selectedColor = color
        delegate?.colorPickerViewControllerDidSelectColor(self)
        delegate?.colorPickerViewController(self, didSelect: color, continuously: false)
    }

    private func finish() {
        dismiss(animated: true)
        delegate?.colorPickerViewControllerDidFinish(self)
    }
}

extension UIColor {
    /// Creates a colour of a catalog by its name: `nil`, for browsers have no catalogs.
    public convenience init?(named name: String) {
        return nil
    }

    /// Creates a colour from hue, saturation, brightness and opacity, each from 0 to 1.
    public convenience init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
        func part(_ shift: CGFloat) -> CGFloat {
            let place = (shift + hue * 6).truncatingRemainder(dividingBy: 6)
            return brightness - brightness * saturation * max(min(place, 4 - place, 1), 0)
        }
        self.init(red: part(5), green: part(3), blue: part(1), alpha: alpha)
    }

    /// Writes red, green, blue and opacity under the light appearance; returns whether there are any.
    @discardableResult
    public func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?,
        green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?,
        alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        guard let parts = usual.light.components, parts.count == 4 else { return false }
        red?.pointee = parts[0]
        green?.pointee = parts[1]
        blue?.pointee = parts[2]
        alpha?.pointee = parts[3]
        return true
    }

    /// The name for people who do not see the colour.
    fileprivate var name: String {
        (usual.light.components ?? []).prefix(3).map { String(Int(($0 * 100).rounded())) + "%" }.joined(separator: ", ")
    }
}
