import CardModel
import CardServer
import CardStore
import Hummingbird

extension KnownDevice {
    /// The cookie of a browser in which a member is signed in now, for an answer to a request of it.
    static func cookie(
        of member: TeamMember,
        _ request: Request,
        _ context: AppContext,
        at now: UnixTime
    ) -> Cookie {
        let value = cookie(adding: member, to: BrowserCookie.device.value(request, context), at: now)
        return BrowserCookie.device.cookie(value, context, maxAge: Int(lifetime))
    }
}
