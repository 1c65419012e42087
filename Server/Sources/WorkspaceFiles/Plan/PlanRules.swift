import CardModel
import Liquid
import WireJSON

/// Holds what is to be written to the rules of the model, as the server will: what is wrong is known before anything is
/// written.
struct PlanRules {
    private let items: [WorkspacePlan.Item]
    private let broken: [BrokenFile]
    private let known: JSONObject
    private let now: UnixTime
    private let engine: TemplateEngine
    private let segments: [SegmentID: Audience]
    private let types: [ContentSchema]
    private let settings: Settings?

    /// Creates rules about the server as it will be.
    init(
        items: [WorkspacePlan.Item],
        broken: [BrokenFile],
        server: ServerState,
        filters: [LiquidFilter],
        now: UnixTime
    ) {
        self.items = items
        self.broken = broken
        known = server.objects[ObjectReference(.settings)]?.object.members ?? [:]
        self.now = now
        var future = server.objects.mapValues(\.object)
        for item in items { if let wanted = item.wanted { future[item.reference] = wanted } }
        var blocks: [ContentBlock] = []
        var segments: [SegmentID: Audience] = [:]
        var types: [ContentSchema] = []
        for (reference, object) in future {
            switch object.content {
            case .contentBlock(let block): blocks.append(block)
            case .segment(let content, _): segments[SegmentID(rawValue: reference.id.text)] = content.audience
            case .contentType(let schema): types.append(ContentSchema(json: schema))
            case .campaign, .settings: break
            }
        }
        // Who names what a broken file describes isn't wrong.
        for file in broken {
            guard let reference = file.reference else { continue }
            switch reference.kind {
            case .segment:
                segments[SegmentID(rawValue: reference.id.text)] = file.audience ?? .everyone
            case .contentBlock:
                let content = file.json["content"]?.string ?? ""
                blocks.removeAll { $0.name == reference.id.text }
                blocks.append(ContentBlock(name: reference.id.text, content: content, updatedAt: 0))
            case .campaign, .contentType, .settings: break
            }
        }
        self.segments = segments
        self.types = types
        settings = (future[ObjectReference(.settings)]?.members).flatMap { try? Settings(json: .object($0)) }
        engine = TemplateEngine(filters: filters, contentBlocks: blocks)
    }

    /// Everything that keeps the plan from being applied.
    var problems: [FileProblem] {
        items.filter { !$0.steps.isEmpty }.flatMap { item in
            item.file.map { $0.problems(errors(of: item)) } ?? []
        } + broken.flatMap { $0.problems(errors(in: $0)) }
    }

    /// Returns the errors in the parts of a file that can be read, beside what is known of the others.
    private func errors(in file: BrokenFile) -> [ModelError] {
        var errors: [ModelError] = []
        switch file.kind {
        case .settings: errors = SettingsCheck(known: known).errors(in: file.json.object ?? [:])
        case .contentType: break
        case .contentBlock: errors = templates(engine.problems(in: file.json["content"]?.string ?? "", at: "content"))
        case .segment:
            let id = file.reference.map { SegmentID(rawValue: $0.id.text) }
            errors = file.audience?.segmentErrors(in: segments, of: id) ?? []
        case .campaign:
            errors = templates(engine.problems(inCardsOf: file.json))
            errors += file.audience?.segmentErrors(in: segments) ?? []
        }
        return errors.filter { error in !file.errors.contains { $0.path == error.path } }
    }

    private func errors(of item: WorkspacePlan.Item) -> [ModelError] {
        switch item.wanted?.content {
        case .contentBlock(let block): return templates(engine.problems(in: block.content, at: "content"))
        case .segment(let content, _):
            let id = SegmentID(rawValue: item.reference.id.text)
            return caught { () throws(ModelError) in
                if item.server == nil { try ReservedID.check(id) }
                try content.audience.checkSegments(in: segments, of: id)
            } + content.audience.segmentErrors(in: segments, of: id).dropFirst()
        case .campaign(let content, _): return errors(of: item, content)
        case .contentType, .settings, nil: return []
        }
    }

    private func errors(of item: WorkspacePlan.Item, _ content: Campaign.Content) -> [ModelError] {
        var errors: [ModelError] = []
        if item.server == nil {
            errors += caught { () throws(ModelError) in try ReservedID.check(item.reference.id.text, at: "id") }
        }
        if item.steps.contains(.save) {
            errors += templates(engine.problems(in: content))
            errors += caught { () throws(ModelError) in try content.audience.checkSegments(in: segments) }
            errors += content.audience.segmentErrors(in: segments).dropFirst()
            if let settings {
                errors += caught { () throws(ModelError) in try content.checkSizes(limit: settings.cardSizeLimit) }
            }
            if let campaign = item.server?.campaign, campaign.status != .archived {
                errors += caught { () throws(ModelError) in _ = try campaign.updating(content, at: now) }
            }
        }
        if item.steps.contains(.transition(.launch)) {
            let found = content.checks(types: types, at: now).filter { $0.severity == .error }
            errors += found.map { ModelError(.fieldInvalid, at: $0.path, "\($0.message) (before a launch)") }
        }
        return errors
    }

    private func templates(_ problems: [TemplateProblem]) -> [ModelError] {
        problems.filter { problem in
            // Whether templates may ask hosts is a setting, which not every key may read.
            problem.code != "connected_content" || settings?.connectedContentHosts.isEmpty == true
        }.map { problem in
            let place = problem.line > 0 ? " (line \(problem.line), column \(problem.column) of the text)" : ""
            return ModelError(.fieldInvalid, at: problem.path, problem.message + place)
        }
    }

    private func caught(_ body: () throws(ModelError) -> Void) -> [ModelError] {
        do {
            try body()
            return []
        } catch {
            return [error]
        }
    }
}

extension BrokenFile {
    /// The audience, where it can be read.
    fileprivate var audience: Audience? { try? Audience(json: json["audience"] ?? .null) }
}
