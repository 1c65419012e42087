/// Stands for the names that ``Migration0108`` folds: databases that were used between two versions have it.
enum Migration0105 {
    static let migration = SchemaMigration(identifier: "0105-folded-names", statements: [])
}
