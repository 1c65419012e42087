/// Compares what the clients did with what the server says.
package struct LedgerComparison: Sendable {
    /// Names a variant of a campaign.
    package struct Place: Hashable, Sendable, Comparable {
        /// The campaign.
        package let campaign: String
        /// The variant.
        package let variant: String

        /// Creates a name.
        package init(campaign: String, variant: String) {
            self.campaign = campaign
            self.variant = variant
        }

        /// Orders by campaign, then by variant.
        package static func < (left: Place, right: Place) -> Bool {
            (left.campaign, left.variant) < (right.campaign, right.variant)
        }
    }

    /// The counts of a variant.
    package struct Counts: Hashable, Sendable {
        /// Users who were given the card.
        package var delivered: Int64 = 0
        /// Times it was seen.
        package var impressions: Int64 = 0
        /// Users who saw it.
        package var uniqueImpressions: Int64 = 0
        /// Times it was clicked.
        package var clicks: Int64 = 0
        /// Users who clicked it.
        package var uniqueClicks: Int64 = 0
        /// Users who dismissed it.
        package var dismissals: Int64 = 0

        /// Creates zero of everything.
        package init() {}

        fileprivate var named: [(String, Int64)] {
            [
                ("delivered", delivered), ("impressions", impressions), ("unique impressions", uniqueImpressions),
                ("clicks", clicks), ("unique clicks", uniqueClicks), ("dismissals", dismissals),
            ]
        }
    }

    /// An event as the server has it.
    package struct ServerEvent: Hashable, Sendable {
        /// Its id.
        package var id: String
        /// Its user.
        package var user: String
        /// Its type.
        package var type: String
        /// Its card, or `-`.
        package var card: String

        /// Creates an event.
        package init(id: String, user: String, type: String, card: String) {
            self.id = id
            self.user = user
            self.type = type
            self.card = card
        }
    }

    /// The server's numbers.
    package struct ServerSide: Sendable {
        /// Every stored event of every user.
        package var events: [ServerEvent] = []
        /// The reports' counts.
        package var reports: [Place: Counts] = [:]
        /// The number of users who have a delivery, by the users themselves.
        package var deliveries: [Place: Int64] = [:]

        /// Creates an empty one.
        package init() {}
    }

    /// Events that had to arrive and did not.
    package private(set) var lost: [String] = []
    /// Events that arrived more than once, or that were counted more often than they happened.
    package private(set) var double: [String] = []
    /// Whatever else is different.
    package private(set) var differences: [String] = []
    /// The number of events that had to arrive.
    package private(set) var expected = 0
    /// The number of calls that a kill interrupted: those whose events the recovered queue held, those that had been
    /// delivered by then, and those that never logged anything.
    package private(set) var interrupted = (recovered: 0, delivered: 0, without: 0)

    /// Whether everything is exactly as it should be.
    package var isExact: Bool { lost.isEmpty && double.isEmpty && differences.isEmpty }

    /// Compares.
    package init(_ ledger: Ledger, _ server: ServerSide) {
        interrupted.recovered = ledger.recovered.count
        compareEvents(ledger, server)
        compareCounts(ledger, server)
    }
}

extension LedgerComparison {
    private mutating func compareEvents(_ ledger: Ledger, _ server: ServerSide) {
        let stored = Dictionary(grouping: server.events, by: \.id)
        for (id, copies) in stored.sorted(by: { $0.key < $1.key }) {
            if copies.count > 1 { double.append("\(id) is stored \(copies.count) times") }
            check(copies[0], ledger)
        }
        for (id, entry) in ledger.entries.sorted(by: { $0.key < $1.key }) {
            let hasArrived = stored[id] != nil
            switch entry.fate {
            case .certain:
                expected += 1
                guard !hasArrived else { continue }
                let reason = ledger.rejected[id].map { " (the server refused it: \($0))" } ?? ""
                lost.append("\(id) \(entry.intent.type) of \(entry.intent.user)\(reason)")
            case .refused where hasArrived: differences.append("\(id) arrived although it was not logged")
            case .refused: break
            case .open:
                if hasArrived { interrupted.delivered += 1 } else { interrupted.without += 1 }
            }
        }
    }

    private mutating func check(_ event: ServerEvent, _ ledger: Ledger) {
        guard let intent = ledger.entries[event.id]?.intent else {
            guard event.type == "session_start", ledger.automatic.contains(event.id) else {
                return differences.append("\(event.id) (\(event.type)) is stored and nobody logged it")
            }
            return
        }
        let said = ServerEvent(id: intent.id, user: intent.user, type: intent.type, card: intent.card)
        if said != event { differences.append("\(event.id) is stored as \(event), and was logged as \(said)") }
    }

    private mutating func compareCounts(_ ledger: Ledger, _ server: ServerSide) {
        var wanted = counts(ledger, arrived: Set(server.events.map(\.id)))
        for (place, count) in server.deliveries { wanted[place, default: Counts()].delivered = count }
        for place in Set(wanted.keys).union(server.reports.keys).sorted() {
            let pairs = zip((wanted[place] ?? Counts()).named, (server.reports[place] ?? Counts()).named)
            for (want, have) in pairs where want.1 != have.1 {
                let line = "\(place.campaign)/\(place.variant): \(want.0) \(have.1) in the report, \(want.1) happened"
                if have.1 > want.1 { double.append(line) } else { lost.append(line) }
            }
        }
    }

    /// Returns the counts that the report has to have, given what arrived.
    private func counts(_ ledger: Ledger, arrived: Set<String>) -> [Place: Counts] {
        var counts: [Place: Counts] = [:]
        var seen: Set<[String]> = []
        for (id, entry) in ledger.entries where arrived.contains(id) && entry.intent.campaign != "-" {
            let intent = entry.intent
            let place = Place(campaign: intent.campaign, variant: intent.variant)
            let isFirst: Int64 = seen.insert([intent.type, intent.user, intent.card]).inserted ? 1 : 0
            switch intent.type {
            case "impression":
                counts[place, default: Counts()].impressions += 1
                counts[place, default: Counts()].uniqueImpressions += isFirst
            case "click":
                counts[place, default: Counts()].clicks += 1
                counts[place, default: Counts()].uniqueClicks += isFirst
            case "dismissal": counts[place, default: Counts()].dismissals += isFirst
            default: break
            }
        }
        return counts
    }
}
