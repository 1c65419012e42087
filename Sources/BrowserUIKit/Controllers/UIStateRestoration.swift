/// Names the data of a table or collection beyond the life of an app, so that the user finds them again.
///
/// Browsers restore no state: an app may use it for its own.
@preconcurrency @MainActor
public protocol UIDataSourceModelAssociation {
    /// Returns the name of what is at a place.
    func modelIdentifierForElement(at idx: IndexPath, in view: UIView) -> String?
    /// Returns the place of what has a name.
    func indexPathForElement(withModelIdentifier identifier: String, in view: UIView) -> IndexPath?
}
