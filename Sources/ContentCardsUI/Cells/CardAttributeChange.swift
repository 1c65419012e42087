#if !os(tvOS)
/// Finds what differs between two looks.
struct CardAttributeChange {
    private let old: CardAttributes?
    private let new: CardAttributes

    init(from old: CardAttributes?, to new: CardAttributes) {
        self.old = old
        self.new = new
    }

    /// Applies an attribute that differs, or that is applied for the first time.
    func of<Value: Equatable>(_ path: KeyPath<CardAttributes, Value>, apply: (Value) -> Void) {
        if old?[keyPath: path] != new[keyPath: path] { apply(new[keyPath: path]) }
    }

    /// Applies a length that differs.
    ///
    /// At first none is applied: cells have the same defaults, and `setUp` may have set
    /// others.
    func ofLength<Value: Equatable>(_ path: KeyPath<CardAttributes, Value>, apply: (Value) -> Void) {
        if let old, old[keyPath: path] != new[keyPath: path] { apply(new[keyPath: path]) }
    }
}
#endif
