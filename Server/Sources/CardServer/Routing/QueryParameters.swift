import CardModel
import Foundation
import Hummingbird

/// The parameters that the query of a route may have: a filter that is misspelt would leave nothing out.
struct QueryParameters: Sendable {
    /// Their names.
    let names: Set<String>

    /// Refuses a query with a parameter that the route doesn't have, or with one of them twice.
    ///
    /// - Throws: `RequestError` that names it.
    func check(_ request: Request) throws(RequestError) {
        var seen: Set<String> = []
        for parameter in request.uri.queryParameters where !parameter.key.isEmpty {
            let name = parameter.key.removingPercentEncoding ?? String(parameter.key)
            guard names.contains(name) else {
                let known = names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
                let message = "There is no such query parameter. Known here: \(known)."
                throw RequestError(ModelError(.fieldUnknown, at: String(name.prefix(64)), message))
            }
            guard seen.insert(name).inserted else {
                throw RequestError(ModelError(.fieldInvalid, at: name, "This query parameter is given twice."))
            }
        }
    }
}
