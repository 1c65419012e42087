import Foundation

/// What is kept of a user's feed between launches.
struct CachedFeed: Sendable, Codable {
    var user: String
    /// The SDK that wrote the file.
    ///
    /// Another version asks for the whole feed once, since it may understand more.
    var version: String
    var cursor: String?
    var lastSync: Date?
    var cards: [ContentCard]
    var dismissals: [String]
    var reported: [String: UInt32]

    init(user: String, state: FeedState) {
        self.user = user
        version = SDK.version
        cursor = state.cursor
        lastSync = state.lastSync
        cards = state.ordered
        dismissals = state.dismissals
        reported = state.reported
    }

    var state: FeedState {
        FeedState(
            cards: cards,
            cursor: version == SDK.version ? cursor : nil,
            lastSync: lastSync,
            dismissals: dismissals,
            reported: reported
        )
    }
}

/// What is kept about the device.
struct DeviceRecord: Sendable, Codable {
    var deviceID: String
    var user: String?
    var isDisabled = false
    var budget: RefreshBudget?
}

/// Names this version of the SDK.
enum SDK {
    static let version = "1.0.0"
}
