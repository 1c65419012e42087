extension UIViewController: UITraitChangeObservable, TraitRegistering {}

extension UIViewController {
    /// The parts of the surroundings that are others for the controller, its view and the controllers in it.
    ///
    /// The default is none.
    public var traitOverrides: UITraitOverrides {
        get { ownTraitOverrides }
        set { ownTraitOverrides = newValue }
    }

    /// The surroundings of the view.
    public var traitCollection: UITraitCollection {
        var traits = viewIfLoaded?.traitCollection ?? parent?.traitCollection ?? .current
        traitOverrides.apply(to: &traits)
        if overrideUserInterfaceStyle != .unspecified { traits.userInterfaceStyle = overrideUserInterfaceStyle }
        return traits
    }
}
