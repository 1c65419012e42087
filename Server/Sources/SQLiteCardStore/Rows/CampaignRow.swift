import CardModel
import CardStore
import GRDB

/// A campaign as a row keeps it: what a person wrote as JSON, the rest as columns.
enum CampaignRow {
    static func find(_ id: CampaignID, in database: Database) throws -> Campaign? {
        try row(of: id, in: database).map(Campaign.init)
    }

    static func row(of id: CampaignID, in database: Database) throws -> Row? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM campaigns WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [id.rawValue])
    }

    static func insert(_ campaign: Campaign, into database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO campaigns
                    (id, content, status, withdrawn, version, generation, created_at, updated_at, launched_at)
                VALUES (:id, :content, :status, :withdrawn, :version, :generation, :created_at, \
                :updated_at, :launched_at)
                """,
            arguments: arguments(of: campaign)
        )
    }

    static func update(_ campaign: Campaign, in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE campaigns SET
                    content = :content, status = :status, withdrawn = :withdrawn, version = :version,
                    generation = :generation, created_at = :created_at, updated_at = :updated_at,
                    launched_at = :launched_at
                WHERE id = :id
                """,
            arguments: arguments(of: campaign)
        )
    }

    private static func arguments(of campaign: Campaign) -> StatementArguments {
        [
            "id": campaign.id.rawValue, "content": campaign.storedContent,
            "status": campaign.status.rawValue, "withdrawn": campaign.isWithdrawn, "version": campaign.version,
            "generation": campaign.generation, "created_at": campaign.createdAt, "updated_at": campaign.updatedAt,
            "launched_at": campaign.launchedAt,
        ]
    }
}
