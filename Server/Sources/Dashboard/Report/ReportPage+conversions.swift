import WireJSON

extension ReportPage {
    /// The conversions of each variant.
    struct ConversionView {
        struct Cell {
            let users: String
            let rate: String
            let interval: String?
            let amounts: [String]
        }

        let name: String
        let cells: [Cell]

        static func list(_ report: JSONValue) -> [ConversionView] {
            let variants = report["variants"]?.array ?? []
            return (report["totals"]?["conversions"]?.array ?? []).map { conversion in
                ConversionView(
                    name: conversion["name"]?.string ?? "",
                    cells: variants.map { variant in
                        let all = variant["conversions"]?.array ?? []
                        return Cell(all.first { $0["id"] == conversion["id"] } ?? [:])
                    }
                )
            }
        }
    }
}

extension ReportPage.ConversionView.Cell {
    fileprivate init(_ json: JSONValue) {
        let (low, high) = (json["rate"]?["low"]?.double, json["rate"]?["high"]?.double)
        self.init(
            users: Wording.count(json["unique_conversions"]?.integer ?? 0),
            rate: json["rate"]?["rate"]?.double.map(Wording.percent) ?? "–",
            interval: low.flatMap { low in high.map { "\(Wording.percent(low)) to \(Wording.percent($0))" } },
            amounts: (json["amounts"]?.array ?? []).map {
                Wording.money($0["amount"]?.exact ?? 0, $0["currency"]?.string ?? "")
            }
        )
    }
}
