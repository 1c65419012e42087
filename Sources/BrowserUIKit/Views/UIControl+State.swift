extension UIControl {
    /// Says in which state of a control something holds.
    public struct State: OptionSet, Hashable, Sendable {
        /// One bit a state.
        public let rawValue: UInt

        /// Creates states from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The usual state.
        public static let normal = State([])
        /// Touched.
        public static let highlighted = State(rawValue: 1 << 0)
        /// Not to be used.
        public static let disabled = State(rawValue: 1 << 1)
        /// Selected.
        public static let selected = State(rawValue: 1 << 2)
    }
}

/// Holds what differs by the state of a control.
struct Stated<Value> {
    private var values: [UIControl.State: Value] = [:]

    subscript(state: UIControl.State) -> Value? {
        get { values[state] }
        set { values[state] = newValue }
    }

    func shown(in state: UIControl.State) -> Value? { values[state] ?? values[.normal] }
}
