import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird
import NIOCore
import WireJSON

/// The requests by which browsers send a file: a script all pieces one by one, and a form the whole file.
enum ImportUploads {
    /// A script says which file comes, and learns how much of it is there already.
    @Sendable static func begin(_ context: PageContext) async throws -> Response {
        let file = ImportService.Announcement(
            fileName: context.query.value(.name),
            size: context.query[.size].flatMap { Int($0) } ?? 0,
            fingerprint: context.query.value(.fingerprint)
        )
        return try await answer {
            let job = try await context.change { try await $0.imports.begin(file, by: $1) }
            // safe: at most the size of a file
            return ["id": .string(job.id), "received": .integer(Int64(job.received))]
        }
    }

    /// A script sends a piece.
    @Sendable static func piece(_ context: PageContext) async throws -> Response {
        let id = try context.parameter("id")
        let offset = context.query[.offset].flatMap { Int($0) } ?? -1
        return try await answer {
            let received = try await context.change { server, caller in
                try await server.imports.append(bodyOf: context.request, to: id, at: offset, by: caller)
            }
            // safe: at most the size of a file
            return ["received": .integer(Int64(received))]
        }
    }

    private static func answer(_ body: () async throws -> JSONObject) async throws -> Response {
        var (json, status): (JSONObject, HTTPResponse.Status) = ([:], .ok)
        var retryAfter: Int?
        do {
            json = try await body()
        } catch let refusal as ServiceError {
            json = ["error": .string(localized(sentence: refusal.message))]
            status = HTTPResponse.Status(code: refusal.status)
            retryAfter = refusal.retryAfter
        }
        return Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: JSONValue.object(json).bytes))
        )
        .retryable(after: retryAfter)
    }

    // MARK: Without a script

    /// A form sends the whole file, which is kept piece by piece as it arrives.
    @Sendable static func whole(_ context: PageContext) async throws -> Response {
        let headers = context.request.headers
        guard var form = headers[.contentType].flatMap({ MultipartFile(contentType: $0) }),
            let length = headers[.contentLength].flatMap({ Int($0) })
        else { throw ServiceError(notShown: localized("Choose a file to import.")) }
        guard length <= ImportService.formBytes else {
            throw ServiceError(notShown: localized("A file has 50 MB at most."))
        }
        var upload: Upload?
        do {
            for try await part in context.request.body {
                let bytes = try form.take(part.readableBytesView)
                if upload == nil, let name = form.fileName {
                    guard !name.isEmpty else { throw ServiceError(notShown: localized("Choose a file to import.")) }
                    upload = try await Upload(context, name, size: form.fileSize(ofBody: length))
                }
                try await upload?.take(bytes)
            }
            guard let upload, form.isComplete else {
                throw ServiceError(notShown: localized("The file didn’t arrive completely. Try again."))
            }
            return try await upload.finish()
        } catch {
            if let upload { await upload.discard() }
            throw error
        }
    }

    /// A file that arrives.
    private struct Upload {
        let context: PageContext
        let job: ImportJob
        var rest: [UInt8] = []
        var received = 0

        init(_ context: PageContext, _ name: String, size: Int) async throws {
            self.context = context
            // What no other file has, so that none goes on with another one.
            let file = ImportService.Announcement(fileName: name, size: size, fingerprint: context.formToken())
            job = try await context.change { try await $0.imports.begin(file, by: $1) }
        }

        mutating func take(_ bytes: [UInt8]) async throws {
            rest += bytes
            while rest.count >= ImportJob.pieceBytes { try await send() }
        }

        private mutating func send() async throws {
            let piece = Array(rest.prefix(ImportJob.pieceBytes))
            rest = Array(rest.dropFirst(ImportJob.pieceBytes))
            let offset = received
            received = try await context.change { server, caller in
                try await server.imports.append(piece, to: job.id, at: offset, by: caller)
            }
        }

        func finish() async throws -> Response {
            var last = self
            if !rest.isEmpty { try await last.send() }
            guard last.received == job.size else {
                throw ServiceError(notShown: localized("The file didn’t arrive completely. Try again."))
            }
            return .seeOther("/dashboard/users/imports/\(FormData.escape(part: job.id))")
        }

        /// Removes what has arrived of a file that didn't completely.
        func discard() async {
            _ = try? await context.change { try await $0.imports.cancel(job.id, by: $1) }
        }
    }
}
