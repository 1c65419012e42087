/// The order of a value relative to another.
enum Ordering {
    case less
    case equal
    case greater

    init<Value: Comparable>(_ left: Value, _ right: Value) {
        self = left < right ? .less : left == right ? .equal : .greater
    }
}
