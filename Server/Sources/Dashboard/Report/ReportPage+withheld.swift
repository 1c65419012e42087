import CardModel
import WireJSON

extension ReportPage {
    /// The number of users without a card because of a template, for one reason.
    struct Withheld {
        let variant: String
        let kind: String
        let reason: String
        let users: String

        private struct Cause: Hashable {
            let variant: VariantID
            let kind: TemplateFailure.FailureKind
            let reason: ByteString

            var text: String { "\(variant.rawValue)\(kind.rawValue)\(reason.text)" }
        }

        /// The reasons over all days, the most frequent first.
        ///
        /// A template may say anything of a user when it aborts, so a member who isn't meant to know gets no such
        /// reason.
        static func list(_ report: CampaignReport, hidesPersonalData: Bool) -> [Withheld] {
            var sums: [Cause: Int64] = [:]
            for row in report.withheld {
                let isHidden = row.kind == .aborted && hidesPersonalData
                let reason = ByteString(isHidden ? PersonalData.hidden : row.reason)
                let cause = Cause(variant: row.variant, kind: row.kind, reason: reason)
                sums[cause] = sums[cause, default: 0].addingClamped(row.users)
            }
            return sums.sorted { ($1.value, $0.key.text) < ($0.value, $1.key.text) }.map { cause, users in
                Withheld(
                    variant: report.campaign.content.variantName(cause.variant),
                    kind: name(of: cause.kind),
                    reason: cause.reason.text,
                    users: PageFormatter.count(users)
                )
            }
        }

        private static func name(of kind: TemplateFailure.FailureKind) -> String {
            switch kind {
            case .aborted: localized("Aborted by the template")
            case .failed: localized("Rendering failed")
            case .tooLarge: localized("Rendered card too large")
            }
        }
    }
}
