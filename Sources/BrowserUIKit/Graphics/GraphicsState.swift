/// Says how what is filled is found.
public enum CGPathFillRule: Int, Sendable {
    /// The number of times that lines go round a place decides.
    case winding = 0
    /// The number of lines that are crossed on the way out decides.
    case evenOdd = 1
}

/// Says what of a path is drawn.
public enum CGPathDrawingMode: Int32, Sendable {
    /// The inside.
    case fill = 0
    /// The inside, found by the lines that are crossed on the way out.
    case eoFill = 1
    /// The lines.
    case stroke = 2
    /// The inside and the lines.
    case fillStroke = 3
    /// The inside, found by the lines that are crossed on the way out, and the lines.
    case eoFillStroke = 4
}

/// Says how what is drawn is mixed with what is below.
public enum CGBlendMode: Int32, Sendable {
    /// It covers that.
    case normal = 0
    /// Both colours are multiplied.
    case multiply = 1
    /// Both colours are multiplied as light.
    case screen = 2
    /// The lower one decides between multiplying and screening.
    case overlay = 3
    /// The darker one counts.
    case darken = 4
    /// The lighter one counts.
    case lighten = 5
    /// The lower one becomes lighter by the upper one.
    case colorDodge = 6
    /// The lower one becomes darker by the upper one.
    case colorBurn = 7
    /// The upper one shines gently.
    case softLight = 8
    /// The upper one shines brightly.
    case hardLight = 9
    /// The one is taken from the other.
    case difference = 10
    /// The one is taken from the other, with less contrast.
    case exclusion = 11
    /// The upper one gives the hue.
    case hue = 12
    /// The upper one gives the saturation.
    case saturation = 13
    /// The upper one gives hue and saturation.
    case color = 14
    /// The upper one gives the brightness.
    case luminosity = 15

    /// The name of the mode in style sheets.
    fileprivate var css: String {
        switch self {
        case .normal: "normal"
        case .multiply: "multiply"
        case .screen: "screen"
        case .overlay: "overlay"
        case .darken: "darken"
        case .lighten: "lighten"
        case .colorDodge: "color-dodge"
        case .colorBurn: "color-burn"
        case .softLight: "soft-light"
        case .hardLight: "hard-light"
        case .difference: "difference"
        case .exclusion: "exclusion"
        case .hue: "hue"
        case .saturation: "saturation"
        case .color: "color"
        case .luminosity: "luminosity"
        }
    }
}

/// Holds how a context draws, which can be saved and restored.
struct GraphicsState {
    var transform = CGAffineTransform.identity
    var fill = CGColor(srgbRed: 0, green: 0, blue: 0, alpha: 1)
    var stroke = CGColor(srgbRed: 0, green: 0, blue: 0, alpha: 1)
    var lineWidth: CGFloat = 1
    var cap = CGLineCap.butt
    var join = CGLineJoin.miter
    var miterLimit: CGFloat = 10
    var dash: (phase: CGFloat, lengths: [CGFloat]) = (0, [])
    var alpha: CGFloat = 1
    var blending = CGBlendMode.normal
    /// The name of the shape that all that is drawn is cut to.
    var clip: String?

    /// The attributes that an SVG gives anything that is drawn; what is cut is mixed with what is below by its group.
    var common: [String: String] {
        var names = clip == nil ? mixing : [:]
        if !transform.isIdentity { names["transform"] = transform.css }
        if alpha < 1 { names["opacity"] = CSS.number(max(alpha, 0)) }
        return names
    }

    /// The attributes that an SVG gives what is mixed with what is below: a group is mixed as a whole.
    var mixing: [String: String] { blending == .normal ? [:] : ["style": "mix-blend-mode:\(blending.css)"] }

    /// The attributes that an SVG gives lines.
    var lines: [String: String] {
        var names = ["stroke": stroke.css, "stroke-width": CSS.number(lineWidth)]
        if cap != .butt { names["stroke-linecap"] = cap == .round ? "round" : "square" }
        if join != .miter { names["stroke-linejoin"] = join == .round ? "round" : "bevel" }
        if join == .miter { names["stroke-miterlimit"] = CSS.number(max(miterLimit, 1)) }
        if !dash.lengths.isEmpty {
            names["stroke-dasharray"] = dash.lengths.map(CSS.number).joined(separator: " ")
            names["stroke-dashoffset"] = CSS.number(dash.phase)
        }
        return names
    }
}

/// Writes parts of an SVG.
enum SVG {
    /// Returns an element; names are sorted, so that the same drawing has the same bytes.
    static func element(_ tag: String, _ attributes: [String: String], _ content: String = "") -> String {
        let text = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\(escape($0.value))\"" }.joined()
        return content.isEmpty ? "<\(tag)\(text)/>" : "<\(tag)\(text)>\(content)</\(tag)>"
    }

    /// Returns a text without what would end it, and without characters that XML does not have.
    static func escape(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n", "\t", "\r": escaped.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }

    static func frame(_ rect: CGRect) -> [String: String] {
        [
            "x": CSS.number(rect.minX), "y": CSS.number(rect.minY), "width": CSS.number(rect.width),
            "height": CSS.number(rect.height),
        ]
    }
}
