import CardServer
import HTTPTypes
import Hummingbird

extension PageRoutes {
    /// Registers them all with a router, those of members behind the authorization.
    func add(to router: Router<AppContext>, of site: Site) {
        for entry in openEntries {
            router.on(RouterPath(entry.path), method: entry.method, use: entry.handler(site))
        }
        let authorization = PageAuthorization(site: site)
        for entry in entries {
            router.on(RouterPath(entry.path), method: entry.method) { request, context in
                entry.method == .get
                    ? try await authorization.page(request, context, entry.needs, entry.handler)
                    : try await authorization.send(request, context, entry.needs, entry.handler)
            }
        }
    }
}
