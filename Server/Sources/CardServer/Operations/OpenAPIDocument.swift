import WireJSON
enum OpenAPIDocument { static let json: JSONValue = [:] }
