import CardModel
package import CardStore
import Hummingbird
import UserImport

/// Takes files of users from members and starts their import; ``ImportWorker`` does the work.
package struct ImportService: Sendable {
    let services: Services
    private var store: any CardStore { services.store }

    /// The number of records that a page shows before an import.
    package static let previewRows = 8
    /// The number of bytes that a form with a whole file may have: the largest file, and what stands around it.
    package static let formBytes = RequestBodyLimit.userFormBytes

    /// The details of a file that are told before it is sent.
    package struct Announcement: Sendable {
        /// The name of the file, whose ending says how it is written.
        package var fileName: String
        /// The number of bytes.
        package var size: Int
        /// The fingerprint that tells that a file is the same when it is sent again.
        package var fingerprint: String

        /// Creates an announcement.
        package init(fileName: String, size: Int, fingerprint: String) {
            self.fileName = fileName
            self.size = size
            self.fingerprint = fingerprint
        }
    }

    // MARK: The file

    /// Begins to take a file, or goes on with one that the same member has sent a part of.
    ///
    /// - Throws: `RequestError` where the file isn't accepted, with 429 where the member began too many.
    package func begin(_ file: Announcement, by caller: Caller) async throws -> ImportJob {
        guard let format = ImportFormat(fileName: file.fileName) else { throw RequestError.importFormatUnknown }
        guard (1...255).contains(file.fileName.utf8.count), file.fingerprint.utf8.count <= 255,
            file.fileName.unicodeScalars.allSatisfy({ $0.value >= 32 })
        else { throw RequestError.fieldInvalid("name", expected: "1 to 255 bytes without control characters") }
        guard file.size > 0 else { throw RequestError.importEmpty }
        guard file.size <= ImportJob.fileBytes else { throw RequestError.importTooLarge }
        try services.importStarts.count(caller, at: services.media.uptime())
        let job = ImportJob(
            id: "imp_" + RandomText.letters(22),
            fileName: file.fileName,
            format: format.rawValue,
            size: file.size,
            fingerprint: file.fingerprint,
            createdAt: services.clock(),
            createdBy: caller.id
        )
        guard let kept = try await store.insertImport(job) else { throw RequestError.importsFull }
        return kept
    }

    /// Takes a piece of a file that is the body of a request, and returns how many bytes of the file are there now.
    ///
    /// - Parameters:
    ///   - request: The request, whose body isn't read where the caller can't upload now.
    ///   - id: The import.
    ///   - offset: Where the piece begins in the file.
    ///   - caller: Who sends it.
    /// - Returns: How many bytes are there; a piece that isn't the next one changes nothing.
    /// - Throws: `RequestError` where there is no such upload of the caller, or they send too much.
    package func append(bodyOf request: Request, to id: String, at offset: Int, by caller: Caller) async throws -> Int {
        try await append(to: id, at: offset, by: caller) { meter in
            var bytes: [UInt8] = []
            for try await part in request.body {
                // safe: not more than a piece
                guard part.readableBytes <= ImportJob.pieceBytes - bytes.count else { throw RequestError.bodyTooLarge }
                try meter.receive(part.readableBytes)
                bytes += part.readableBytesView
            }
            return bytes
        }
    }

    /// Takes a piece of a file, and returns how many bytes of the file are there now.
    ///
    /// - Parameters:
    ///   - piece: The piece.
    ///   - id: The import.
    ///   - offset: Where the piece begins in the file.
    ///   - caller: Who sends it.
    /// - Returns: How many bytes are there; a piece that isn't the next one changes nothing.
    /// - Throws: `RequestError` where there is no such upload of the caller, or they send too much.
    package func append(_ piece: [UInt8], to id: String, at offset: Int, by caller: Caller) async throws -> Int {
        try await append(to: id, at: offset, by: caller) { meter in
            try meter.receive(piece.count)
            return piece
        }
    }

    private func append(
        to id: String,
        at offset: Int,
        by caller: Caller,
        reading: (UploadMeter) async throws -> [UInt8]
    ) async throws -> Int {
        guard let job = try await store.importJob(id), job.createdBy.hasSameBytes(as: caller.id) else {
            throw RequestError.notFound("import")
        }
        return try await services.importUploads.admit(caller, uptime: services.media.uptime) { meter in
            let bytes = try await reading(meter)
            guard let received = try await store.appendImportBytes(bytes, at: offset, to: id) else {
                throw RequestError.importUploaded
            }
            return received
        }
    }

    // MARK: The import

    /// Returns an import.
    ///
    /// - Throws: `RequestError` with 404 where there is none of that id.
    package func job(_ id: String) async throws -> ImportJob {
        guard let job = try await store.importJob(id) else { throw RequestError.notFound("import") }
        return job
    }

    /// Reads the beginning of a file that is complete, as an import reads it.
    ///
    /// - Parameters:
    ///   - job: The import.
    ///   - columns: What its columns become, or `nil` to guess.
    /// - Returns: The beginning, or what is wrong with the heading.
    /// - Throws: What keeps the store from reading.
    package func preview(
        _ job: ImportJob,
        _ columns: [ColumnTarget]? = nil
    ) async throws -> Result<ImportPreview, ImportError> {
        guard let format = ImportFormat(rawValue: job.format) else { throw RequestError.importFormatUnknown }
        let bytes = try await store.importBytes(job.id, in: 0..<ImportJob.pieceBytes)
        let plan = ImportPlan(format: format, targets: columns)
        return try await services.rendering.offload {
            Result { () throws(ImportError) in
                try ImportPreview(bytes, isWhole: bytes.count >= job.size, plan, limit: Self.previewRows)
            }
        }
    }

    /// Starts an import.
    ///
    /// - Parameters:
    ///   - id: The import, whose file has to be complete.
    ///   - columns: What the columns of a CSV file become.
    ///   - caller: Who starts it.
    /// - Throws: `RequestError` where the columns can't be imported so, or it was started already.
    package func start(_ id: String, _ columns: [ColumnTarget]?, by caller: Caller) async throws {
        let job = try await job(id)
        guard job.isReady, let format = ImportFormat(rawValue: job.format) else { throw RequestError.importNotReady }
        var plan = ImportPlan(format: format)
        if format == .csv {
            plan.targets = columns
            try await check(plan, of: job)
        }
        guard try await store.startImport(id, plan: plan.text, at: services.clock(), by: caller.actor) else {
            throw RequestError.importNotReady
        }
    }

    /// Throws where the heading doesn't fit what was chosen.
    private func check(_ plan: ImportPlan, of job: ImportJob) async throws {
        let beginning = try await store.importBytes(job.id, in: 0..<ImportJob.pieceBytes)
        let checked = try await services.rendering.offload {
            var reader = ImportReader(plan)
            return Result { () throws(ImportError) in try reader.readHeading(in: beginning) }
        }
        if case .failure(let problem) = checked {
            throw RequestError(.unprocessableContent, "columns_invalid", problem.description)
        }
    }

    /// Cancels an import; what it has changed stays.
    ///
    /// - Throws: `RequestError` where it has ended already.
    package func cancel(_ id: String, by caller: Caller) async throws {
        guard try await store.cancelImport(id, at: services.clock(), by: caller.actor) else {
            throw RequestError.importEnded
        }
    }
}

extension ServerInside {
    /// Takes files of users and starts their import.
    package var imports: ImportService { ImportService(services: users.services) }
}

extension RequestError {
    fileprivate static let importFormatUnknown = RequestError(
        .unsupportedMediaType,
        "import_format_unsupported",
        "The file has to be CSV or JSON Lines: its name ends in .csv, .jsonl, .ndjson or .json."
    )
    fileprivate static let importEmpty = RequestError(.unprocessableContent, "import_empty", "The file is empty.")
    static let importTooLarge = RequestError(
        .contentTooLarge,
        "body_too_large",
        "A file has 50 MB at most. Split it, or import it with the command placard users import, which has no limit."
    )
    fileprivate static let importsFull = RequestError(
        .conflict,
        "imports_full",
        "Ten imports wait already. Start or cancel one of them first."
    )
    fileprivate static let importUploaded = RequestError(
        .conflict,
        "import_started",
        "This file isn’t being uploaded any more. Upload it again."
    )
    fileprivate static let importNotReady = RequestError(
        .conflict,
        "import_not_ready",
        "This import can’t be started: its file isn’t complete, or it was started already."
    )
    fileprivate static let importEnded = RequestError(
        .conflict,
        "import_ended",
        "This import has ended already."
    )
}
