import ContentCards
import Foundation
import Simulation

/// One device of a simulated client: the real SDK with its files, and the ledger beside it.
final class SimulatedDevice: Sendable {
    private let ids: LedgerIDs
    private let cards: ContentCardsClient
    private let statistics: StatisticsLog

    /// Starts the SDK on the device's files, as they are after whatever happened to them.
    init(
        name: String,
        settings: SimulationSettings,
        life: Int,
        ledger: LedgerFile,
        statistics: StatisticsLog,
        isSpoiling: @escaping @Sendable () -> Bool
    ) throws {
        guard let server = URL(string: settings.server) else {
            throw CommandError("\(settings.server) is no address.")
        }
        self.statistics = statistics
        ids = LedgerIDs(ledger: ledger)
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .directory(URL(filePath: settings.path(name)))
        configuration.appVersion = "simulation"
        configuration.ids = ids
        configuration.flushDelay = 0.2
        configuration.transport = FaultyTransport(
            plan: settings.hasFaults ? RequestFaultPlan(seed: settings.seed, device: name, life: life) : nil,
            log: statistics,
            isSpoiling: isSpoiling
        )
        configuration.log = { diagnostic in
            guard case .eventRejected(let id, let code) = diagnostic else { return }
            ledger.write(.rejected(id: id, code: code))
        }
        cards = ContentCardsClient(endpoint: server, key: settings.key, configuration: configuration)
    }

    var userID: String? { cards.userID }

    func identify(_ user: String) async { await cards.identify(user) }

    /// Does a step, if there is a card to do it with.
    func perform(_ step: ClientStep, as user: String) async {
        switch step.action {
        case .refresh: try? await cards.refresh()
        case .impression: act("impression", step, among: \.cards, as: user) { cards.logImpression($0) }
        case .click:
            act("click", step, among: \.presentableCards, as: user) {
                cards.logClick($0, customAction: step.choice & 1 == 0)
            }
        case .dismissal: act("dismissal", step, among: \.presentableCards, as: user) { cards.logDismissal($0) }
        case .custom:
            let intent = LedgerRecord.Intent(id: ids.reserve(), user: user, type: "custom")
            countEvent(
                ids.log(intent, death: step.death) {
                    cards.logEvent("simulated", properties: ["choice": .number(Double(step.choice % 100))])
                }
            )
        case .switchUser: break
        }
    }

    private func act(
        _ type: String,
        _ step: ClientStep,
        among choices: KeyPath<CardFeed, [ContentCard]>,
        as user: String,
        _ call: (ContentCard) -> Bool
    ) {
        let feed = cards.feed
        let choices = feed[keyPath: choices]
        guard feed.userID == user, let index = step.index(among: choices.count) else { return }
        let card = choices[index]
        let intent = LedgerRecord.Intent(
            id: ids.reserve(),
            user: user,
            type: type,
            card: card.id,
            campaign: card.campaignID ?? "-",
            variant: card.variantID ?? "-"
        )
        countEvent(ids.log(intent, death: step.death) { call(card) })
    }

    private func countEvent(_ isLogged: Bool) {
        if isLogged { statistics.noteEvent() }
    }

    /// Delivers everything and ends.
    ///
    /// Returns how many events are left.
    func finish(within seconds: Double) async -> Int {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            try? await cards.refresh()
            try? await cards.flush()
            if cards.pendingEventCount == 0 { break }
            try? await Task.sleep(for: .milliseconds(200))
        }
        let pending = cards.pendingEventCount
        await cards.close()
        return pending
    }
}
