/// Says where a finger is, in the coordinates of the window, and that it has come down, moved or left.
struct FingerReport: Decodable, Equatable {
    enum Phase: String, Decodable {
        case began, moved, ended, cancelled
    }

    let phase: Phase
    let point: CGPoint
    /// The places of views: of the one that the finger came down on, and of those that it is in.
    let origins: [String: CGPoint]
    /// The kind of pointer, as browsers name it.
    let pointer: String

    private enum CodingKeys: String, CodingKey {
        case phase = "p"
        case x, y
        case origins = "o"
        case pointer = "w"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        phase = try fields.decode(Phase.self, forKey: .phase)
        let (x, y) = (try fields.decode(CGFloat.self, forKey: .x), try fields.decode(CGFloat.self, forKey: .y))
        point = CGPoint(x: TouchReport.bounded(x), y: TouchReport.bounded(y))
        pointer = try fields.decodeIfPresent(String.self, forKey: .pointer) ?? "touch"
        origins = TouchReport.places(try fields.decodeIfPresent([String: [CGFloat]].self, forKey: .origins) ?? [:])
    }
}
