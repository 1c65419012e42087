/// Adds the generation of what each shard has as the home knew it last, by which a shard is recognized that was
/// restored to an earlier moment.
///
/// Nodes of earlier versions don't note it: a shard then seems to be later than the home, and nothing is removed from
/// it.
enum Migration0120 {
    static let migration = SchemaMigration(
        identifier: "0120-noted-placement",
        statements: ["ALTER TABLE shards ADD COLUMN placement BIGINT"]
    )
}
