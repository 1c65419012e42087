import Foundation

extension SyncState {
    enum Input: Sendable {
        /// A refresh is wanted; `lastSync` decides whether an opened feed needs one.
        case want(SyncReason, waiter: Waiter?, lastSync: Date?)
        /// All events are to be delivered now.
        case flush(Waiter)
        /// A waiter has given up, and has been told.
        case forget(Waiter)
        case token(user: BytewiseText, TokenAnswer)
        /// The number of pending events of each user.
        case backlog([BytewiseText: Int])
        /// A request has left, with so many events.
        case sent(request: Int, events: Int)
        /// A request has ended, after which each user has so many pending events.
        case answered(request: Int, SyncAnswer, backlog: [BytewiseText: Int])
        /// A request that the machine did not plan failed.
        case failed(RequestFailure)
        /// All data were wiped.
        case wiped
        /// The record of an earlier launch could not be read until now.
        case recovered(RecordedPace)
        case sessionStarted
        case sessionEnded
        /// The app isn't in the foreground, whether there was a session or not.
        case away
        /// Events wait for others for so many seconds from now on.
        case flushDelay(TimeInterval)
        case closed
        case wake
    }

    /// Holds what an earlier launch has recorded of when requests are made, and with how many events.
    struct RecordedPace: Sendable {
        var budget: RefreshBudget?
        /// The uptime before which no request is made.
        var blockedUntil: TimeInterval
        var limits: [BytewiseText: Int]
        /// The users whose oldest event was alone in a request that failed.
        var suspects: [BytewiseText]
    }

    enum TokenAnswer: Sendable {
        /// The app gave it with `identify`.
        case given(String)
        /// The provider returned it.
        case provided(String?)
        /// The provider failed.
        case failed
        /// The live stream was refused with this token.
        case refused(String?)
    }

    /// The answer to a request.
    enum SyncAnswer: Sendable {
        /// The server took it. A sync says how often to refresh.
        case success(RefreshLimit?)
        case failure(RequestFailure)
    }

    enum Action: Sendable, Equatable {
        case send(Request)
        case cancel(request: Int)
        case askToken(user: BytewiseText)
        case finish([Waiter], ContentCardsError?)
        /// Come back with `wake` at this uptime; replaces an earlier one.
        case wake(at: TimeInterval)
        case saveBudget
        /// Keep over launches until when no request may be made.
        case savePause(RequestPause)
        case report(Diagnostic)
        /// Keep over launches how many events a request of a user may carry.
        case saveLimit(user: BytewiseText, Int?)
        /// Keep over launches that the oldest event of a user was alone in a request that failed.
        case noteSuspicion(user: BytewiseText)
        /// The server failed on the oldest event of a user, which was alone.
        case countFailure(user: BytewiseText)
        /// Give up the oldest event of a user: the server cannot take it.
        case giveUpEvent(user: BytewiseText, code: String)
    }
}
