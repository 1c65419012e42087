extension QueryParameters {
    /// The parameters of each route of the management API, as the document of the API has them.
    ///
    /// Devices and operations are answered whatever else their addresses have, and so are backends that were written
    /// for another server.
    static let documented: [APIRoute: QueryParameters] = {
        let operations = OpenAPIOperation.all.filter { operation in
            operation.tag != .device && operation.tag != .operations && operation.route.path.hasPrefix("/v1/")
        }
        let parameters = operations.map { ($0.route, QueryParameters(names: Set($0.query.map(\.name)))) }
        return Dictionary(parameters, uniquingKeysWith: { first, _ in first })
    }()
}
