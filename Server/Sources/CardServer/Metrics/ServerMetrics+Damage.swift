import CardModel
import CardStore
import Logging

extension ServerMetrics {
    /// The kinds of rows that were left out because they can't be read.
    enum DamagedRow: String, CaseIterable {
        case card
        case event
    }

    /// The counts of rows that were left out of answers because the database is damaged there.
    var damageLines: [String] {
        let name = "placard_damaged_rows_total"
        let counts = damagedRows.withLock { $0 }
        return describe(name, "counter", "Cards and events that were left out because they can't be read.")
            + DamagedRow.allCases.map { "\(name){kind=\"\($0.rawValue)\"} \(counts[$0] ?? 0)" }
    }

    func count(_ row: DamagedRow, _ number: Int) {
        // safe: counts what was read
        damagedRows.withLock { $0[row, default: 0] += number }
    }

    /// Counts and logs the cards that were kept from a user because they can't be read.
    func note(damagedCardsOf withheld: [Withholding], in logger: Logger) {
        let damaged = withheld.filter(\.failure.isDamage)
        guard let first = damaged.first else { return }
        count(.card, damaged.count)
        logger.error(
            "A card can't be read, and was left out",
            metadata: ["campaign": "\(first.campaign.rawValue)", "command": "placard doctor --full"]
        )
    }
}

extension EventPage {
    /// Counts and logs the events that were left out because they can't be read.
    func noteUnreadable(in logger: Logger, _ metrics: ServerMetrics) {
        guard let first = unreadable.first else { return }
        metrics.count(.event, unreadable.count)
        logger.error(
            "Events can't be read, and were left out",
            metadata: ["position": "\(first)", "count": "\(unreadable.count)", "command": "placard doctor --full"]
        )
    }
}
