public import CardModel
public import CardStore

extension ReferenceCardStore {
    /// Adds a message that is due at once.
    public func insertMail(_ mail: Mail) async throws -> Bool {
        try write { state in
            guard state.place(of: mail.recipient) != nil else { throw StoreError.noMember }
            if mail.content.hasPasswordLink {
                state.mails.removeAll {
                    $0.mail.content.hasPasswordLink && $0.mail.recipient.hasSameBytes(as: mail.recipient)
                }
            }
            guard state.mails.count < Mail.limit else { return false }
            state.mails.append(ReferenceMail(mail: mail, nextAttemptAt: mail.createdAt))
            return true
        }
    }

    /// Takes the message for a worker that is due the longest.
    public func claimMail(for worker: String, seconds: Double, at now: UnixTime) async throws -> MailClaim {
        let present = self.now()
        return try write { state in
            let count = state.mails.count
            state.mails.removeAll { $0.mail.expiresAt <= now }
            // safe: the rest of as many
            let expired = count - state.mails.count
            let due = state.mails.indices.filter { index in
                state.mails[index].nextAttemptAt <= (state.mails[index].worker == nil ? now : present)
            }
            let first = due.min { left, right in
                let (left, right) = (state.mails[left], state.mails[right])
                return (left.nextAttemptAt, left.mail.id) < (right.nextAttemptAt, right.mail.id)
            }
            guard let first else { return MailClaim(mail: nil, failures: 0, expired: expired) }
            state.mails[first].worker = worker
            state.mails[first].nextAttemptAt = present + seconds
            let found = state.mails[first]
            return MailClaim(mail: found.mail, failures: found.failures, expired: expired)
        }
    }

    /// Removes a message that was sent, or never will be.
    public func endMail(_ id: String, by worker: String) async throws -> Bool {
        try write { state in
            guard let place = state.mail(id, of: worker) else { return false }
            state.mails.remove(at: place)
            return true
        }
    }

    /// Notes that a message could not be sent, and when it is due again.
    public func postponeMail(
        _ id: String,
        until time: UnixTime,
        for failure: MailFailure,
        by worker: String
    ) async throws -> Bool {
        try write { state in
            guard let place = state.mail(id, of: worker) else { return false }
            state.mails[place].worker = nil
            state.mails[place].nextAttemptAt = time
            // safe: each took a second or more
            state.mails[place].failures += 1
            state.mails[place].failure = failure
            return true
        }
    }

    /// Reads how many messages wait, and how it goes.
    public func mailQueue() async throws -> MailQueue {
        try read { state in
            MailQueue(
                waiting: Int64(state.mails.count),
                oldestAt: state.mails.map(\.mail.createdAt).min(),
                dueAt: state.mails.map { min($0.nextAttemptAt, $0.mail.expiresAt) }.min(),
                lastFailure: state.mails.filter { $0.failure != nil }.max { left, right in
                    (left.failure?.at ?? 0, left.mail.id) < (right.failure?.at ?? 0, right.mail.id)
                }?.failure
            )
        }
    }

    /// Saves the language that a member has chosen.
    public func setLanguage(_ tag: String?, of email: String) async throws {
        try write { state in
            guard let place = state.place(of: email) else { throw StoreError.noMember }
            state.members[place].member.language = tag
        }
    }
}

extension ReferenceState {
    fileprivate func mail(_ id: String, of worker: String) -> Int? {
        mails.firstIndex { $0.mail.id.hasSameBytes(as: id) && $0.worker?.hasSameBytes(as: worker) == true }
    }
}
