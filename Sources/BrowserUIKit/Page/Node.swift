/// One element of the drawn page, without its identity.
struct Node: Equatable {
    var tag = "div"
    var attributes: [String: String] = [:]
    var style: [String: String] = [:]
    var text: String?
    var children: [String] = []

    mutating func add(class name: String) {
        attributes["class"] = attributes["class"].map { "\($0) \(name)" } ?? name
    }
}
