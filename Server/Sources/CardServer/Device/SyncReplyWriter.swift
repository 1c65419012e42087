import CardModel
import WireJSON

/// Writes the bodies that devices are answered with.
enum SyncReplyWriter {
    /// The reply to a device that has everything.
    static func unchanged(_ cursor: String, _ receipt: EventReceipt, _ settings: Settings) -> JSONWriter {
        var writer = JSONWriter(capacity: 256)
        writer.raw(#"{"cursor":""#)
        writer.bytes.append(contentsOf: cursor.utf8)
        writer.raw(#"","replace":false,"cards":[],"removed":[]"#)
        finish(&writer, receipt, settings)
        return writer
    }

    /// The reply that tells a device what changed, or everything.
    static func changed(_ reply: FeedReply, _ receipt: EventReceipt, _ settings: Settings) -> JSONWriter {
        var writer = JSONWriter(capacity: 512 + reply.cardCount * 768)
        writer.raw(#"{"cursor":""#)
        writer.bytes.append(contentsOf: reply.cursor.text.utf8)
        writer.raw(#"","replace":"#)
        writer.bool(reply.replaces)
        writer.raw(#","cards":"#)
        reply.writeCards(to: &writer)
        writer.raw(#","removed":["#)
        for (index, card) in reply.removed.enumerated() {
            if index > 0 { writer.raw(",") }
            writer.string(card.rawValue)
        }
        writer.raw("]")
        finish(&writer, receipt, settings)
        return writer
    }

    private static func finish(_ writer: inout JSONWriter, _ receipt: EventReceipt, _ settings: Settings) {
        writer.raw(#","events":"#)
        write(receipt, to: &writer)
        writer.raw(#","refresh":{"burst":"#)
        writer.integer(settings.refreshBurst)
        writer.raw(#","seconds":"#)
        writer.number(settings.refreshSeconds)
        writer.raw("}}")
    }

    /// Appends what became of events.
    static func write(_ receipt: EventReceipt, to writer: inout JSONWriter) {
        writer.raw(#"{"accepted":"#)
        writer.integer(receipt.accepted)
        writer.raw(#","duplicate":"#)
        writer.integer(receipt.duplicate)
        writer.raw(#","rejected":["#)
        for (index, rejection) in receipt.rejected.enumerated() {
            writer.raw(index == 0 ? #"{"id":"# : #",{"id":"#)
            writer.string(rejection.id)
            writer.raw(#","code":"#)
            writer.string(rejection.code.rawValue)
            writer.raw(#","message":"#)
            writer.string(rejection.message)
            writer.raw("}")
        }
        writer.raw("]}")
    }
}
