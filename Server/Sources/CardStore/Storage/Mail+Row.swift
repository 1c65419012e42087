package import CardModel
import WireJSON

extension Mail {
    /// The content as a row holds it, before it is encrypted.
    package var storedContent: [UInt8] { Array(content.json.text.utf8) }

    /// Restores a message from its row.
    package init(_ row: some StoredRow, _ secrets: StoreSecrets) throws {
        let id = try row.text("id")
        let bytes = try secrets.open(row.bytes("sealed_content"), for: SealedColumn.mailContent.place(id))
        guard let json = try? JSONValue(parsing: bytes), let content = MailContent(json: json) else {
            throw StoreError.unreadable("a message to a member")
        }
        self.init(
            id: id,
            to: try row.text("recipient"),
            in: try row.optionalText("language"),
            content,
            at: try row.double("created_at"),
            until: try row.double("expires_at")
        )
    }
}

extension MailQueue {
    /// Restores what is said of a queue from the counts of its rows, and the row of the last failure.
    package init(_ counts: some StoredRow, lastFailure: (some StoredRow)?) throws {
        self.init(
            waiting: try counts.integer("waiting"),
            oldestAt: try counts.optionalDouble("oldest_at"),
            dueAt: try counts.optionalDouble("due_at"),
            lastFailure: try lastFailure.map { row in
                MailFailure(try row.text("failure"), at: try row.double("failed_at"))
            }
        )
    }
}

extension StoreError {
    /// Says that there is no such member.
    package static let noMember = StoreError(.notFound, "There is no such member.")
}
