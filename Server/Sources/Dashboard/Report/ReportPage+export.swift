import CardServer
import HTTPTypes
import Hummingbird
import NIOCore
import WireJSON

extension ReportPage {
    @Sendable static func export(_ visit: Visit) async throws -> Response {
        let json = try await visit.read("\(try CampaignPages.path(visit))/report")
        let columns = [
            "day", "variant_id", "delivered", "impressions", "unique_impressions", "clicks", "unique_clicks",
            "dismissals", "decode_errors",
        ]
        let rows = (json["days"]?.array ?? []).map { row in
            columns.map { name in
                let value = row[name] ?? .null
                return value.string.map(CSVField.text) ?? CSVField.literal(value.fieldText)
            }.joined(separator: ",")
        }
        let text = ([columns.joined(separator: ",")] + rows).joined(separator: "\r\n") + "\r\n"
        let id = try visit.parameter("id").filter { $0.isLetter || $0.isNumber || "-_".contains($0) }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8",
                .contentDisposition: "attachment; filename=\"\(id).csv\"",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
