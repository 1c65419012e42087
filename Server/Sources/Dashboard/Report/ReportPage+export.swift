import CardModel
import CardServer
import HTTPTypes
import Hummingbird
import NIOCore

extension ReportPage {
    @Sendable static func export(_ context: PageContext) async throws -> Response {
        let (report, counts) = try await report(context)
        let columns: [(name: String, count: KeyPath<CampaignCounts, Int64>)] = [
            ("delivered", \.delivered), ("impressions", \.impressions), ("unique_impressions", \.uniqueImpressions),
            ("clicks", \.clicks), ("unique_clicks", \.uniqueClicks), ("dismissals", \.dismissals),
            ("decode_errors", \.decodeErrors),
        ]
        let rows = counts.sorted { $0.key < $1.key }.flatMap { day, variants in
            variants.sorted { $0.key.rawValue < $1.key.rawValue }.map { variant, counts in
                let texts = [CSVField.text(day.description), CSVField.text(variant.rawValue)]
                let numbers = columns.map { CSVField.literal(String(counts[keyPath: $0.count])) }
                return (texts + numbers).joined(separator: ",")
            }
        }
        let head = (["day", "variant_id"] + columns.map(\.name)).joined(separator: ",")
        let text = ([head] + rows).joined(separator: "\r\n") + "\r\n"
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8",
                .contentDisposition: "attachment; filename=\"\(fileName(of: report.campaign.id))\"",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// Returns the name of the file: the letters, digits, `-` and `_` of the campaign's ID.
    ///
    /// Scalar by scalar: a quotation mark behind a letter such as U+0D4E is a part of that letter to Swift, and would
    /// end the name.
    static func fileName(of campaign: CampaignID) -> String {
        let scalars: String.UnicodeScalarView = campaign.rawValue.unicodeScalars.filter { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-" || scalar == "_"
        }
        return scalars.isEmpty ? "report.csv" : "\(String(scalars)).csv"
    }
}
