import CardModel

/// The transitions of an import; a store loads it, asks for one, and saves what comes out.
extension ImportJob {
    /// The outcome for a file that is to be uploaded.
    package enum Admission: Sendable, Hashable {
        /// It is added.
        case added
        /// The same member has begun to upload the same file: that one goes on.
        case present(ImportJob)
        /// As many wait or run as may.
        case full
    }

    /// The outcome for a piece of a file.
    package enum Upload: Sendable, Hashable {
        /// It is the next one; the file has that many bytes with it.
        case appended(received: Int)
        /// It isn't the next one; the file has that many bytes.
        case ignored(received: Int)
        /// No file is being uploaded.
        case refused
    }

    /// Returns what becomes of the import where others wait or run.
    package func admission(among open: [ImportJob]) -> Admission {
        let same = open.first { $0.status == .uploading && $0.isSameFile(as: self) }
        if let same { return .present(same) }
        return open.count < Self.openLimit ? .added : .full
    }

    /// Returns what becomes of a piece of the file that begins at an offset.
    package func upload(_ bytes: [UInt8], at offset: Int) -> Upload {
        guard status == .uploading else { return .refused }
        return takes(bytes, at: offset) ? .appended(received: received + bytes.count) : .ignored(received: received)
    }

    /// Returns the import once it is started, or `nil` where the file isn't complete or it was started before.
    package func started(_ plan: String, at now: UnixTime) -> ImportJob? {
        guard isReady else { return nil }
        var next = self
        next.status = .running
        next.plan = plan
        next.startedAt = now
        return next
    }

    /// Returns the import once it is canceled, or `nil` where it has ended.
    package func canceled(at now: UnixTime) -> ImportJob? {
        guard status.isOpen else { return nil }
        var next = self
        next.end(.canceled, at: now)
        return next
    }

    /// Returns the import once it has expired, or `nil` where it hasn't lasted too long at a moment.
    package func expired(at now: UnixTime) -> ImportJob? {
        guard hasExpired(at: now) else { return nil }
        var next = self
        next.end(.expired, at: now)
        return next
    }
}

/// The worker that has an import, and the time until which it does.
package struct ImportLease: Sendable, Hashable {
    private let worker: String?
    private let end: UnixTime

    /// Creates a lease of a worker, or of none.
    package init(of worker: String?, until end: UnixTime) { (self.worker, self.end) = (worker, end) }

    /// Returns whether a worker may have the import at a moment: its own lease can be renewed, another's has to be
    /// over.
    package func admits(_ other: String, at now: UnixTime) -> Bool {
        worker?.hasSameBytes(as: other) == true || end <= now
    }
}
