/// Keeps what is typed in line with the page: which of the two knows the newer text, and where the cursor is.
struct TypingState {
    private(set) var text: String?
    private var revision = 0
    private var requests = 0
    /// The request to the page about the cursor, if there is one.
    private(set) var focusRequest: String?
    /// Whether what is typed comes here.
    ///
    /// Once it doesn't any more, the cursor isn't asked for either: a new element of the same view would take it again.
    var isActive = false {
        didSet { if !isActive, focusRequest?.hasSuffix(":1") == true { focusRequest = nil } }
    }

    /// The text, with a number that is another one when the app has set it.
    var value: String { "\(revision):\(text ?? "")" }

    /// Takes a text of the app's.
    mutating func set(_ text: String?) {
        self.text = text
        revision += 1
    }

    /// Takes what the user typed.
    mutating func take(_ text: String) {
        self.text = text
    }

    /// Makes the page show again what the app has.
    mutating func refuse() {
        revision += 1
    }

    /// Asks the page to put the cursor here, or to take it away.
    mutating func requestFocus(_ isWanted: Bool) {
        requests += 1
        focusRequest = "\(requests):\(isWanted ? 1 : 0)"
    }

    /// Returns which part of the text another one exchanges, in UTF-16 units, and what takes its place.
    func change(to new: String) -> (range: NSRange, text: String) {
        let old = text ?? ""
        let start = old.commonPrefix(with: new)
        let (oldRest, newRest) = (old.dropFirst(start.count), new.dropFirst(start.count))
        let end = min(String(oldRest.reversed()).commonPrefix(with: String(newRest.reversed())).count, newRest.count)
        let range = NSRange(location: start.utf16.count, length: oldRest.dropLast(end).utf16.count)
        return (range, String(newRest.dropLast(end)))
    }
}

/// A view that is typed into.
@preconcurrency @MainActor
protocol TypedInto: UIView {
    /// Ends the typing without asking anybody.
    func endFocus()
}
