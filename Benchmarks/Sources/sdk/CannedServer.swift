import ContentCards
import Foundation

/// A server that always answers a sync with the same feed; with an empty one, no server at all.
struct CannedServer: Transport {
    static let endpoint: URL = {
        var components = URLComponents()
        components.scheme = "https"
        components.host = "cards.example"
        guard let url = components.url else { preconditionFailure("The address is not one") }
        return url
    }()

    let body: Data

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard !body.isEmpty else { throw TransportError.unreachable("a start without a network") }
        return TransportResponse(status: 200, body: body)
    }

    func open(_ request: TransportRequest) async throws -> TransportStream {
        throw TransportError.unreachable("no live stream here")
    }

    static func feed(of count: Int) -> Data {
        let cards = (0..<count).map { number in
            """
            {"id":"0190b2f0-5f3e-7cc1-8b1e-\(100_000_000_000 + number)","type":"captioned_image",\
            "title":"A card for everybody, number \(number)","description":"What a marketer writes: a sentence or two \
            that says what there is to gain today.","image":"https://images.example/a.jpg","image_aspect_ratio":1.33,\
            "domain":"shop.example","url":"https://shop.example/spring","open_url_in_web_view":false,\
            "extras":{"class_type":"home_tile","tile_id":"\(number)"},"pinned":false,"dismissible":true,"priority":0,\
            "created_at":\(1_790_000_000 + number),"expires_at":null,"viewed":false,"clicked":false,"dismissed":false,\
            "test":false,"campaign_id":"bench-\(number)","variant_id":"a"}
            """
        }
        return Data(
            """
            {"cursor":"c","replace":true,"cards":[\(cards.joined(separator: ","))],"removed":[],\
            "events":{"accepted":0,"duplicate":0,"rejected":[]},"refresh":{"burst":5,"seconds":180}}
            """.utf8
        )
    }
}
