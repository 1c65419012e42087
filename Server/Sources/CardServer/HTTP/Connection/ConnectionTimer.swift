/// Decides when a connection has had the time that it may have.
///
/// A pure value: what happens on the connection goes in with the time, and what is due comes out. Times are seconds of
/// a clock that never goes back.
struct ConnectionTimer: Sendable {
    /// The kinds of time limits that a connection can exceed.
    enum Expiry: Sendable, Equatable {
        /// Nothing was asked for a while.
        case idle
        /// A request's head took too long.
        case head
        /// A request's body came too slowly.
        case body
        /// An answer was read too slowly.
        case answer
        /// The rest of a request whose answer was sent has been read for long enough.
        case rest
    }

    private enum Phase: Sendable, Equatable {
        case idle(until: Double)
        case head(until: Double)
        case body(TransferWatch)
        /// The server owes an answer, for which it has the time it needs.
        case answering
        case rest(until: Double, quietUntil: Double)
    }

    /// The answer that waits to be read, and how much was taken when it was looked at last.
    private struct AnswerWatch: Sendable {
        var watch: TransferWatch
        var taken: Int
    }

    private let times: ConnectionTimes
    private var phase: Phase
    private var answer: AnswerWatch?

    /// Begins with a connection of which nothing has come yet; that must not take longer than a head.
    init(_ times: ConnectionTimes, at now: Double) {
        self.times = times
        phase = .idle(until: now + times.head)
    }

    /// Whether a request is on its way that has not wholly arrived.
    var isReading: Bool {
        switch phase {
        case .head, .body: true
        case .idle, .answering, .rest: false
        }
    }

    /// The server has read bytes.
    mutating func received(_ bytes: Int, at now: Double) {
        switch phase {
        case .idle: phase = .head(until: now + times.head)
        case .body(var watch):
            watch.add(bytes)
            phase = .body(watch)
        case .rest(let until, _): phase = .rest(until: until, quietUntil: now + times.quiet)
        case .head, .answering: break
        }
    }

    /// The head of a request is complete.
    mutating func headEnded(at now: Double) { phase = .body(TransferWatch(times.body, at: now)) }

    /// A request is complete.
    mutating func requestEnded() { phase = .answering }

    /// A request and its answer are complete.
    mutating func exchangeEnded(at now: Double) { phase = .idle(until: now + times.idle) }

    /// The last answer was sent, and what still comes is thrown away.
    mutating func restBegan(at now: Double) {
        phase = .rest(until: now + times.rest, quietUntil: now + times.quiet)
    }

    /// The server stops: a connection without a request is open a moment longer, for one that is on its way.
    ///
    /// Whoever has just connected, or uses a connection again, would take its end for a failure.
    mutating func serverStops(at now: Double) {
        guard case .idle(let until) = phase else { return }
        phase = .idle(until: min(until, now + times.farewell))
    }

    /// The moment at which it is worth asking again.
    var deadline: Double {
        switch phase {
        case .idle(let until), .head(let until): until
        case .body(let watch): watch.deadline
        case .answering: .infinity
        case .rest(let until, let quietUntil): min(until, quietUntil)
        }
    }

    /// Says what has expired, if anything has.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - written: The bytes that were to be written since the connection began.
    ///   - waiting: The number of them that the client has not taken yet.
    /// - Returns: What has expired, or `nil`.
    mutating func expiry(at now: Double, written: Int, waiting: Int) -> Expiry? {
        // safe: bytes of one connection
        if isAnswerStalled(at: now, taken: written - waiting, waiting: waiting) { return .answer }
        switch phase {
        case .idle(let until):
            // An answer that is still being read is not idle.
            if waiting > 0 { phase = .idle(until: now + times.idle) }
            return now >= until && waiting == 0 ? .idle : nil
        case .head(let until): return now >= until ? .head : nil
        case .body(var watch):
            let isTooSlow = watch.isTooSlow(at: now)
            phase = .body(watch)
            return isTooSlow ? .body : nil
        case .answering: return nil
        case .rest: return now >= deadline ? .rest : nil
        }
    }

    private mutating func isAnswerStalled(at now: Double, taken: Int, waiting: Int) -> Bool {
        guard waiting > 0 else {
            answer = nil
            return false
        }
        guard var watched = answer else {
            answer = AnswerWatch(watch: TransferWatch(times.answer, at: now), taken: taken)
            return false
        }
        // safe: bytes of one connection
        watched.watch.add(max(0, taken - watched.taken))
        watched.taken = taken
        let isTooSlow = watched.watch.isTooSlow(at: now)
        answer = watched
        return isTooSlow
    }
}

/// The time limits of the parts of an exchange.
struct ConnectionTimes: Sendable, Equatable {
    /// Seconds for a request's head, and from the beginning of a connection to the end of its first head.
    var head = 10.0
    /// The speed at which a body has to come.
    var body = TransferWatch.Demand(window: 30, rate: 1_024)
    /// The speed at which an answer has to be read.
    var answer = TransferWatch.Demand(window: 30, rate: 1_024)
    /// Seconds that a connection stays open without a request.
    var idle = 75.0
    /// Seconds for which the rest of a request is read whose answer was sent.
    var rest = 30.0
    /// Seconds without a byte after which that rest counts as over.
    var quiet = 5.0
    /// Seconds that a connection without a request stays open where the server stops.
    var farewell = 0.5

    /// Seconds between two looks at a connection, at the most.
    var period: Double { min(answer.window, idle) }
}
