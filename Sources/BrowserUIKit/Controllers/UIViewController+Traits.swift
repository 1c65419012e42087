extension UIViewController: UITraitChangeObservable, TraitRegistering {}
