import Foundation

// What the documented names need and the native ones do not offer.
extension ContentCardsClient {
    /// The id of the device: a random UUID that lasts until the data are wiped.
    package var deviceID: String {
        core.open()
        return core.feed.device.deviceID
    }

    /// The number of seconds for which events wait for others, as it was configured.
    package var flushDelay: TimeInterval { core.configuration.flushDelay }

    /// Changes for how many seconds events wait for others.
    package func setFlushDelay(_ seconds: TimeInterval) async {
        await core.open().engine.setFlushDelay(seconds)
    }

    /// Logs that the user has dismissed a card, also one that only the app calls dismissible.
    ///
    /// - Returns: Whether an event was logged.
    package func logDismissalAllowedByApp(cardID: ContentCard.ID) -> Bool {
        core.log(.dismissal, cardID: cardID, isCustomAction: true)
    }

    /// Reports, once for each name, that something does nothing.
    package func noteUnsupported(_ name: String) {
        if core.unsupported.withLock({ $0.insert(name).inserted }) { core.report(.notSupported(name: name)) }
    }
}

extension SyncEngine {
    fileprivate func setFlushDelay(_ seconds: TimeInterval) {
        take(.flushDelay(seconds))
    }
}
