import CardModel
import Liquid
import WireJSON

/// Compares files with a server, and finds everything that the server would refuse before anything is written.
package struct WorkspacePlanner {
    /// The objects that files describe.
    package let files: [WorkspaceFile]
    /// The files that can be read in part.
    package let broken: [BrokenFile]
    /// The state of the server.
    package let server: ServerState
    /// The state of objects when they were pulled.
    package let pulled: PulledState?
    /// The kinds that are looked at.
    package let kinds: Set<ObjectKind>
    /// The options that a person chose.
    package let options: WorkspacePlan.PlannerOptions
    /// The filters of templates beyond those of the dialect.
    package let filters: [LiquidFilter]
    /// The time.
    package let now: UnixTime

    /// Creates a planner.
    ///
    /// - Parameters:
    ///   - files: What files describe.
    ///   - broken: The files that can be read in part; none by default.
    ///   - server: What the server has.
    ///   - pulled: What objects were when they were pulled.
    ///   - kinds: The kinds that are looked at.
    ///   - options: What a person chose.
    ///   - filters: The filters of templates beyond those of the dialect.
    ///   - now: The time.
    package init(
        files: [WorkspaceFile],
        broken: [BrokenFile] = [],
        server: ServerState,
        pulled: PulledState?,
        kinds: Set<ObjectKind>,
        options: WorkspacePlan.PlannerOptions,
        filters: [LiquidFilter],
        now: UnixTime
    ) {
        self.files = files
        self.broken = broken
        self.server = server
        self.pulled = pulled
        self.kinds = kinds
        self.options = options
        self.filters = filters
        self.now = now
    }

    /// Returns the plan, and what keeps it from being applied.
    package func plan() -> (plan: WorkspacePlan, problems: [FileProblem]) {
        var problems: [FileProblem] = []
        var broken = broken
        var items: [WorkspacePlan.Item] = []
        for file in files where kinds.contains(file.object.reference.kind) {
            do {
                items.append(try item(of: file))
            } catch {
                problems += file.problems(error.errors)
                broken.append(BrokenFile(file, errors: error.errors))
            }
        }
        let known = Set(files.map(\.object.reference))
        for (reference, object) in server.objects
        where kinds.contains(reference.kind) && reference.kind != .settings && !known.contains(reference) {
            guard !object.isArchived else { continue }
            items.append(unwanted(object))
        }
        problems += PlanRules(items: items, broken: broken, server: server, filters: filters, now: now).problems
        let order = ApplyOrder(items)
        return (WorkspacePlan(items: order.sorted(items)), problems.sorted())
    }

    // MARK: One object

    private func item(of file: WorkspaceFile) throws(ObjectError) -> WorkspacePlan.Item {
        let reference = file.object.reference
        let existing = server.objects[reference]
        let wanted = try wanted(file.object)
        var item = WorkspacePlan.Item(
            reference: reference,
            action: .unchanged,
            file: file,
            server: existing,
            wanted: wanted
        )
        item.differences = existing.map { differences($0.object, wanted, $0.campaign) } ?? []
        item.steps = try steps(of: item, wanted)
        guard existing != nil else {
            item.action = .create
            return item
        }
        if item.steps.isEmpty { return item }
        item.action = isConflict(item) ? .conflict : .change
        return item
    }

    /// The object that is to be on the server: what a file leaves out stays.
    private func wanted(_ object: WorkspaceObject) throws(ObjectError) -> WorkspaceObject {
        switch object.content {
        case .settings(let members):
            let known = server.objects[object.reference]?.object.members ?? [:]
            var all = known
            all.merge(members) { _, last in last }
            if all["jwks_url"]?.isNull == false { all["jwks"] = nil }
            let settings = try SettingsCheck(known: known).settings(all)
            var json = settings.json.object ?? [:]
            for name in json.keys where all[name] == nil { json[name] = nil }
            return WorkspaceObject(object.reference, .settings(json))
        case .campaign(let content, nil) where options.launches:
            let launched = WorkspaceObject.Content.campaign(content, WrittenStatus(.active))
            return WorkspaceObject(object.reference, launched, version: object.version)
        case .campaign, .segment, .contentBlock, .contentType: return object
        }
    }

    /// The differences; a status that a file doesn't say, or that a campaign has as far as it can, is none.
    private func differences(
        _ existing: WorkspaceObject,
        _ wanted: WorkspaceObject,
        _ campaign: Campaign?
    ) -> [FieldDifference] {
        var (server, file) = (existing.members, wanted.members)
        if case .campaign(_, let state) = wanted.content, let campaign {
            if state.map({ CampaignSteps.has(campaign, $0) }) ?? true {
                for name in ["status", "withdrawn"] { (server[name], file[name]) = (nil, nil) }
            }
        }
        if case .segment(_, nil) = wanted.content { server["archived"] = nil }
        return FieldDifference.between(server: .object(server), file: .object(file))
    }

    private func steps(
        of item: WorkspacePlan.Item,
        _ wanted: WorkspaceObject
    ) throws(ObjectError) -> [WorkspacePlan.Step] {
        let stateNames: Set<String> = ["status", "withdrawn", "archived"]
        let isSaved = item.server == nil || item.differences.contains { !stateNames.contains($0.path) }
        switch wanted.content {
        case .settings, .contentType, .contentBlock: return isSaved ? [.save] : []
        case .segment(_, let isArchived):
            let isNow = item.server?.isArchived ?? false
            var steps: [WorkspacePlan.Step] = isSaved ? [.save] : []
            if let isArchived, isArchived != isNow { steps.append(.archiveSegment(isArchived)) }
            return steps
        case .campaign(_, let state):
            guard let steps = CampaignSteps.steps(of: item.server?.campaign, to: state, isSaved: isSaved) else {
                let status = item.server?.campaign?.status.rawValue ?? ""
                throw ObjectError(
                    .transitionInvalid,
                    at: "status",
                    "The status on the server is \(status), and can't become \(state?.status.rawValue ?? "") any more."
                )
            }
            return steps
        }
    }

    /// Whether the object was changed on the server after what the file was made from.
    private func isConflict(_ item: WorkspacePlan.Item) -> Bool {
        guard !options.overwrites, let server = item.server else { return false }
        if let version = item.file?.object.version, version != server.version { return true }
        guard let entry = pulled?[item.reference] else { return false }
        return entry.server != PulledState.digest(server.object)
    }

    private func unwanted(_ object: ServerObject) -> WorkspacePlan.Item {
        var item = WorkspacePlan.Item(
            reference: object.object.reference,
            action: .serverOnly,
            file: nil,
            server: object,
            wanted: nil
        )
        guard options.prunes else { return item }
        switch object.object.content {
        case .campaign:
            item.steps =
                CampaignSteps.steps(of: object.campaign, to: WrittenStatus(.archived), isSaved: false) ?? []
        case .segment: item.steps = [.archiveSegment(true)]
        // There is no archive for these, and whatever names one would break.
        case .contentBlock, .contentType, .settings: break
        }
        if !item.steps.isEmpty { item.action = .archive }
        return item
    }
}
