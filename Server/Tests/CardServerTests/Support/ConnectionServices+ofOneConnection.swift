@testable import CardServer

extension ConnectionServices {
    /// Services with room for one connection, and for no byte more than one that it leaves unread.
    static func ofOneConnection(_ metrics: ServerMetrics) -> ConnectionServices {
        ConnectionServices(
            table: ConnectionTable(total: 1, perAddress: 1),
            bodies: BodyBudget(total: 1, perAddress: 1),
            answers: BodyBudget(total: 1, perAddress: 1),
            times: ServerLimits().times,
            metrics: metrics,
            refusals: EarlyRefusals(metrics, nil),
            certificate: nil
        )
    }
}
