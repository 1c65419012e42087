import CardModel
import Hummingbird
import WireJSON

/// `POST /v1/preview`: what a user would see of a card that need not exist.
struct PreviewController: Sendable {
    let service: PreviewService

    @Sendable func preview(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        switch try await service.preview(try await request.readJSON(), by: caller) {
        case .success(let card): return Response(json: ["card": card, "withheld": .null])
        case .failure(let failure):
            return Response(
                json: [
                    "card": .null,
                    "withheld": [
                        "code": .string(failure.code), "field": .string(failure.field),
                        "detail": .string(failure.reason), "message": .string(failure.sentence),
                    ],
                ]
            )
        }
    }
}
