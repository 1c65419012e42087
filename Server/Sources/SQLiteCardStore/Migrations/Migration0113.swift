import CardStore
import GRDB

/// Adds the folded texts of pictures, in which they are looked for.
enum Migration0113: StoreMigration {
    static let identifier = "0113-media-texts"

    static func apply(to database: Database) throws {
        try database.execute(sql: "ALTER TABLE media ADD COLUMN folded TEXT")
        for row in try Row.fetchAll(database, sql: "SELECT id, name, alt FROM media") {
            let (id, name, alt): (String, String, String) = (row["id"], row["name"], row["alt"])
            try database.execute(
                sql: "UPDATE media SET folded = ? WHERE id = ?",
                arguments: [MediaFilter.folded(name: name, alt: alt), id]
            )
        }
    }
}
