import CardModel
import CardServer
import CardStore
import Hummingbird

extension PageDescriptor {
    /// Of filters, which viewers have, and of what editors change.
    static let undo = PageDescriptor { routes in
        routes.post("/dashboard/undo", .viewer, ChangeUndo.apply)
    }
}

/// Undoes changes that were made a moment ago.
enum ChangeUndo {
    @Sendable static func apply(_ context: PageContext) async throws -> Response {
        let back = SignInPages.safe(context.form[.back])
        guard let changes = context.changeNotice(in: context.form)?.undo, !changes.isEmpty else {
            return .seeOther(context.address(back, done: "undo-late", ChangeNotice()) ?? back)
        }
        var notice = ChangeNotice()
        var campaigns: Int64 = 0
        for change in changes {
            do {
                try await undo(change, context)
                if case .campaign = change { campaigns += 1 }
            } catch let refusal as ServiceError where (400..<500).contains(refusal.status) {
                let name = try await name(of: change, context)
                notice.problems.append(PageFormatter.labeled(name, localized(sentence: refusal.message)))
            } catch let error as StoreError where error.code == .limitReached {
                notice.problems.append(localized(sentence: error.message))
            }
        }
        notice.done =
            switch changes.first {
            case .campaign?: localized("\(PageFormatter.counted(campaigns, .campaign)) as before.")
            default: notice.problems.isEmpty ? localized("Change undone.") : ""
            }
        notice.problems = BulkActions.shown(notice.problems)
        return .seeOther(context.address(back, notice) ?? back)
    }

    private static func undo(_ change: UndoableChange, _ context: PageContext) async throws {
        switch change {
        // Whoever was an editor a moment ago may be none by now.
        case .campaign where !context.may(.editor), .segment where !context.may(.editor),
            .contentBlock where !context.may(.editor), .picture where !context.may(.editor):
            throw DashboardError.forbidden
        case .campaign(let id, let version):
            _ = try await context.change { try await $0.campaigns.undo(id, version: version, by: $1) }
        case .segment(let id, let wasArchived):
            _ = try await context.change { try await $0.segments.setArchived(wasArchived, id, by: $1) }
        case .filter(let filter):
            // Whoever isn't allowed to change it any more can't bring it back.
            guard filter.mayBeChanged(by: context.member) else { throw DashboardError.forbidden }
            do {
                try await context.store.insertSavedFilter(filter, by: context.actor)
            } catch let error as StoreError where error.code == .exists {
                // It is back already.
            }
        case .contentBlock(let block): try await save(block, context)
        case .picture(let id, _): try await context.site.server.media.restore(id, member: context.member)
        }
    }

    /// Saves a block that was deleted again, unless there is one of its name.
    private static func save(_ block: ContentBlock, _ context: PageContext) async throws {
        let present = try await context.store.contentBlocks().first { $0.name == block.name }
        // It is back already.
        if let present, present.content == block.content, present.description == block.description { return }
        _ = try await context.change {
            try await $0.contentBlocks.save(block.json, named: block.name, over: .none, by: $1)
        }
    }

    private static func name(of change: UndoableChange, _ context: PageContext) async throws -> String {
        switch change {
        case .campaign(let id, _): try await BulkActions.name(of: id, context)
        case .segment: localized("Segment")
        case .filter(let filter): filter.name
        case .contentBlock(let block): block.name
        case .picture(_, let name): name
        }
    }
}
