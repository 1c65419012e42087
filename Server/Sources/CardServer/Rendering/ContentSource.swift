import CardModel

/// Fetches what templates ask for, and keeps the answers for a while.
///
/// Requests that are alike and at the same time are one. What fails is asked again after a pause, and a host where
/// several requests failed is asked nothing until then; the last good answer, up to four hours old, stands in.
actor ContentSource {
    /// The time for which an answer can stand in for one that does not come, in seconds.
    private static let usefulness = ContentFetch.lifetimes.upperBound
    private static let countLimit = 1_000
    private static let byteLimit = 16 << 20
    /// The maximum number of times that a feed asks for what depends on an answer.
    private static let rounds = 4

    private struct Entry {
        var answer: ContentAnswer
        var fetchedAt: UnixTime
        /// The time until which it is not asked for again.
        var until: UnixTime
    }

    private let fetcher: any ContentFetching
    /// The time for all that a feed waits for.
    private let patience: Duration
    private let clock: @Sendable () -> UnixTime
    private var kept: [ContentFetch: Entry] = [:]
    private var bytes = 0
    private var hosts = ContentHosts()
    private var underWay: [ContentFetch: Task<ContentAnswer, Never>] = [:]

    init(fetcher: any ContentFetching, patience: Duration, clock: @escaping @Sendable () -> UnixTime) {
        self.fetcher = fetcher
        self.patience = patience
        self.clock = clock
    }

    /// The answers to all that is asked for while `rehearse` renders.
    nonisolated func session(for rehearse: () async throws -> Void) async rethrows -> ContentSession {
        let session = ContentSession()
        let start = ContinuousClock.now
        for _ in 0..<Self.rounds {
            try await ContentSession.$current.withValue(session) { try await rehearse() }
            let missing = session.takeMissing()
            guard !missing.isEmpty, start.duration(to: .now) < patience else { break }
            await withTaskGroup(of: Void.self) { group in
                for fetch in missing {
                    group.addTask { session.keep(await self.answer(to: fetch), to: fetch) }
                }
            }
        }
        return session
    }

    /// The answer that is kept, or a fresh one.
    func answer(to fetch: ContentFetch) async -> ContentAnswer {
        let (now, host) = (clock(), "\(fetch.host):\(fetch.url.port)")
        if let known = kept[fetch], known.until > now { return known.answer }
        if let task = underWay[fetch] { return await task.value }
        guard hosts.begin(host, at: now) else { return standIn(for: fetch, at: now) }
        let task = Task {
            defer { underWay[fetch] = nil }
            let answer = await fetcher.fetch(fetch)
            hosts.end(host, isFailure: answer.isFailure, at: clock())
            return keep(answer, to: fetch)
        }
        underWay[fetch] = task
        return await task.value
    }

    /// The last good answer where it is fresh enough, and otherwise that there is none.
    private func standIn(for fetch: ContentFetch, at now: UnixTime) -> ContentAnswer {
        guard let known = kept[fetch], now - known.fetchedAt <= Self.usefulness else {
            return .failure("The host could not be reached.")
        }
        return known.answer
    }

    private func keep(_ answer: ContentAnswer, to fetch: ContentFetch) -> ContentAnswer {
        let now = clock()
        if answer.isFailure {
            var entry = kept[fetch] ?? Entry(answer: answer, fetchedAt: now, until: now)
            if now - entry.fetchedAt > Self.usefulness { entry.answer = answer }
            entry.until = now + ContentHosts.pause
            put(entry, for: fetch)
            return entry.answer
        }
        guard fetch.lifetime > 0 else { return answer }
        put(Entry(answer: answer, fetchedAt: now, until: now + fetch.lifetime), for: fetch)
        return answer
    }

    // safe: all of it is in memory
    private func put(_ entry: Entry, for fetch: ContentFetch) {
        bytes += entry.answer.size - (kept[fetch]?.answer.size ?? 0)
        kept[fetch] = entry
        guard kept.count > Self.countLimit || bytes > Self.byteLimit else { return }
        // The oldest half goes at once, so that this is seldom.
        for (fetch, entry) in kept.sorted(by: { $0.value.fetchedAt < $1.value.fetchedAt }).prefix(kept.count / 2) {
            bytes -= entry.answer.size
            kept[fetch] = nil
        }
    }
}

extension ContentSource {
    /// The answers to all that the templates of a user's feed ask for.
    nonisolated func session(
        for user: UserState,
        in catalog: Catalog,
        at now: UnixTime,
        platform: CardTemplate.Platform? = nil,
        by rendering: FeedRenderer
    ) async throws -> ContentSession {
        guard catalog.fetchesContent else { return ContentSession() }
        return try await session {
            let user = try await rendering.render(for: user.profile.id) { budget in
                FeedForecast(for: user, in: catalog, at: now, platform: platform, budget: budget).user
            }
            try await rendering.render(for: user.profile.id) { budget in
                _ = FeedReply(for: user, in: catalog, since: nil, epoch: 0, at: now, platform: platform, budget: budget)
            }
        }
    }
}

extension ContentAnswer {
    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }

    fileprivate var size: Int {
        switch self {
        case .response(let response): response.body.utf8.count
        case .failure(let reason): reason.utf8.count
        }
    }
}
