extension UIViewController: UITraitChangeObservable, TraitRegistering {}

extension UIViewController {
    /// The surroundings of the view.
    public var traitCollection: UITraitCollection {
        var traits = viewIfLoaded?.traitCollection ?? parent?.traitCollection ?? .current
        if overrideUserInterfaceStyle != .unspecified { traits.userInterfaceStyle = overrideUserInterfaceStyle }
        return traits
    }
}
