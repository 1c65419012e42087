import CardModel
import CardServer
import HTTPTypes
import Hummingbird
import WireJSON

extension PageDescriptor {
    static let contentBlockEditor = PageDescriptor(
        templates: ["content-block": PackageResources.content_block_mustache]
    ) { routes in
        routes.get("/dashboard/content-blocks/new", .editor, ContentBlockEditor.new)
        routes.post("/dashboard/content-blocks/new", .editor, ContentBlockEditor.create)
        routes.post("/dashboard/content-blocks/check", .editor, use: .often, ContentBlockEditor.check)
        routes.post("/dashboard/content-blocks/preview", .editor, use: .often, ContentBlockEditor.preview)
        routes.get("/dashboard/content-blocks/:id", .viewer, ContentBlockEditor.show)
        routes.post("/dashboard/content-blocks/:id", .editor, ContentBlockEditor.save)
    }
}

/// Creates and edits content blocks, with what is said while one types.
enum ContentBlockEditor {
    struct ContentBlockEditorView {
        let action: String
        let address: String
        /// The block as the page has shown it, as JSON.
        let base: String
        let isNew: Bool
        let canChange: Bool
        let blockName: String
        let name: FieldView
        let content: FieldView
        let description: FieldView
        /// The tag by which templates include it.
        let inclusion: String?
        let error: String?
        let isConflict: Bool
        /// The changes that the other member has saved, where both have changed the same.
        let theirs: [Theirs]
        let isDirty: Bool
        let uses: [ContentBlockPages.BlockUse]
        let isUsed: Bool
        let more: String?
    }

    /// A field as another member has saved it.
    struct Theirs {
        let label: String
        let text: String
    }

    /// The values of the form.
    struct ContentBlockDraft {
        /// The name of the block that is edited; `nil` for a new one.
        let saved: String?
        var name: String
        var content: String
        var description: String
        /// The block that the page has shown, or `nil` where it has shown none.
        let base: ContentBlock?

        var json: JSONValue { ["content": .string(content), "description": .string(description)] }
    }

    // MARK: Pages

    @Sendable static func new(_ context: PageContext) async throws -> Response {
        try await page(context, ContentBlockDraft(saved: nil, name: "", content: "", description: "", base: nil))
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        try await page(context, ContentBlockDraft(try await ContentBlockPages.block(context)))
    }

    private static func page(
        _ context: PageContext,
        _ draft: ContentBlockDraft,
        problems: [FieldProblem] = [],
        error: String? = nil,
        theirs: [Theirs] = [],
        isDirty: Bool = false,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        var found = ContentBlockUses()
        if let saved = draft.saved { found = try await context.site.server.contentBlocks.uses(of: saved) }
        let (uses, more) = ContentBlockPages.uses(found)
        let fields = ContentBlockFields(draft, FieldMaker(problems))
        let path = ContentBlockPages.path
        let view = ContentBlockEditorView(
            action: draft.saved.map(ContentBlockPages.address) ?? "\(path)/new",
            address: draft.saved.map(ContentBlockPages.address) ?? path,
            base: PageFormatter.shown(draft.base?.json.text),
            isNew: draft.saved == nil,
            canChange: context.may(.editor),
            blockName: PageFormatter.shown(draft.saved),
            name: fields.name,
            content: fields.content,
            description: fields.description,
            inclusion: draft.saved.map { "{{content_blocks.${\($0)}}}" },
            error: error,
            isConflict: status == .conflict && !theirs.isEmpty,
            theirs: theirs,
            isDirty: isDirty,
            uses: uses,
            isUsed: found.count > 0,
            more: more
        )
        let title = draft.saved ?? localized("New content block")
        return try context.page("content-block", title: title, in: .contentBlocks, status: status, view)
    }

    // MARK: While one types

    /// Returns the problems of the form, for a script.
    @Sendable static func check(_ context: PageContext) async throws -> Response {
        let draft = ContentBlockDraft(context.form)
        let maker = FieldMaker(try await problems(context, draft))
        _ = ContentBlockFields(draft, maker)
        let noted = maker.noted.map { fieldID, notes -> JSONValue in
            ["id": .string(fieldID), "notes": .array(notes.map(\.json))]
        }
        return .json(["fields": .array(noted), "others": [], "reach": "", "audience": ""])
    }

    /// The block as the text of a card that a user gets.
    @Sendable static func preview(_ context: PageContext) async throws -> Response {
        let draft = ContentBlockDraft(context.form)
        let title = draft.name.isEmpty ? localized("Content block") : draft.name
        let card: JSONValue = [
            "type": "classic", "title": .string(escapedLiquid(title)), "description": .string(draft.content),
        ]
        return try await EditorPreview.answer(context, card, of: nil)
    }

    /// A text that a template shows as it is: without braces, by its bytes, as templates are read.
    static func escapedLiquid(_ text: String) -> String {
        String(decoding: text.utf8.filter { $0 != UInt8(ascii: "{") }, as: UTF8.self)
    }

    private static func problems(_ context: PageContext, _ draft: ContentBlockDraft) async throws -> [FieldProblem] {
        // A name that is missing is said when the block is saved.
        let name = draft.name.isEmpty ? "block" : draft.name
        do {
            let found = try await context.ask { server, _ in
                try await server.contentBlocks.problems(in: draft.json, named: name)
            }
            return found.map { FieldProblem($0) }
        } catch let refusal as ServiceError where refusal.status == 400 {
            return [FieldProblem(refusal)]
        }
    }

    // MARK: Saving

    @Sendable static func create(_ context: PageContext) async throws -> Response {
        try await save(context, ContentBlockDraft(context.form), over: .none)
    }

    /// Saves what the form changes on top of what others have saved since the page was opened.
    @Sendable static func save(_ context: PageContext) async throws -> Response {
        let draft = ContentBlockDraft(context.form, saved: try context.parameter("id"))
        guard let current = try await present(context, draft.name) else {
            let gone = ContentBlockDraft(context.form)
            let message = localized("The content block was deleted while you edited it. Save to create it again.")
            return try await page(context, gone, error: message, isDirty: true, status: .conflict)
        }
        guard let base = draft.base, base != current else {
            return try await save(context, draft, over: .block(current))
        }
        let (merged, theirs) = draft.merged(with: current, since: base)
        guard theirs.isEmpty else {
            return try await page(context, merged, theirs: theirs, isDirty: true, status: .conflict)
        }
        return try await save(context, merged, over: .block(current))
    }

    private static func save(
        _ context: PageContext,
        _ draft: ContentBlockDraft,
        over base: ContentBlockService.Base
    ) async throws -> Response {
        do {
            let saved = try await context.change {
                try await $0.contentBlocks.save(draft.json, named: draft.name, over: base, by: $1)
            }
            return .seeOther("\(ContentBlockPages.address(of: saved.name))?done=block-saved")
        } catch let refusal as ServiceError where [400, 403, 409].contains(refusal.status) {
            let found = refusal.code == "template_invalid" ? try await problems(context, draft) : []
            let known = found.isEmpty ? [FieldProblem(refusal)] : found
            let isAtField = ["name", "content", "description"].contains(refusal.path)
            return try await page(
                context,
                draft,
                problems: known,
                error: isAtField ? localized("Check the fields below.") : localized(sentence: refusal.message),
                isDirty: true,
                status: HTTPResponse.Status(code: refusal.status)
            )
        }
    }

    private static func present(_ context: PageContext, _ name: String) async throws -> ContentBlock? {
        do {
            return try await context.ask { server, _ in try await server.contentBlocks.block(name) }
        } catch let refusal as ServiceError where refusal.status == 404 {
            return nil
        }
    }
}

extension ContentBlockEditor {
    /// The fields of the form, with what is wrong in them.
    struct ContentBlockFields {
        let name: FieldView
        let content: FieldView
        let description: FieldView

        init(_ draft: ContentBlockDraft, _ maker: FieldMaker) {
            let hint = localized("1 to 64 letters, digits, _, - and . that templates name it by. It can’t be changed.")
            name = maker.make(
                .line,
                localized("Name"),
                at: "c.name",
                path: "name",
                value: draft.name,
                .init(hint: draft.saved == nil ? hint : nil)
            )
            content = maker.make(
                .text(rows: 12),
                localized("Content"),
                at: "c.content",
                path: "content",
                value: draft.content,
                .init(hint: localized("Personalize with Liquid"), mark: "block-content", isLiquid: true)
            )
            description = maker.make(
                .text(rows: 2),
                localized("Description"),
                at: "c.description",
                path: "description",
                value: draft.description,
                .init(hint: localized("For your team: what it is for, and where."))
            )
        }
    }
}

extension ContentBlockEditor.ContentBlockDraft {
    init(_ block: ContentBlock) {
        self.init(
            saved: block.name,
            name: block.name,
            content: block.content,
            description: block.description,
            base: block
        )
    }

    init(_ form: FormData, saved: String? = nil) {
        let fields = FormTree.fields(of: form)
        let name = saved ?? fields.trimmed(.name)
        var base: ContentBlock?
        if saved != nil, let json = form[.base].flatMap({ try? JSONValue(parsing: $0) }) {
            base = try? ContentBlock(name: name, json: json, updatedAt: json[.updatedAt]?.double ?? 0)
        }
        let content = Self.text(fields.value(.content), from: base?.content)
        let description = Self.text(fields.value(.description), from: base?.description)
        self.init(saved: saved, name: name, content: content, description: description, base: base)
    }

    /// A text as it was typed, or as it was before where the browser has only changed its line ends.
    ///
    /// Browsers send line ends as CR and LF.
    private static func text(_ typed: String, from before: String?) -> String {
        let typed = typed.replacing("\r\n", with: "\n")
        guard let before, before.replacing("\r\n", with: "\n").hasSameBytes(as: typed) else { return typed }
        return before
    }

    /// Returns the block to save where others have saved since: what the form has not touched is theirs.
    ///
    /// - Returns: The draft on top of theirs, and what both have changed to different texts.
    func merged(
        with current: ContentBlock,
        since base: ContentBlock
    ) -> (draft: Self, theirs: [ContentBlockEditor.Theirs]) {
        var merged = Self(saved: saved, name: name, content: content, description: description, base: current)
        var theirs: [ContentBlockEditor.Theirs] = []
        func merge(_ label: String, _ mine: inout String, _ before: String, _ now: String) {
            guard !now.hasSameBytes(as: before), !now.hasSameBytes(as: mine) else { return }
            if mine.hasSameBytes(as: before) {
                mine = now
            } else {
                theirs.append(.init(label: label, text: now))
            }
        }
        merge(localized("Content"), &merged.content, base.content, current.content)
        merge(localized("Description"), &merged.description, base.description, current.description)
        return (merged, theirs)
    }
}

extension FieldProblem {
    init(_ problem: TemplateProblem) {
        self.init(
            path: problem.path,
            code: problem.code,
            message: localized(sentence: problem.message),
            isWarning: false
        )
        if problem.line > 0 { (line, column) = (problem.line, problem.column) }
    }
}
