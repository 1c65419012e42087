/// The variables of one render, or of one template that `render` isolates.
///
/// Names are places in arrays.
struct Scope {
    /// Values of `assign` and `capture`.
    var assigned: [LiquidValue?]
    /// Values of loops and arguments, which hide the assigned ones while their block lasts.
    var shadowing: [LiquidValue?]
    /// Properties of the data that have been looked up.
    var resolved: [LiquidValue?]
    private(set) var names: [String]
    private var places: [ByteText: Int] = [:]
    private var placesOfTemplates: [ObjectIdentifier: [Int]] = [:]
    var counters: [ByteText: Int] = [:]
    var cycles: [ByteText: Int] = [:]
    var resumptions: [String: Int] = [:]
    var lastChange: [UInt8]?
    var loops: [LoopState] = []
    let isIsolated: Bool

    init(names: [String], isIsolated: Bool) {
        self.names = names
        self.isIsolated = isIsolated
        assigned = Array(repeating: nil, count: names.count)
        shadowing = assigned
        resolved = assigned
    }

    /// The place of a name, made when it is new.
    mutating func place(of name: String) -> Int {
        if places.isEmpty {
            for (place, name) in names.enumerated() { places[ByteText(name)] = place }
        }
        if let place = places[ByteText(name)] { return place }
        let place = names.count
        places[ByteText(name)] = place
        names.append(name)
        assigned.append(nil)
        shadowing.append(nil)
        resolved.append(nil)
        return place
    }

    /// The approximate number of bytes that a name takes with its values.
    static let bytesPerName = 96

    /// Whether the names of another template have been looked up.
    func knows(_ template: LiquidTemplate) -> Bool {
        placesOfTemplates[ObjectIdentifier(template)] != nil
    }

    /// Returns the places of another template's names in this scope.
    mutating func places(of template: LiquidTemplate) -> [Int] {
        let id = ObjectIdentifier(template)
        if let places = placesOfTemplates[id] { return places }
        let places = template.names.map { place(of: $0) }
        placesOfTemplates[id] = places
        return places
    }
}

/// The position of a loop.
struct LoopState {
    let name: String
    let length: Int
    var index = 0

    func value(of property: LoopProperty) -> LiquidValue {
        switch property {
        case .index: .int(index + 1)
        case .index0: .int(index)
        case .rindex: .int(length - index)
        case .rindex0: .int(length - index - 1)
        case .first: .bool(index == 0)
        case .last: .bool(index == length - 1)
        case .length: .int(length)
        }
    }
}

/// `forloop` as a value of its own, taken at one turn.
final class LoopSnapshot: LiquidObject {
    /// The approximate number of bytes that one takes.
    static let bytes = 80

    private let state: LoopState
    private let parent: LoopSnapshot?

    init?(_ loops: ArraySlice<LoopState>) {
        guard let state = loops.last else { return nil }
        self.state = state
        parent = LoopSnapshot(loops.dropLast())
    }

    subscript(key: String) -> LiquidValue? {
        if let property = LoopProperty(rawValue: key) { return state.value(of: property) }
        switch key {
        case "name": return .string(state.name)
        case "parentloop": return parent.map { .object($0) } ?? .null
        default: return nil
        }
    }
}
