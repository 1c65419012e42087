/// Says how a date picker looks; browsers show their own.
public enum UIDatePickerStyle: Int, Sendable {
    /// As the system thinks best.
    case automatic = 0
    /// Wheels.
    case wheels = 1
    /// A field that opens a calendar.
    case compact = 2
    /// A calendar.
    case inline = 3
}

/// Lets the user choose a date or a time.
open class UIDatePicker: UIControl {
    /// Says what is chosen.
    public enum Mode: Int, Sendable {
        /// A time of day.
        case time = 0
        /// A day.
        case date = 1
        /// A day and a time.
        case dateAndTime = 2
        /// The duration of something.
        case countDownTimer = 3
    }

    private var revision = 0
    /// The kind of value that is chosen.
    ///
    /// The default is a day and a time.
    open var datePickerMode = Mode.dateAndTime { didSet { setNeedsDisplay() } }
    /// The date.
    ///
    /// The default is the time at which the picker was made.
    open var date = Date() {
        didSet {
            revision += 1
            setNeedsDisplay()
        }
    }
    /// The earliest date; it doesn't count where it is later than the latest one.
    ///
    /// The default is none.
    open var minimumDate: Date? { didSet { setNeedsDisplay() } }
    /// The latest date.
    ///
    /// The default is none.
    open var maximumDate: Date? { didSet { setNeedsDisplay() } }
    /// The minutes between two choices: a part of an hour, at most 30; anything else counts as 1.
    ///
    /// The default is 1.
    open var minuteInterval = 1 { didSet { setNeedsDisplay() } }
    /// The duration of something, in seconds.
    ///
    /// The default is 60.
    open var countDownDuration: TimeInterval = 60 { didSet { setNeedsDisplay() } }
    /// The calendar that days belong to.
    ///
    /// The default is that of the user.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var calendar: Calendar! = .current { didSet { setNeedsDisplay() } }
    /// The time zone of what is shown; `nil`, the default, is that of the calendar.
    open var timeZone: TimeZone? { didSet { setNeedsDisplay() } }
    /// The language of what is shown; browsers show their own.
    ///
    /// The default is that of the user.
    open var locale: Locale?
    /// The preferred look of the picker; browsers show their own.
    ///
    /// The default is automatic.
    open var preferredDatePickerStyle = UIDatePickerStyle.automatic
    /// The look of the picker: a field that opens a calendar.
    open var datePickerStyle: UIDatePickerStyle { .compact }

    /// Creates a picker.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// Creates a picker from a storyboard, which browsers do not have.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Shows another date.
    open func setDate(_ date: Date, animated: Bool) {
        self.date = date
    }

    override var hasIntrinsicHeight: Bool { true }

    /// The limits that count: neither does where they exclude each other.
    private var limits: (earliest: Date?, latest: Date?) {
        if let minimumDate, let maximumDate, minimumDate > maximumDate { return (nil, nil) }
        return (minimumDate, maximumDate)
    }

    private var shownInterval: Int {
        (1...30).contains(minuteInterval) && 60 % minuteInterval == 0 ? minuteInterval : 1
    }

    // MARK: Texts of the page

    /// Writes and reads dates as HTML has them, which knows one calendar.
    private var days: Calendar {
        var days = Calendar(identifier: .gregorian)
        days.timeZone = timeZone ?? calendar?.timeZone ?? .current
        return days
    }

    private func text(of date: Date) -> String {
        let parts = days.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        let day = [Self.padded(parts.year, 4), Self.padded(parts.month, 2), Self.padded(parts.day, 2)]
            .joined(separator: "-")
        let time = "\(Self.padded(parts.hour, 2)):\(Self.padded(parts.minute, 2))"
        switch datePickerMode {
        case .date: return day
        case .time: return time
        case .dateAndTime: return "\(day)T\(time)"
        case .countDownTimer:
            let duration = countDownDuration.isFinite ? min(max(countDownDuration, 60), 86_340) : 60
            let minutes = Int(duration) / 60
            return "\(Self.padded(minutes / 60, 2)):\(Self.padded(minutes % 60, 2))"
        }
    }

    private static func padded(_ number: Int?, _ length: Int) -> String {
        let digits = String(number ?? 0)
        return String(repeating: "0", count: max(length - digits.count, 0)) + digits
    }

    /// Returns the numbers of a text such as `2026-11-27T09:30`; `nil` where they are too many or none.
    private static func numbers(in text: String, count: Int) -> [Int]? {
        let numbers = text.prefix(32).split(omittingEmptySubsequences: false) { "-T:".contains($0) }.prefix(count).map {
            Int($0)
        }
        guard numbers.count == count else { return nil }
        return numbers.allSatisfy { $0 != nil && (0...9_999).contains($0 ?? -1) } ? numbers.compactMap { $0 } : nil
    }

    private func date(from text: String) -> Date? {
        let isTime = datePickerMode == .time
        let count = isTime ? 2 : datePickerMode == .date ? 3 : 5
        guard let numbers = Self.numbers(in: text, count: count) else { return nil }
        var parts = days.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        if !isTime { (parts.year, parts.month, parts.day) = (numbers[0], numbers[1], numbers[2]) }
        if isTime { (parts.hour, parts.minute) = (numbers[0], numbers[1]) }
        if count == 5 { (parts.hour, parts.minute) = (numbers[3], numbers[4]) }
        return days.date(from: parts)  // plain: the parts are numbers of the Gregorian calendar, each below 10,000
    }

    // MARK: The page

    override func draw(_ node: inout Node, in drawing: Drawing) {
        node.tag = "input"
        node.add(class: "date-picker")
        let types: [Mode: String] = [.date: "date", .dateAndTime: "datetime-local"]
        node.attributes["type"] = types[datePickerMode] ?? "time"
        node.attributes["data-value"] = "\(revision):\(text(of: date))"
        if datePickerMode != .time, datePickerMode != .countDownTimer {
            if let earliest = limits.earliest { node.attributes["min"] = text(of: earliest) }
            if let latest = limits.latest { node.attributes["max"] = text(of: latest) }
        }
        if shownInterval > 1, datePickerMode != .date { node.attributes["step"] = String(shownInterval * 60) }
        if !isEnabled { node.attributes["disabled"] = "" }
        if let label = accessibilityLabel { node.attributes["aria-label"] = label }
    }

    override func handle(_ event: BrowserEvent) -> Bool {
        guard case .text(let text, _) = event.kind, isEnabled else { return false }
        // The page tells of a choice twice: when it is made, and when it is done.
        guard text != self.text(of: date) || datePickerMode == .countDownTimer else { return true }
        if datePickerMode == .countDownTimer { return takeDuration(text) }
        guard let chosen = date(from: text) else { return false }
        let most = limits.latest.map { min($0, chosen) } ?? chosen
        date = limits.earliest.map { max($0, most) } ?? most
        sendActions(for: [.valueChanged, .primaryActionTriggered])
        return true
    }

    private func takeDuration(_ text: String) -> Bool {
        guard let numbers = Self.numbers(in: text, count: 2), numbers[0] < 24, numbers[1] < 60 else { return false }
        let duration = TimeInterval(numbers[0]) * 3_600 + TimeInterval(numbers[1]) * 60
        guard duration != countDownDuration else { return true }
        countDownDuration = duration
        sendActions(for: [.valueChanged, .primaryActionTriggered])
        return true
    }
}
