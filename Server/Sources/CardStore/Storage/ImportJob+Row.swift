package import CardModel
package import WireJSON

extension ImportJob {
    /// Restores an import from its row.
    package init(_ row: some StoredRow) throws {
        guard let status = Status(rawValue: try row.text("status")) else {
            throw StoreError.unreadable("an import of an unknown status")
        }
        self.init(
            id: try row.text("id"),
            fileName: try row.text("file_name"),
            format: try row.text("format"),
            size: try row.count("size"),
            fingerprint: try row.text("fingerprint"),
            createdAt: try row.double("created_at"),
            createdBy: try row.text("created_by")
        )
        self.status = status
        received = try row.count("received")
        plan = try row.optionalText("plan")
        startedAt = try row.optionalDouble("started_at")
        endedAt = try row.optionalDouble("ended_at")
        failure = try row.optionalText("failure")
        offset = try row.count("read_bytes")
        line = try row.count("line")
        imported = try row.count("imported")
        rejected = try row.count("rejected")
    }

    /// Moves on by a step.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - outcomes: For each user of the step, the limit that kept the store from changing them.
    ///   - now: The time.
    /// - Returns: The lines that are to be kept as rejected.
    package mutating func apply(
        _ step: ImportStep,
        _ outcomes: [UserLimits.Excess?],
        at now: UnixTime
    ) -> [ImportReject] {
        let refused = zip(step.users, outcomes).compactMap { entry, excess in
            excess.map { ImportReject(line: entry.line, reason: $0.message + ".") }
        }
        let rejects = (step.rejects + refused).sorted { $0.line < $1.line }
        let room = max(0, Self.keptRejects - rejected)
        (offset, line) = (step.offset, step.line)
        imported += step.users.count - refused.count
        rejected += rejects.count
        switch step.end {
        case nil: break
        case .finished: end(.finished, at: now)
        case .failed(let reason):
            end(.failed, at: now)
            failure = reason
        }
        return Array(rejects.prefix(room))
    }

    /// Whether a piece is the next one of the file.
    package func takes(_ bytes: [UInt8], at offset: Int) -> Bool {
        // safe: not more than the size
        offset == received && (1...ImportJob.pieceBytes).contains(bytes.count) && bytes.count <= size - received
    }

    /// Ends.
    package mutating func end(_ status: Status, at now: UnixTime) {
        self.status = status
        endedAt = now
    }

    /// Whether it has lasted too long at a moment.
    package func hasExpired(at now: UnixTime) -> Bool {
        switch status {
        case .uploading: now - createdAt >= Retention.upload
        case .running: now - (startedAt ?? createdAt) >= Retention.run
        default: false
        }
    }

    /// The details of its end in the audit log.
    package var endDetails: JSONValue {
        [
            "file": .string(fileName), "status": .string(status.rawValue), "imported": .integer(Int64(imported)),
            "rejected": .integer(Int64(rejected)),
        ]
    }

    /// The details of its start in the audit log.
    package var startDetails: JSONValue { ["file": .string(fileName), "bytes": .integer(Int64(size))] }
}

extension ImportStep {
    /// Returns the step without users who were deleted since the file was uploaded: what the file says of them is older
    /// than their deletion, so their lines are rejected.
    ///
    /// - Parameter erased: Those of its users who were deleted since then, and aren't there again.
    /// - Returns: The step, which rejects their lines.
    package func refusing(_ erased: Set<UserID>) -> ImportStep {
        guard !erased.isEmpty else { return self }
        var step = self
        step.users.removeAll { erased.contains($0.update.id) }
        step.rejects += users.filter { erased.contains($0.update.id) }.map {
            ImportReject(line: $0.line, reason: "This user was deleted after the file was uploaded.")
        }
        return step
    }
}

/// Pieces of a file, each with its place.
package enum ImportPieces {
    /// Returns the bytes of a range, of pieces that are in order.
    package static func bytes(_ pieces: [(offset: Int, bytes: [UInt8])], in range: Range<Int>) -> [UInt8] {
        var found: [UInt8] = []
        for piece in pieces {
            // safe: below the size of a file
            let part = range.clamped(to: piece.offset..<(piece.offset + piece.bytes.count))
            // safe: within the piece
            found += piece.bytes[(part.lowerBound - piece.offset)..<(part.upperBound - piece.offset)]
        }
        return found
    }

    /// The part of a range that is read at once.
    package static func bounded(_ range: Range<Int>) -> Range<Int> {
        let start = min(max(0, range.lowerBound), ImportJob.fileBytes)
        // safe: below the size of a file and a piece
        return start..<min(max(start, range.upperBound), start + ImportJob.pieceBytes)
    }
}
