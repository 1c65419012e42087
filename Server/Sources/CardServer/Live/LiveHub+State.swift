import CardModel

extension LiveHub {
    /// The open streams and what is counted of them.
    struct State {
        var streams: [UserID: [UInt64: LiveSubscription]] = [:]
        var count = 0
        /// The streams of each client address.
        var clients: [ClientKey: Int] = [:]
        var nextID: UInt64 = 0
        /// The times at which users with an open stream can have something new though nothing changes.
        var reminders: [UserID: UnixTime] = [:]
        /// The number of turns for which every device whose turn it is has to be told once more, after those that are
        /// to pass before.
        var echoTurns: UInt64 = 0
        /// The earliest moment at which a stream's right ends, or earlier.
        var firstExpiry = UnixTime.infinity
        /// The users whose streams are to be reviewed again.
        var unreviewed = UnreviewedUsers()
        var isClosed = false
        /// Whether streams are told to go elsewhere.
        var isDraining = false
    }
}

extension LiveHub.State {
    /// Adds a stream, in the place of the one that the same device has.
    ///
    /// - Returns: The stream's id, or `nil` once the hub is closed, and the stream that it replaces.
    mutating func add(
        _ stream: LiveSubscription,
        of user: UserID,
        _ limits: LiveHub.LiveLimits
    ) throws(LiveHub.LiveError) -> (id: UInt64?, replaced: LiveSubscription?) {
        guard !isClosed else { return (nil, nil) }
        guard !isDraining else { throw .draining }
        let known = streams[user] ?? [:]
        let replaced = known.first { stream.isOfSameDevice(as: $0.value) }
        guard replaced != nil || known.count < limits.perUser else { throw .user }
        guard replaced != nil || count < limits.total else { throw .full }
        if let client = stream.client, replaced?.value.client != client {
            guard clients[client, default: 0] < limits.perAddress else { throw .address }
        }
        if let replaced { remove(replaced.key, of: user) }
        if let client = stream.client { clients[client, default: 0] += 1 }
        nextID += 1
        count += 1
        streams[user, default: [:]][nextID] = stream
        firstExpiry = min(firstExpiry, stream.grant.expiresAt)
        return (nextID, replaced?.value)
    }

    @discardableResult
    mutating func remove(_ id: UInt64, of user: UserID) -> LiveSubscription? {
        guard let stream = streams[user]?.removeValue(forKey: id) else { return nil }
        count -= 1
        if let client = stream.client, let open = clients[client] { clients[client] = open > 1 ? open - 1 : nil }
        if streams[user]?.isEmpty == true {
            streams[user] = nil
            reminders[user] = nil
            unreviewed.forget(user)
        }
        return stream
    }
}
