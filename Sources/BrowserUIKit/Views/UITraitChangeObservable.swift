/// Stands for a wish to be told of changes, to take it back.
public protocol UITraitChangeRegistration: AnyObject {}

/// Keeps what is to be told of which changes.
final class TraitRegistration: UITraitChangeRegistration {
    let traits: [UITrait]
    let tell: @MainActor (UITraitCollection) -> Void

    init(_ traits: [UITrait], _ tell: @escaping @MainActor (UITraitCollection) -> Void) {
        self.traits = traits
        self.tell = tell
    }
}

/// Has surroundings, of whose changes it can be told: views and controllers.
@preconcurrency @MainActor
public protocol UITraitChangeObservable: AnyObject {}

extension UITraitChangeObservable {
    /// Has a closure told of changes of some parts of the surroundings, with the object itself and its surroundings of
    /// before.
    ///
    /// It isn't called for the first surroundings. It ends with the object, or when the registration is taken back.
    @discardableResult
    public func registerForTraitChanges(
        _ traits: [UITrait],
        handler: @escaping @MainActor (Self, UITraitCollection) -> Void
    ) -> any UITraitChangeRegistration {
        let registration = TraitRegistration(traits) { [weak self] previous in
            if let self { handler(self, previous) }
        }
        (self as? any TraitRegistering)?.traitRegistrations.append(registration)
        return registration
    }

    /// Ends what a registration began.
    public func unregisterForTraitChanges(_ registration: any UITraitChangeRegistration) {
        (self as? any TraitRegistering)?.traitRegistrations.removeAll { $0 === registration }
    }
}

/// Keeps who is to be told.
@MainActor
protocol TraitRegistering: AnyObject {
    var traitRegistrations: [TraitRegistration] { get set }
}

extension UIView: UITraitChangeObservable, TraitRegistering {
    /// Tells the view, its controller and who has registered that the surroundings are others.
    func tellTraits(before previous: UITraitCollection?) {
        owner?.traitCollectionDidChange(previous)
        traitCollectionDidChange(previous)
        guard let previous, let traits = lastTraits else { return }
        for registration in (owner?.traitRegistrations ?? []) + traitRegistrations
        where registration.traits.contains(where: { traits.differs(from: previous, in: $0) }) {
            registration.tell(previous)
        }
    }
}
