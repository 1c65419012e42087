/// Keeps the surroundings that a view was told of last, and what it overrides of them.
struct TraitState {
    var last: UITraitCollection?
    var overrides = UITraitOverrides()
}

extension UIView {
    /// The parts of the surroundings that are others for the view and for what is in it.
    ///
    /// The default is none. Those of a view count before those of its controller, and `overrideUserInterfaceStyle`
    /// before both.
    public var traitOverrides: UITraitOverrides {
        get { traitState.overrides }
        set {
            traitState.overrides = newValue
            setNeedsDisplay()
        }
    }

    /// The surroundings that the view was told of last.
    var lastTraits: UITraitCollection? {
        get { traitState.last }
        set { traitState.last = newValue }
    }

    /// The surroundings of this view.
    public var traitCollection: UITraitCollection {
        var traits = lastTraits ?? superview?.traitCollection ?? .current
        traitOverrides.apply(to: &traits)
        if overrideUserInterfaceStyle != .unspecified { traits.userInterfaceStyle = overrideUserInterfaceStyle }
        return traits
    }

    /// The appearance that the view or its controller is forced into; `nil` for that of the surroundings.
    var forcedStyle: UIUserInterfaceStyle? {
        if overrideUserInterfaceStyle != .unspecified { return overrideUserInterfaceStyle }
        if let style = traitOverrides.forcedStyle { return style }
        if let style = owner?.overrideUserInterfaceStyle, style != .unspecified { return style }
        return owner?.traitOverrides.forcedStyle
    }

    /// The direction that the view or its controller is forced into; `nil` for that of the surroundings.
    var forcedDirection: UITraitEnvironmentLayoutDirection? {
        semanticContentAttribute.direction ?? traitOverrides.forcedDirection ?? owner?.traitOverrides.forcedDirection
    }

    /// Returns the surroundings of the view, by those around it.
    func traits(in inherited: UITraitCollection) -> UITraitCollection {
        var traits = inherited
        owner?.traitOverrides.apply(to: &traits)
        traitOverrides.apply(to: &traits)
        if let forcedStyle { traits.userInterfaceStyle = forcedStyle }
        if let forcedDirection { traits.layoutDirection = forcedDirection }
        return traits
    }
}
