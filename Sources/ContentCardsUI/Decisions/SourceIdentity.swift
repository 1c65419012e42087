/// Tells the sources of views apart, so that a view begins again with another one.
enum SourceIdentity {
    /// Returns what tells an object from others; `nil` for a value, of which there is one for each place of a view.
    static func of(_ source: Any) -> ObjectIdentifier? {
        type(of: source) is AnyClass ? ObjectIdentifier(source as AnyObject) : nil
    }
}
