/// Stands for elements of a menu that are made when it opens.
open class UIDeferredMenuElement: UIMenuElement {
    private let provider: (@escaping ([UIMenuElement]) -> Void) -> Void
    private let isCached: Bool
    private var made: [UIMenuElement]?

    private init(isCached: Bool, provider: @escaping (@escaping ([UIMenuElement]) -> Void) -> Void) {
        self.provider = provider
        self.isCached = isCached
        super.init(title: "", image: nil)
    }

    /// Creates elements that are made once, when the menu first opens.
    public convenience init(_ elementProvider: @escaping (@escaping ([UIMenuElement]) -> Void) -> Void) {
        self.init(isCached: true, provider: elementProvider)
    }

    /// Returns elements that are made each time the menu opens.
    public class func uncached(
        _ elementProvider: @escaping (@escaping ([UIMenuElement]) -> Void) -> Void
    ) -> UIDeferredMenuElement { UIDeferredMenuElement(isCached: false, provider: elementProvider) }

    /// Calls back with the elements, once: what a provider says later is not heard.
    func make(_ body: @escaping ([UIMenuElement]) -> Void) {
        if let made { return body(made) }
        var isDone = false
        provider { [weak self] elements in
            guard !isDone else { return }
            isDone = true
            if self?.isCached == true { self?.made = elements }
            body(elements)
        }
    }
}
