/// Says what of a scroll view the browser shows, in points.
struct ScrollReport: Decodable, Equatable {
    let offset: CGFloat
    let width: CGFloat
    let height: CGFloat
    let contentHeight: CGFloat
    /// The height of what lies above the rows.
    let headerHeight: CGFloat
    /// The measured heights of rows, by the ids of their cells.
    let rows: [String: CGFloat]
    /// The measured widths of rows whose width follows from their content, by the ids of their cells.
    let widths: [String: CGFloat]

    private enum CodingKeys: String, CodingKey {
        case offset = "y"
        case width = "w"
        case height = "h"
        case contentHeight = "c"
        case headerHeight = "a"
        case rows = "r"
        case widths = "b"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        offset = max(try Self.finite(fields, .offset), 0)
        width = try Self.finite(fields, .width)
        height = try Self.finite(fields, .height)
        contentHeight = try Self.finite(fields, .contentHeight)
        headerHeight = fields.contains(.headerHeight) ? max(try Self.finite(fields, .headerHeight), 0) : 0
        rows = try fields.decodeIfPresent([String: CGFloat].self, forKey: .rows) ?? [:]
        widths = try fields.decodeIfPresent([String: CGFloat].self, forKey: .widths) ?? [:]
    }

    init(offset: CGFloat, width: CGFloat, height: CGFloat, contentHeight: CGFloat = 0, rows: [String: CGFloat] = [:]) {
        self.offset = offset
        self.width = width
        self.height = height
        self.contentHeight = contentHeight
        headerHeight = 0
        self.rows = rows
        widths = [:]
    }

    /// A browser is not trusted: no length may bring the arithmetic of the table to grief.
    private static func finite(
        _ fields: KeyedDecodingContainer<CodingKeys>,
        _ key: CodingKeys
    ) throws -> CGFloat {
        let value = try fields.decode(CGFloat.self, forKey: key)
        return value.isFinite ? min(max(value, -10_000_000), 10_000_000) : 0
    }
}

/// Says that the user has begun to scroll, or that what was scrolled, by whomever, has come to rest.
enum ScrollPhase: String, Decodable {
    case began = "b"
    case ended = "e"
}

/// One thing that the user did in the browser.
struct BrowserEvent: Decodable, Equatable {
    enum Kind: Equatable {
        case tap
        case refresh
        case scroll(ScrollReport)
        case scrolling(ScrollPhase)
        /// Two fingers want a scale: they have just come down, have left, or move.
        case zoom(CGFloat, ScrollPhase?)
        case text(String, isFinal: Bool)
        case focus
        case returned(String)
        case loaded
        /// Keys were pressed that a command of the app is for.
        case key(String)
        case touch(TouchReport)
        case hold(TouchReport)
        case finger(FingerReport)
        /// The user has let go of a sheet, which reaches so far from the bottom, and goes up in points a second.
        case release(height: CGFloat, velocity: CGFloat)
        /// The user has moved a row, before or after another one, which is named by its element.
        case reorder(String, isAfter: Bool)

        /// Whether it is meant for what the user has seen: what has changed since is drawn before, so that cells that
        /// show something else by now are known under other names.
        var isMeant: Bool {
            switch self {
            case .tap, .hold, .reorder: true
            default: false
            }
        }
    }

    /// The view, and the part of it behind a dot.
    let target: String
    let kind: Kind
    /// The innermost element at the place of a touch, and that place in the target; none for keys and assistive
    /// devices.
    let touch: Touch?
    /// The number of taps that have followed one another; 0 for keys and assistive devices.
    let tapCount: Int

    struct Touch: Equatable {
        let element: String
        let point: CGPoint
    }

    init(_ target: String, _ kind: Kind, touch: Touch? = nil, tapCount: Int = 0) {
        self.target = target
        self.kind = kind
        self.touch = touch
        self.tapCount = tapCount
    }

    var viewID: String { String(target.prefix { $0 != "." }) }
    var part: String { String(target.drop { $0 != "." }.dropFirst()) }

    private enum CodingKeys: String, CodingKey {
        case target = "i"
        case kind = "k"
        case text = "t"
        case isFinal = "f"
        case element = "e"
        case tapCount = "n"
        case height = "h"
        case velocity = "v"
        case scale = "s"
        case x, y
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        target = try fields.decode(String.self, forKey: .target)
        touch = try Self.touch(in: fields)
        tapCount = try fields.decodeIfPresent(Int.self, forKey: .tapCount) ?? (touch == nil ? 0 : 1)
        switch try fields.decode(String.self, forKey: .kind) {
        case "tap": kind = .tap
        case "refresh": kind = .refresh
        case "scroll": kind = .scroll(try ScrollReport(from: decoder))
        case "scrolling": kind = .scrolling(try fields.decode(ScrollPhase.self, forKey: .text))
        case "text":
            let text = try fields.decode(String.self, forKey: .text)
            kind = .text(text, isFinal: try fields.decodeIfPresent(Bool.self, forKey: .isFinal) ?? false)
        case "touch": kind = .touch(try TouchReport(from: decoder))
        case "hold": kind = .hold(try TouchReport(from: decoder))
        case "finger": kind = .finger(try FingerReport(from: decoder))
        case "release":
            let height = TouchReport.bounded(try fields.decode(CGFloat.self, forKey: .height))
            let velocity = TouchReport.bounded(try fields.decode(CGFloat.self, forKey: .velocity))
            kind = .release(height: height, velocity: velocity)
        case "reorder":
            let other = try fields.decode(String.self, forKey: .text)
            kind = .reorder(other, isAfter: try fields.decodeIfPresent(Bool.self, forKey: .isFinal) ?? false)
        case "focus": kind = .focus
        case "return": kind = .returned(try fields.decode(String.self, forKey: .text))
        case "zoom":
            let scale = TouchReport.bounded(try fields.decode(CGFloat.self, forKey: .scale))
            kind = .zoom(scale, try fields.decodeIfPresent(ScrollPhase.self, forKey: .text))
        case "loaded": kind = .loaded
        case "key": kind = .key(try fields.decode(String.self, forKey: .text))
        case let name:
            throw DecodingError.dataCorruptedError(
                forKey: .kind,
                in: fields,
                debugDescription: "unknown event \(name)"
            )
        }
    }

    private static func touch(in fields: KeyedDecodingContainer<CodingKeys>) throws -> Touch? {
        guard let element = try fields.decodeIfPresent(String.self, forKey: .element) else { return nil }
        let x = try fields.decodeIfPresent(CGFloat.self, forKey: .x) ?? 0
        let y = try fields.decodeIfPresent(CGFloat.self, forKey: .y) ?? 0
        return Touch(element: element, point: CGPoint(x: x, y: y))
    }
}
