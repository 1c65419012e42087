import CardModel
import CardServer
import WireJSON

/// The checks of a review: its schedule, reach and control group, then what the server refuses or warns of.
enum LaunchChecks {
    struct LaunchCheck {
        let text: String
        let kind: String
        let mark: String
        let isWrong: Bool
        /// The field of the editor that it is about.
        var link: String?
        /// The detail that a check is about beside its field, such as the address of an image.
        var detail: String?

        static func ok(_ text: String) -> LaunchCheck { LaunchCheck(text: text, kind: "ok", mark: "✓", isWrong: false) }

        static func note(_ text: String, at link: String? = nil, detail: String? = nil) -> LaunchCheck {
            LaunchCheck(text: text, kind: "note", mark: "!", isWrong: false, link: link, detail: detail)
        }

        static func wrong(_ text: String, at link: String? = nil) -> LaunchCheck {
            LaunchCheck(text: text, kind: "wrong", mark: "×", isWrong: true, link: link)
        }
    }

    static func list(
        _ campaign: Campaign,
        checks: [CampaignCheck],
        reach: Int64,
        at now: UnixTime,
        timeZone: String
    ) -> [LaunchCheck] {
        let draft = CampaignDraft(campaign: campaign.json, timeZone: timeZone)
        let fields = FieldIndex(EditorView(draft, .init()).entries)
        let editor = "/dashboard/campaigns/\(FormData.escape(part: campaign.id.rawValue))/edit"
        // A schedule that can't be says nothing of its start.
        let hasStart = !checks.contains { $0.severity == .error && $0.code.hasPrefix("schedule_") }
        let plan = plan(campaign, reach: reach, at: now, timeZone, editor)
        return (hasStart ? plan : Array(plan.dropFirst()))
            + checks.map { found(by: FieldProblem($0), in: campaign, fields, editor) }
    }

    private static func plan(
        _ campaign: Campaign,
        reach: Int64,
        at now: UnixTime,
        _ timeZone: String,
        _ editor: String
    ) -> [LaunchCheck] {
        let estimate = localized("Estimated reach: \(PageFormatter.counted(reach, .user)).")
        let hasControl = campaign.content.variants.contains(where: \.isControl)
        let schedule =
            campaign.status == .active
            ? ScheduleText(campaign, at: now, timeZone: timeZone)
            : ScheduleText(campaign.content.delivery, at: now, timeZone: timeZone)
        let plan: [LaunchCheck] = [
            .ok(schedule.start),
            reach > 0
                ? .ok(estimate)
                : .note(localized("\(estimate) New users can still enter the audience."), at: "\(editor)#audience"),
        ]
        guard hasControl else {
            let text = localized("No control group: the report can’t measure the lift of the card.")
            return plan + [.note(text, at: "\(editor)#variants")]
        }
        // What is found says that a control needs a conversion.
        guard !campaign.content.conversions.isEmpty else { return plan }
        return plan + [.ok(localized("The control group measures the lift of the card."))]
    }

    /// A check of the server, with the names of the variant, the language and the key that it is about.
    static func found(
        by check: FieldProblem,
        in campaign: Campaign,
        _ fields: FieldIndex,
        _ editor: String
    ) -> LaunchCheck {
        let subject = PageFormatter.list(
            [variant(at: check.path, in: campaign), language(at: check.path), key(at: check.path)].compactMap(\.self)
        )
        let text = subject.isEmpty ? check.message : PageFormatter.labeled(subject, check.message)
        let section = String(check.path.prefix { $0.isLetter })
        let field = fields[check.path]?.fieldID ?? (section.isEmpty ? nil : section)
        let link = field.map { "\(editor)#\($0)" }
        return check.isWarning
            ? .note(text, at: link, detail: image(check, in: campaign)) : .wrong(text, at: link)
    }

    /// The address of the image that a check is about.
    private static func image(_ check: FieldProblem, in campaign: Campaign) -> String? {
        guard check.code == "image_not_loaded", let card = card(at: check.path, in: campaign) else { return nil }
        return language(in: check.path).map { card.translations[$0]?.image } ?? card.image
    }

    private static func card(at path: String, in campaign: Campaign) -> CardTemplate? {
        let variants = campaign.content.variants
        // characters: an index of ours
        guard let match = path.prefixMatch(of: /variants\[([0-9]+)\]/), let index = Int(match.1) else { return nil }
        return variants.indices.contains(index) ? variants[index].card : nil
    }

    /// The tag of the language that a path leads through.
    private static func language(in path: String) -> String? {
        // characters: a language, which has letters alone
        path.prefixMatch(of: /variants\[[0-9]+\]\.card\.translations\.([A-Za-z0-9-]+)/).map { String($0.1) }
    }

    private static func language(at path: String) -> String? {
        language(in: path).map { LanguageNames.name($0) ?? $0 }
    }

    private static func variant(at path: String, in campaign: Campaign) -> String? {
        let variants = campaign.content.variants
        // characters: an index of ours
        guard let match = path.prefixMatch(of: /variants\[([0-9]+)\]/), let index = Int(match.1),
            variants.indices.contains(index), !variants[index].name.isEmpty
        else { return nil }
        return localized("“\(variants[index].name)”")
    }

    private static func key(at path: String) -> String? {
        path.firstMatch(of: /\.extras\.(.+)$/.matchingSemantics(.unicodeScalar)).map { localized("“\(String($0.1))”") }
    }
}
