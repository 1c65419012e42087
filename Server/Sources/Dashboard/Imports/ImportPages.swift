import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird
import NIOCore
import UserImport
import WireJSON

extension PageDescriptor {
    static let imports = PageDescriptor(
        templates: [
            "import": PackageResources.import_mustache,
            "import-progress": PackageResources.import_progress_mustache,
            "import-progress-body": PackageResources.import_progress_body_mustache,
            "imports": PackageResources.imports_mustache,
        ]
    ) { routes in
        routes.get("/dashboard/users/imports", .editor, ImportPages.list)
        routes.post("/dashboard/users/imports/upload", .editor, use: .upload, ImportUploads.whole)
        routes.post("/dashboard/users/imports/begin", .editor, use: .upload, ImportUploads.begin)
        routes.get("/dashboard/users/imports/:id", .editor, ImportPages.show)
        routes.post("/dashboard/users/imports/:id/piece", .editor, use: .upload, ImportUploads.piece)
        routes.post("/dashboard/users/imports/:id/start", .editor, ImportPages.start)
        routes.post("/dashboard/users/imports/:id/cancel", .editor, ImportPages.cancel)
        routes.get("/dashboard/users/imports/:id/errors", .editor, ImportPages.errors)
    }
}

/// Users by file: uploading one, choosing what its columns become, and how its import goes.
enum ImportPages {
    private static let listSize = 50
    private static let shownRejects = 20

    // MARK: Pages

    @Sendable static func list(_ context: PageContext) async throws -> Response {
        let jobs = try await context.store.importJobs(offset: 0, limit: listSize)
        let names = try await NameBook([], context)
        let view = ImportListView(
            limit: MediaView.size(ImportJob.fileBytes),
            jobs: jobs.map { ImportLine($0, names, context) },
            isEmpty: jobs.isEmpty
        )
        return try context.page("imports", title: localized("Import users"), in: .users, view)
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        let job = try await job(context)
        if context.query[.part] == "progress" {
            return try context.part("import-progress", try await result(of: job, context))
        }
        return try await page(of: job, context)
    }

    private static func page(
        of job: ImportJob,
        _ context: PageContext,
        _ columns: [ColumnTarget]? = nil,
        problem: String? = nil
    ) async throws -> Response {
        let line = ImportLine(job, try await NameBook([], context), context)
        var view = ImportView(line: line, result: try await result(of: job, context))
        view.problem = problem.map(ImportFormatter.reason)
        if job.isReady {
            if !job.createdBy.hasSameBytes(as: context.member.email) {
                try await context.site.server.reads.note("user.list", by: context.actor)
            }
            switch try await context.ask({ server, _ in try await server.imports.preview(job, columns) }) {
            case .success(let preview):
                view.preview = ImportPreviewView(preview)
                if let problem { view.preview?.mark(problem) }
            case .failure(let found): view.problem = ImportFormatter.reason(found.description)
            }
        }
        let status: HTTPResponse.Status = problem == nil ? .ok : .unprocessableContent
        return try context.page("import", title: job.fileName, in: .users, status: status, view)
    }

    private static func job(_ context: PageContext) async throws -> ImportJob {
        guard let job = try await context.store.importJob(try context.parameter("id")) else {
            throw DashboardError.notFound
        }
        return job
    }

    private static func result(of job: ImportJob, _ context: PageContext) async throws -> ImportResultView {
        let rejects = try await context.store.importRejects(job.id, after: 0, limit: shownRejects)
        let isWaiting =
            if job.status == .running, job.offset == 0 { try await isBehindOthers(job, context) } else { false }
        return ImportResultView(job, rejects, isWaiting: isWaiting)
    }

    /// Whether an import runs that was started before.
    private static func isBehindOthers(_ job: ImportJob, _ context: PageContext) async throws -> Bool {
        try await context.store.importJobs(offset: 0, limit: 1_000).contains { other in
            other.status == .running
                && (other.startedAt ?? 0, other.id) < (job.startedAt ?? 0, job.id)
        }
    }

    /// The lines that were rejected, as a file.
    @Sendable static func errors(_ context: PageContext) async throws -> Response {
        let job = try await job(context)
        var (rows, last) = (["line,reason"], 0)
        while rows.count <= ImportJob.keptRejects {
            let rejects = try await context.store.importRejects(job.id, after: last, limit: 1_000)
            rows += rejects.map { "\($0.line)," + CSVField.text(ImportFormatter.reason($0.reason)) }
            guard rejects.count == 1_000, let line = rejects.last?.line else { break }
            last = line
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8",
                .contentDisposition: "attachment; filename=\"import-errors.csv\"",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: rows.joined(separator: "\r\n") + "\r\n"))
        )
    }

    // MARK: Changes

    @Sendable static func start(_ context: PageContext) async throws -> Response {
        let id = try context.parameter("id")
        let texts = context.form.all(.column)
        let columns = texts.compactMap { ColumnTarget(text: $0) }
        guard columns.count == texts.count else {
            throw ServiceError(notShown: localized("Reload the page and try again."))
        }
        do {
            try await context.change { try await $0.imports.start(id, columns, by: $1) }
        } catch let refusal as ServiceError where refusal.code == "columns_invalid" {
            return try await page(of: try await job(context), context, columns, problem: refusal.message)
        }
        return .seeOther("/dashboard/users/imports/\(FormData.escape(part: id))")
    }

    @Sendable static func cancel(_ context: PageContext) async throws -> Response {
        let id = try context.parameter("id")
        try await context.change { try await $0.imports.cancel(id, by: $1) }
        return .seeOther("/dashboard/users/imports/\(FormData.escape(part: id))?done=import-canceled")
    }
}
