import WireJSON

extension ReportPage {
    /// How many users a template kept a card from, for one reason.
    struct Withheld {
        let variant: String
        let kind: String
        let reason: String
        let users: String

        private static let kinds = [
            "aborted": "Aborted by the template", "failed": "Rendering failed",
            "too_large": "Rendered card too large",
        ]

        // safe: three texts each
        /// The reasons over all days, the most frequent first.
        ///
        /// A template may say anything of a user when it aborts, so a member who isn't meant to know gets no such reason.
        static func list(_ report: JSONValue, _ names: [String: String], hidesPersonalData: Bool) -> [Withheld] {
            var sums: [[String]: Int64] = [:]
            for row in report["withheld"]?.array ?? [] {
                var place = ["variant_id", "kind", "reason"].map { row[$0]?.string ?? "" }
                if place[1] == "aborted", hidesPersonalData { place[2] = PersonalData.hidden }
                sums[place] = (sums[place] ?? 0).addingClamped(row["users"]?.integer ?? 0)
            }
            return sums.sorted { ($1.value, $0.key.joined()) < ($0.value, $1.key.joined()) }.map { place, users in
                Withheld(
                    variant: names[place[0]] ?? place[0],
                    kind: kinds[place[1]] ?? place[1],
                    reason: place[2],
                    users: Wording.count(users)
                )
            }
        }
    }
}
