/// One step of a touch, in the coordinates of the window.
struct TouchReport: Decodable, Equatable {
    enum Phase: String, Decodable {
        case moved, ended, cancelled
    }

    let phase: Phase
    let isFirst: Bool
    let start: CGPoint
    let point: CGPoint
    /// The places of views, told with the first step that a control follows.
    let origins: [String: CGPoint]

    private enum CodingKeys: String, CodingKey {
        case phase = "p"
        case isFirst = "b"
        case x, y
        case startX = "sx"
        case startY = "sy"
        case origins = "o"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func length(_ key: CodingKeys) throws -> CGFloat { Self.bounded(try fields.decode(CGFloat.self, forKey: key)) }
        phase = try fields.decode(Phase.self, forKey: .phase)
        isFirst = try fields.decodeIfPresent(Bool.self, forKey: .isFirst) ?? false
        start = CGPoint(x: try length(.startX), y: try length(.startY))
        point = CGPoint(x: try length(.x), y: try length(.y))
        origins = Self.places(try fields.decodeIfPresent([String: [CGFloat]].self, forKey: .origins) ?? [:])
    }

    /// Returns the places of views, without what is none.
    static func places(_ reported: [String: [CGFloat]]) -> [String: CGPoint] {
        reported.compactMapValues { place in
            guard place.count == 2 else { return nil }
            return CGPoint(x: bounded(place[0]), y: bounded(place[1]))
        }
    }

    /// A browser is not trusted: no page is as large.
    static func bounded(_ value: CGFloat) -> CGFloat {
        value.isFinite ? min(max(value, -100_000), 100_000) : 0
    }
}
