/// Describes the state of what a configuration is for.
@preconcurrency @MainActor
public protocol UIConfigurationState {
    /// The surroundings.
    var traitCollection: UITraitCollection { get set }
}

/// Describes the state of a cell.
public struct UICellConfigurationState: UIConfigurationState {
    /// The surroundings.
    public var traitCollection: UITraitCollection
    /// Whether the cell is chosen.
    ///
    /// The default is `false`.
    public var isSelected = false
    /// Whether the cell is touched.
    ///
    /// The default is `false`.
    public var isHighlighted = false
    /// Whether the cell can be used.
    ///
    /// The default is `false`: it can.
    public var isDisabled = false
    /// Whether the cell has the focus; browsers show that by themselves.
    ///
    /// The default is `false`.
    public var isFocused = false
    /// Whether the cell shows what can be done with it.
    ///
    /// The default is `false`.
    public var isEditing = false
    /// Whether the cell has been swiped; browsers do that by themselves.
    ///
    /// The default is `false`.
    public var isSwiped = false
    /// Whether what belongs to the cell is shown below it.
    ///
    /// The default is `false`.
    public var isExpanded = false
    /// Whether the user moves the cell to another place; browsers tell of it once that has ended.
    ///
    /// The default is `false`.
    public var isReordering = false

    /// Creates a state.
    public init(traitCollection: UITraitCollection) {
        self.traitCollection = traitCollection
    }
}

/// Keeps in mind whether the configuration of a cell has to follow its state.
struct ConfigurationUpdates {
    var isNeeded = true
    private var traits: UITraitCollection?

    /// Returns whether it has to, under these traits, and takes note of it.
    mutating func take(_ traits: UITraitCollection) -> Bool {
        defer { (isNeeded, self.traits) = (false, traits) }
        return isNeeded || traits != self.traits
    }
}

/// Describes what a view shows, as a value.
@preconcurrency @MainActor
public protocol UIContentConfiguration {
    /// Returns a view that shows this.
    func makeContentView() -> any UIView & UIContentView

    /// Returns the configuration for a state.
    func updated(for state: any UIConfigurationState) -> Self
}

/// Shows what a configuration describes.
@preconcurrency @MainActor
public protocol UIContentView: NSObjectProtocol {
    /// The content that is shown.
    var configuration: any UIContentConfiguration { get set }
}

/// Keeps the content of a cell in line with its configuration.
@MainActor
final class ConfiguredContent {
    private var view: (any UIView & UIContentView)?

    func show(_ configuration: (any UIContentConfiguration)?, in container: UIView) {
        guard let configuration else {
            view?.removeFromSuperview()
            view = nil
            return
        }
        if let view, type(of: view.configuration) == type(of: configuration) {
            view.configuration = configuration
            return
        }
        view?.removeFromSuperview()
        let new = configuration.makeContentView()
        view = new
        new.translatesAutoresizingMaskIntoConstraints = false
        container.addSubview(new)
        NSLayoutConstraint.activate([
            new.topAnchor.constraint(equalTo: container.topAnchor),
            new.bottomAnchor.constraint(equalTo: container.bottomAnchor),
            new.leadingAnchor.constraint(equalTo: container.leadingAnchor),
            new.trailingAnchor.constraint(equalTo: container.trailingAnchor),
        ])
    }
}
