import WireJSON

/// The part of a form that sets the traffic beside the weights of its variants.
struct TrafficForm: Sendable {
    /// The value of the form's hidden field where the weights are per cents.
    static let percent = "percent"

    /// Whether the form has called the weights per cents, so that they have to add up to 100.
    var isPercent = false
    /// The share that was typed for a control group, which a button adds.
    var controlShare = ""

    /// The share of a control group in per cent, which is the usual one where none was typed; `nil` for what can't be
    /// one.
    var controlPercent: Int? {
        guard !controlShare.isEmpty else { return TrafficSplit.usualControl }
        return Int(TypedNumber.ascii(controlShare)).flatMap { (1...99).contains($0) ? $0 : nil }
    }

    init() {}

    init(_ form: FormData) {
        isPercent = form[.split] == Self.percent
        controlShare = form.trimmed(.controlShare)
    }
}

extension CampaignDraft {
    /// The place of the share of a control group that isn't added yet.
    static let controlSharePath = FormField.controlShare.rawValue

    /// Whether the weights are shown as per cents, and have to add up to 100.
    var isSplitInPercent: Bool {
        traffic.isPercent || variants.reduce(0) { $0 + TrafficSplit.weight(of: $1) } == 100
    }

    /// The problems that keep the traffic from being split as the form says.
    var trafficProblems: [FieldProblem] { splitProblems + controlProblems }

    /// Per cents that don't add up to 100: as weights they would all mean something else.
    private var splitProblems: [FieldProblem] {
        let weights = variants.map { TypedNumber.weight(of: $0) ?? -1 }
        // What is no weight at all is refused where it is.
        guard traffic.isPercent, !weights.isEmpty, weights.allSatisfy({ $0 >= 0 }) else { return [] }
        let total = weights.reduce(Int64(0)) { $0.addingClamped($1) }
        guard total != 100 else { return [] }
        let message = localized("The traffic split adds up to \(PageFormatter.count(total))%. Change it to 100%.")
        return [FieldProblem(path: "variants[0].weight", code: "split_not_whole", message: message, isWarning: false)]
    }

    /// A share that was typed, and a control group that isn't there.
    private var controlProblems: [FieldProblem] {
        guard !traffic.controlShare.isEmpty, !variants.contains(where: { $0.isOn(.control) }) else { return [] }
        if traffic.controlPercent == nil { return [Self.controlShareProblem] }
        let message = localized("There is no control group yet. Press “Add control group”, or clear this field.")
        return [
            FieldProblem(path: Self.controlSharePath, code: "control_not_added", message: message, isWarning: false)
        ]
    }

    /// The problem of a share that no control group can have.
    static var controlShareProblem: FieldProblem {
        let message = localized("Enter a whole number from 1 to 99.")
        return FieldProblem(path: controlSharePath, code: "control_share_invalid", message: message, isWarning: false)
    }
}
