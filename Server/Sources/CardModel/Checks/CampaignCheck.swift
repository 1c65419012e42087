public import WireJSON

/// Something about a campaign that its author should know before it is launched.
public struct CampaignCheck: Sendable, Hashable {
    /// The severity of a finding.
    public enum Severity: String, Sendable, CaseIterable {
        /// Users would not get what is meant; a launch has to be forced.
        case error
        /// It may be meant.
        case warning
    }

    /// The code of the finding, a word that stays the same, such as `content_field_missing`.
    public var code: String
    /// The path of the field, such as `variants[0].card.extras.discount`; empty for the whole.
    public var path: String
    /// The severity of the finding.
    public var severity: Severity
    /// The message that says what is wrong and what to do.
    public var message: String

    /// Creates a check.
    public init(_ severity: Severity, _ code: String, at path: String, _ message: String) {
        self.code = code
        self.path = path
        self.severity = severity
        self.message = message
    }

    /// The check by its names on the wire.
    public var json: JSONValue {
        [
            "code": .string(code), "path": .string(path), "severity": .string(severity.rawValue),
            "message": .string(message),
        ]
    }
}

extension Campaign.Content {
    /// Everything that would be wrong at a launch, the errors first, given what the app's typed contents expect.
    ///
    /// - Parameters:
    ///   - types: What the apps published.
    ///   - now: The moment of the launch.
    ///   - quietHours: The hours in which nobody gets a new card, or `nil` for none.
    /// - Returns: What was found; a launch is refused for errors, and not for warnings.
    public func checks(
        types: [ContentSchema],
        at now: UnixTime,
        quietHours: QuietHours? = nil
    ) -> [CampaignCheck] {
        let all =
            scheduleChecks(at: now, quietHours: quietHours) + audienceChecks() + contentChecks(types)
            + imageChecks() + experimentChecks()
        return all.filter { $0.severity == .error } + all.filter { $0.severity == .warning }
    }

    /// Throws where a card that is the same for everybody has more bytes than a card may; what is rendered is measured
    /// then.
    ///
    /// - Throws: `ModelError` that names the card.
    public func checkSizes(limit: Int) throws(ModelError) {
        for (index, variant) in variants.enumerated() where variant.card?.isTemplate == false {
            guard let size = variant.card?.contentSize, size > limit else { continue }
            throw ModelError(
                .cardTooLarge,
                at: "variants[\(index)].card",
                "The card's texts, URLs and key-value pairs take \(size) bytes; \(limit) are possible."
            )
        }
    }

    private func imageChecks() -> [CampaignCheck] {
        variants.enumerated().compactMap { index, variant in
            guard let card = variant.card, card.image != nil, card.imageAlt == nil else { return nil }
            return CampaignCheck(
                .warning,
                "image_without_text",
                at: "variants[\(index)].card.image_alt",
                "Those who cannot see the image get no description of it."
            )
        }
    }

    private func contentChecks(_ types: [ContentSchema]) -> [CampaignCheck] {
        variants.enumerated().flatMap { index, variant in
            variant.card.map { ContentSchema.checks(of: $0.extras, by: types, at: "variants[\(index)].card.extras") }
                ?? []
        }
    }

    /// Returns the findings that make the comparison of variants mean less than it seems to.
    private func experimentChecks() -> [CampaignCheck] {
        var checks: [CampaignCheck] = []
        let showing = variants.filter { !$0.isControl && $0.weight > 0 }
        if variants.contains(where: \.isControl), conversions.isEmpty {
            checks.append(
                CampaignCheck(
                    .warning,
                    "control_without_conversion",
                    at: "conversions",
                    "A control cannot be clicked: without a conversion there is nothing to compare it by."
                )
            )
        }
        let places = Set(showing.compactMap(\.card).map { [$0.isPinned ? 1 : 0, $0.priority] })
        if places.count > 1 {
            checks.append(
                CampaignCheck(
                    .warning,
                    "variants_in_different_places",
                    at: "variants",
                    "The variants differ in pinning or priority, so they are not seen equally often: compare with care."
                )
            )
        }
        return checks
    }
}
