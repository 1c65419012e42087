extension UITableViewCell {
    /// Says which labels a cell has by itself.
    public enum CellStyle: Int, Sendable {
        /// A label.
        case `default` = 0
        /// A label and a value at the end.
        case value1 = 1
        /// A label and a value next to it.
        case value2 = 2
        /// A label and a smaller one below.
        case subtitle = 3
    }

    /// Says how a chosen cell looks.
    public enum SelectionStyle: Int, Sendable {
        /// As always.
        case none = 0
        /// Grey.
        case blue = 1
        /// Grey.
        case gray = 2
        /// As the system says.
        case `default` = 3
    }

    /// Says what a swipe offers.
    public enum EditingStyle: Int, Sendable {
        /// Nothing.
        case none = 0
        /// To delete.
        case delete = 1
        /// To insert.
        case insert = 2
    }

    /// Says how rows are separated.
    public enum SeparatorStyle: Int, Sendable {
        /// Not at all.
        case none = 0
        /// By a line.
        case singleLine = 1
    }

    /// Says what a cell shows at its end.
    public enum AccessoryType: Int, Sendable {
        /// Nothing.
        case none = 0
        /// That there is more.
        case disclosureIndicator = 1
        /// A check mark.
        case checkmark = 3
    }
}
