/// The types of columns.
///
/// There are no others, so that a parameter's type follows from its value's.
enum ColumnType {
    /// Texts are compared by their bytes, as identities are, whatever the database's collation is.
    static let text = #"TEXT COLLATE "C""#
    /// Seconds since 1970.
    static let time = "DOUBLE PRECISION"
}
