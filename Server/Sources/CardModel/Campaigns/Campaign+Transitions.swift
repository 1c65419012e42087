extension Campaign {
    /// A change of a campaign's status.
    public enum Transition: Sendable, Hashable {
        /// Starts it, or starts it again.
        case launch
        /// Keeps it from reaching anybody new.
        case pause
        /// Ends it, and takes the delivered cards back where that is asked.
        case stop(withdraw: Bool)
        /// Puts it out of the way.
        case archive
        /// Takes it out of the archive: it is a draft again, or stopped where it was launched.
        case restore

        /// The name that people and the HTTP paths use.
        public var name: String {
            switch self {
            case .launch: "launch"
            case .pause: "pause"
            case .stop: "stop"
            case .archive: "archive"
            case .restore: "restore"
            }
        }

        /// Returns the error for a campaign whose status doesn't allow it, with what would make it possible.
        fileprivate func refusal(for status: Status) -> ModelError {
            let (done, advice) =
                switch (self, status) {
                case (.launch, _): ("launched", "Restore it first.")
                case (.pause, .archived): ("paused", "Restore it and launch it first.")
                case (.pause, _): ("paused", "It delivers no cards at the moment. Launch it first.")
                case (.stop, .archived): ("stopped", "Restore it first.")
                case (.stop, _): ("stopped", "It was never launched: archive it.")
                case (.archive, _): ("archived", "Stop it first.")
                case (.restore, _): ("restored", "It isn't archived: stop it and archive it first.")
                }
            return ModelError(
                .transitionInvalid,
                at: "status",
                "A campaign that is \(status == .draft ? "a draft" : status.rawValue) can't be \(done). \(advice)"
            )
        }
    }

    /// The campaign after a transition; the same where there is nothing left to do.
    ///
    /// - Throws: `ModelError` where its status does not allow it.
    public func applying(_ transition: Transition, at now: UnixTime) throws(ModelError) -> Campaign {
        var next = self
        switch (transition, status) {
        case (.launch, .draft), (.launch, .paused), (.launch, .stopped), (.launch, .active):
            next.status = .active
            next.isWithdrawn = false
            next.launchedAt = launchedAt ?? now
        case (.pause, .active), (.pause, .paused):
            next.status = .paused
        case (.stop(let withdraw), .active), (.stop(let withdraw), .paused), (.stop(let withdraw), .stopped):
            next.status = .stopped
            next.isWithdrawn = isWithdrawn || withdraw
        case (.archive, .draft), (.archive, .stopped), (.archive, .archived):
            next.status = .archived
        case (.restore, .archived):
            next.status = launchedAt == nil ? .draft : .stopped
        case (.restore, .draft), (.restore, .stopped):
            break
        default: throw transition.refusal(for: status)
        }
        if next != self {
            // safe: counts changes of people
            next.version += 1
            next.updatedAt = now
        }
        return next
    }

    /// The campaign as it was before its last change, as a new version.
    ///
    /// - Parameters:
    ///   - past: The campaign as its last version but one was.
    ///   - now: The moment.
    /// - Returns: The campaign with the content and the status of then.
    /// - Throws: `ModelError` where `past` is another version, or where cards were taken back, which devices have lost.
    public func undoing(to past: Campaign, at now: UnixTime) throws(ModelError) -> Campaign {
        // safe: versions count changes of people
        guard past.id == id, past.version == version - 1, past.isWithdrawn == isWithdrawn,
            (past.launchedAt == nil) == (launchedAt == nil)
        else { throw ModelError(.transitionInvalid, at: "version", "This change can't be undone.") }
        var next = self
        next.content = past.content
        next.status = past.status
        // safe: counts changes of people
        next.version += 1
        next.updatedAt = now
        return next
    }

    /// The campaign with other content.
    ///
    /// - Throws: `ModelError` where cards were delivered and the change would leave some of them without a variant, or
    ///   where it is archived.
    public func updating(_ content: Content, at now: UnixTime) throws(ModelError) -> Campaign {
        guard status != .archived else {
            throw ModelError(
                .transitionInvalid,
                at: "status",
                "A campaign that is archived can't be changed. Restore it first."
            )
        }
        if launchedAt != nil { try checkVariants(content) }
        var next = self
        next.content = content
        if next != self {
            // safe: counts changes of people
            next.version += 1
            next.updatedAt = now
        }
        return next
    }

    private func checkVariants(_ content: Content) throws(ModelError) {
        guard content.salt == self.content.salt else {
            throw ModelError(
                .fieldInvalid,
                at: "salt",
                "A launched campaign keeps its salt: users would change sides, and the counts lose their meaning."
            )
        }
        for variant in self.content.variants {
            guard let kept = content.variants.first(where: { $0.id == variant.id }) else {
                throw ModelError(
                    .fieldInvalid,
                    at: "variants",
                    "A launched campaign keeps its variants; give one a weight of 0 to end it."
                )
            }
            guard kept.isControl == variant.isControl else {
                throw ModelError(
                    .fieldInvalid,
                    at: "variants",
                    "A launched campaign's control stays its control: the counts would lose their meaning."
                )
            }
        }
    }
}
