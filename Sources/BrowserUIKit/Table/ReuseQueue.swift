/// Keeps views that no place needs, for places to come.
@preconcurrency @MainActor
struct ReuseQueue<View, Place: Equatable> {
    private var waiting: [String: [(view: View, lastPlace: Place)]] = [:]

    var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

    /// Keeps a view by the identifier that it was made for; one without an identifier is not used again.
    mutating func put(_ view: View, as identifier: String?, from place: Place) {
        guard let identifier else { return }
        waiting[identifier, default: []].append((view, place))
    }

    /// Takes a view out: the one that showed the place before, if it waits, so that a reload changes little on the
    /// page.
    mutating func take(_ identifier: String, for place: Place?) -> View? {
        guard var views = waiting[identifier], !views.isEmpty else { return nil }
        let index = views.firstIndex { $0.lastPlace == place } ?? views.count - 1
        let view = views.remove(at: index).view
        waiting[identifier] = views
        return view
    }

    /// Removes views beyond what a fast scroll needs.
    mutating func trim(to limit: Int) {
        for (identifier, views) in waiting where views.count > limit {
            waiting[identifier] = Array(views.suffix(limit))
        }
    }
}
