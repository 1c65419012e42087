import CardModel
import Liquid
import OrderedCollections
import WireJSON
import WorkspaceFiles

/// Takes the documents of an export, and turns them into the objects of a workspace.
struct WorkspaceReading {
    /// An object, and what a report says of it.
    struct Result {
        let object: WorkspaceObject
        let source: ExportedObject
        let remarks: [String]
    }

    /// The maximum number of objects of a kind.
    private static let maximumObjects: [ExportedKind: Int] = [
        .campaign: 10_000, .segment: 10_000, .contentBlock: 2_000,
    ]

    private var objects: [ExportedKind: [ExportedObject]] = [:]
    private var listed: [ExportedKind: [ExportedObject]] = [:]

    /// Creates a reading of nothing.
    init() {}

    /// Takes a document, which may have many.
    ///
    /// - Parameters:
    ///   - json: The document.
    ///   - source: The file, and the line of one that has many.
    ///   - fileName: The file's name, which may be an id.
    ///   - report: Notes what is left out.
    /// - Returns: The users in it.
    mutating func take(
        _ json: JSONValue,
        source: String,
        fileName: String,
        _ report: inout ImportReport
    ) -> [JSONObject] {
        var users: [JSONObject] = []
        switch ExportDocument(json) {
        case .several(let elements):
            for element in elements {
                if case .several = ExportDocument(element) {
                    report.omit(source, "An array in an array isn't looked at.")
                } else {
                    users += take(element, source: source, fileName: "", &report)
                }
            }
        case .campaign(let members): add(.campaign, members, source, fileName, &report)
        case .segment(let members): add(.segment, members, source, fileName, &report)
        case .contentBlock(let members): add(.contentBlock, members, source, fileName, &report)
        case .user(let members): users.append(members)
        case .list(let kind, let elements):
            // safe: no more than a file has
            let free = max(0, (Self.maximumObjects[kind] ?? 0) - (listed[kind]?.count ?? 0))
            listed[kind, default: []] += elements.prefix(free).compactMap(\.object)
                .map { ExportedObject(kind, $0, source: source, fileName: "") }
        case .other(let what): report.omit(source, "This is \(what).")
        }
        return users
    }

    private mutating func add(
        _ kind: ExportedKind,
        _ members: JSONObject,
        _ source: String,
        _ fileName: String,
        _ report: inout ImportReport
    ) {
        guard objects[kind]?.count ?? 0 < Self.maximumObjects[kind] ?? 0 else {
            return report.omit(source, "There are more objects of its kind (\(kind.rawValue)) than are taken over.")
        }
        objects[kind, default: []].append(ExportedObject(kind, members, source: source, fileName: fileName))
    }

    // MARK: What there is

    /// Turns what was taken into objects of a workspace.
    ///
    /// - Parameters:
    ///   - includesArchived: Whether campaigns that are archived are taken over, too.
    ///   - filters: The filters of templates beyond those of the dialect.
    ///   - report: Notes what is left out.
    /// - Returns: The objects, those that others name first.
    mutating func finish(includesArchived: Bool, filters: [LiquidFilter], _ report: inout ImportReport) -> [Result] {
        for kind in ExportedKind.allCases { identify(kind, &report) }
        var blocks = BlockReading()
        for object in objects[.contentBlock] ?? [] {
            do throws(ModelError) {
                try blocks.take(object)
            } catch {
                report.omit(object.source, "The content block “\(object.name)” can't be kept: \(error.message)")
            }
        }
        blocks.withholdTemplates(filters: filters)
        let engine = TemplateEngine(filters: filters, contentBlocks: blocks.contents)
        let results = blocks.blocks.map { block in
            let reference = ObjectReference(.contentBlock, block.block.name)
            return Result(
                object: WorkspaceObject(reference, .contentBlock(block.block)),
                source: block.object,
                remarks: block.remarks
            )
        }
        return results + segments(&report) + campaigns(includesArchived, engine, &report)
    }

    /// Finds which objects are the same, and which ids the lists tell; what only a list has is noted.
    private mutating func identify(_ kind: ExportedKind, _ report: inout ImportReport) {
        let named = Dictionary(
            grouping: (listed[kind] ?? []).filter { $0.originalID != nil },
            by: { ByteString($0.name) }
        )
        var latest: OrderedDictionary<ByteString, ExportedObject> = [:]
        for (index, var object) in (objects[kind] ?? []).enumerated() {
            if object.originalID == nil, let same = named[ByteString(object.name)], same.count == 1 {
                object.originalID = same[0].originalID
            }
            // Templates name blocks by their names, so two of one name are one.
            let identity = kind == .contentBlock ? object.name : object.originalID ?? "\(index)"
            guard let other = latest[ByteString(identity)] else {
                latest[ByteString(identity)] = object
                continue
            }
            let isNewer = other.lastEdited.precedesInBytes(object.lastEdited)
            let (kept, left) = isNewer ? (object, other) : (other, object)
            latest[ByteString(identity)] = kept
            if kept.members != left.members {
                let what = "The \(kind.rawValue) “\(left.name)”"
                report.omit(left.source, "\(what) is in \(kept.source), too, which was taken.")
            }
        }
        objects[kind] = Array(latest.values)
        noteListed(kind, &report)
    }

    private mutating func noteListed(_ kind: ExportedKind, _ report: inout ImportReport) {
        let taken = objects[kind] ?? []
        let ids = Set(taken.compactMap(\.originalID))
        let names = Set(taken.map { ByteString($0.name) })
        // Of several with one name, each is fetched by its own ID.
        let unidentified = Set(taken.filter { $0.originalID == nil }.map { ByteString($0.name) })
        for object in listed[kind] ?? [] {
            if object.originalID.map(ids.contains) ?? false { continue }
            let isNameEnough = kind == .contentBlock || object.originalID == nil
            if (isNameEnough ? names : unidentified).contains(ByteString(object.name)) { continue }
            let what = "The \(kind.rawValue) “\(object.name)”"
            report.omit(object.source, "\(what) is only in a list: fetch its details (\(object.originalID ?? "")).")
        }
    }

    private func segments(_ report: inout ImportReport) -> [Result] {
        var ids = NewIDs()
        var results: [Result] = []
        for object in objects[.segment] ?? [] {
            let id = ids.id(for: object.name, or: "segment")
            let tags = LimitedText.tags(object.members["tags"])
            let filters = (object.members["description"] ?? object.members["text_description"])?.string ?? ""
            let json: JSONValue = [
                "id": .string(id), "name": .string(LimitedText.of(object.name)),
                "description": .string(LimitedText.of(filters, maximumCharacters: 1_000)),
                "tags": .array(tags.kept.map(JSONValue.string)), "audience": ["any": []],
            ]
            var remarks = ["Its filters are in the export as words alone. It matches no one: write its audience."]
            if !filters.isEmpty { remarks.append("Its filters were: \(filters)") }
            if tags.left > 0 { remarks.append("\(tags.left) of its tags can't be kept and were left out.") }
            append(.segment, json, object, remarks, to: &results, &report)
        }
        return results
    }

    private func campaigns(_ all: Bool, _ engine: TemplateEngine, _ report: inout ImportReport) -> [Result] {
        var ids = NewIDs()
        var results: [Result] = []
        for object in objects[.campaign] ?? [] {
            let isArchived = object.members["archived"]?.bool == true
            if isArchived, !all {
                report.omit(object.source, "The campaign “\(object.name)” is archived (--archived takes it over).")
                continue
            }
            guard var reading = CampaignReading(object.members, engine) else {
                let channels = (object.members["channels"]?.array ?? []).compactMap(\.string).joined(separator: ", ")
                report.omit(object.source, "The campaign “\(object.name)” has no content card (\(channels)).")
                continue
            }
            let id = Self.id(of: object, reading, &ids)
            reading.setName(object.name.isEmpty ? id : LimitedText.of(object.name))
            var json = reading.content
            json["id"] = .string(id)
            append(.campaign, .object(json), object, reading.remarks, to: &results, &report)
        }
        return results
    }

    /// A campaign that backends send keeps its id, so that they go on naming it.
    private static func id(of object: ExportedObject, _ reading: CampaignReading, _ ids: inout NewIDs) -> String {
        if reading.isTriggeredByAPI, let id = object.originalID, CampaignID(checking: id) != nil, ids.take(id) {
            return id
        }
        return ids.id(for: object.name, or: "campaign")
    }

    private func append(
        _ kind: ObjectKind,
        _ json: JSONValue,
        _ source: ExportedObject,
        _ remarks: [String],
        to results: inout [Result],
        _ report: inout ImportReport
    ) {
        do throws(ObjectError) {
            let object = try WorkspaceObject(kind, json: json)
            if case .campaign(let content, _) = object.content { try ObjectError.checkSizes(of: content) }
            results.append(Result(object: object, source: source, remarks: remarks))
        } catch {
            let reasons = error.errors.map(\.description).joined(separator: " ")
            report.omit(source.source, "“\(source.name)” can't be kept: \(reasons)")
        }
    }
}

extension ObjectError {
    /// Refuses a campaign with a card that is larger than a server takes by default.
    fileprivate static func checkSizes(of content: Campaign.Content) throws(ObjectError) {
        do throws(ModelError) {
            try content.checkSizes(limit: Settings().cardSizeLimit)
        } catch {
            throw ObjectError([error])
        }
    }
}

extension ExportedObject {
    /// The time at which it was last changed: ISO 8601, whose texts are in the order of the times.
    fileprivate var lastEdited: String { (members["updated_at"] ?? members["last_edited"])?.string ?? "" }
}
