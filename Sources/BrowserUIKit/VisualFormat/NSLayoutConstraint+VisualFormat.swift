extension NSLayoutConstraint {
    /// Says how a format is understood: in which direction it goes, and what is the same for all views.
    public struct FormatOptions: OptionSet, Sendable {
        /// One bit a side, two for the direction and one for the room.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// All views have the same left edge.
        public static let alignAllLeft = FormatOptions(rawValue: 1 << 1)
        /// All views have the same right edge.
        public static let alignAllRight = FormatOptions(rawValue: 1 << 2)
        /// All views have the same upper edge.
        public static let alignAllTop = FormatOptions(rawValue: 1 << 3)
        /// All views have the same lower edge.
        public static let alignAllBottom = FormatOptions(rawValue: 1 << 4)
        /// All views begin at the same place.
        public static let alignAllLeading = FormatOptions(rawValue: 1 << 5)
        /// All views end at the same place.
        public static let alignAllTrailing = FormatOptions(rawValue: 1 << 6)
        /// All views have the same middle from side to side.
        public static let alignAllCenterX = FormatOptions(rawValue: 1 << 9)
        /// All views have the same middle from top to bottom.
        public static let alignAllCenterY = FormatOptions(rawValue: 1 << 10)
        /// The last lines of all views stand on the same line.
        public static let alignAllLastBaseline = FormatOptions(rawValue: 1 << 11)
        /// The first lines of all views stand on the same line.
        public static let alignAllFirstBaseline = FormatOptions(rawValue: 1 << 12)
        /// The bits of what is the same for all views.
        public static let alignmentMask = FormatOptions(rawValue: 0xFFFF)
        /// The format goes the way in which text runs.
        public static let directionLeadingToTrailing = FormatOptions([])
        /// The format goes from the left to the right.
        public static let directionLeftToRight = FormatOptions(rawValue: 1 << 16)
        /// The format goes from the right to the left.
        public static let directionRightToLeft = FormatOptions(rawValue: 2 << 16)
        /// The bits of the direction.
        public static let directionMask = FormatOptions(rawValue: 3 << 16)

        /// The sides that are the same, and whether they lie across a row of views.
        fileprivate static let sides: [(option: FormatOptions, side: Attribute, fitsRow: Bool)] = [
            (.alignAllLeft, .left, false), (.alignAllRight, .right, false), (.alignAllTop, .top, true),
            (.alignAllBottom, .bottom, true), (.alignAllLeading, .leading, false),
            (.alignAllTrailing, .trailing, false), (.alignAllCenterX, .centerX, false),
            (.alignAllCenterY, .centerY, true), (.alignAllLastBaseline, .lastBaseline, true),
            (.alignAllFirstBaseline, .firstBaseline, true),
        ]
    }

    /// Returns the constraints that a format says, such as `H:|-[label(>=80)]-12-[button]-|`; none holds yet.
    ///
    /// Room without a number is 8 points between views, and the margins of the superview beside it. The app ends where
    /// the format can't be read, or names what isn't given.
    public static func constraints(
        withVisualFormat format: String,
        options opts: FormatOptions = [],
        metrics: [String: Any]?,
        views: [String: Any]
    ) -> [NSLayoutConstraint] {
        do throws(VisualFormatError) {
            return try VisualConstraints(format, opts, metrics: metrics ?? [:], views: views).all()
        } catch {
            // safe: an app with such a format is wrong, and ends on iOS too
            preconditionFailure(error.description)
        }
    }
}

/// Turns a format into constraints.
@MainActor
struct VisualConstraints {
    private typealias Attribute = NSLayoutConstraint.Attribute

    private let format: VisualFormat
    private let text: String
    private let options: NSLayoutConstraint.FormatOptions
    private let metrics: [String: Any]
    private let views: [String: Any]

    init(
        _ text: String,
        _ options: NSLayoutConstraint.FormatOptions,
        metrics: [String: Any],
        views: [String: Any]
    ) throws(VisualFormatError) {
        format = try VisualFormatParser.parse(text)
        (self.text, self.options, self.metrics, self.views) = (text, options, metrics, views)
    }

    func all() throws(VisualFormatError) -> [NSLayoutConstraint] {
        var items: [AnyObject] = []
        for view in format.views { items.append(try item(named: view.name)) }
        var found = try lengths(of: items)
        if let leading = format.leading {
            found += try gaps(leading, from: try superview(of: items[0]), isOuter: true, to: items[0], isInner: false)
        }
        for (index, connection) in format.connections.enumerated() {
            found += try gaps(connection, from: items[index], isOuter: false, to: items[index + 1], isInner: false)
        }
        if let trailing = format.trailing, let last = items.last {
            found += try gaps(trailing, from: last, isOuter: false, to: try superview(of: last), isInner: true)
        }
        return try found + alignments(of: items)
    }

    // MARK: Room

    /// Returns the constraints for the room between two items, either of which may be the superview.
    private func gaps(
        _ connection: VisualFormat.Connection,
        from first: AnyObject,
        isOuter: Bool,
        to second: AnyObject,
        isInner: Bool
    ) throws(VisualFormatError) -> [NSLayoutConstraint] {
        var (first, second) = (first, second)
        let predicates: [VisualFormat.Predicate]
        switch connection {
        case .none: predicates = [VisualFormat.Predicate(value: .number(0))]
        case .standard:
            predicates = [VisualFormat.Predicate(value: .number(isOuter || isInner ? 0 : 8))]
            if isOuter, let view = first as? UIView { first = view.layoutMarginsGuide }
            if isInner, let view = second as? UIView { second = view.layoutMarginsGuide }
        case .room(let given): predicates = given
        }
        let (start, end) = edges
        let isReversed = options.contains(.directionRightToLeft) && !format.isVertical
        var found: [NSLayoutConstraint] = []
        for predicate in predicates {
            let room = try number(predicate.value)
            let (near, far) = (isOuter ? start : end, isInner ? end : start)
            let constraint = NSLayoutConstraint(
                item: isReversed ? first : second,
                attribute: isReversed ? near : far,
                relatedBy: predicate.relation,
                toItem: isReversed ? second : first,
                attribute: isReversed ? far : near,
                multiplier: 1,
                constant: room
            )
            found.append(try with(predicate.priority, constraint))
        }
        return found
    }

    /// The sides at which views begin and end along the format.
    private var edges: (start: Attribute, end: Attribute) {
        if format.isVertical { return (.top, .bottom) }
        if options.contains(.directionLeftToRight) { return (.left, .right) }
        return options.contains(.directionRightToLeft) ? (.right, .left) : (.leading, .trailing)
    }

    // MARK: Lengths and sides

    private func lengths(of items: [AnyObject]) throws(VisualFormatError) -> [NSLayoutConstraint] {
        let side: Attribute = format.isVertical ? .height : .width
        var found: [NSLayoutConstraint] = []
        for (view, item) in zip(format.views, items) {
            for predicate in view.lengths {
                var (other, length): (AnyObject?, CGFloat) = (nil, 0)
                if case .name(let name) = predicate.value, metrics[name] == nil {
                    other = try self.item(named: name)
                } else {
                    length = try number(predicate.value)
                }
                let constraint = NSLayoutConstraint(
                    item: item,
                    attribute: side,
                    relatedBy: predicate.relation,
                    toItem: other,
                    attribute: other == nil ? .notAnAttribute : side,
                    multiplier: 1,
                    constant: length
                )
                found.append(try with(predicate.priority, constraint))
            }
        }
        return found
    }

    private func alignments(of items: [AnyObject]) throws(VisualFormatError) -> [NSLayoutConstraint] {
        var found: [NSLayoutConstraint] = []
        for (option, side, fitsRow) in NSLayoutConstraint.FormatOptions.sides where options.contains(option) {
            guard fitsRow != format.isVertical else {
                throw failure("Views can't have the same side along the direction in which they follow one another.")
            }
            for item in items.dropFirst() {
                found.append(
                    NSLayoutConstraint(
                        item: items[0],
                        attribute: side,
                        relatedBy: .equal,
                        toItem: item,
                        attribute: side,
                        multiplier: 1,
                        constant: 0
                    )
                )
            }
        }
        return found
    }

    // MARK: Names

    private func item(named name: String) throws(VisualFormatError) -> AnyObject {
        guard let found = views[name] else { throw failure("\(name) is not a key in the views dictionary.") }
        let item = found as AnyObject
        guard NSLayoutConstraint.view(of: item) != nil else { throw failure("\(name) is neither a view nor a guide.") }
        return item
    }

    private func superview(of item: AnyObject) throws(VisualFormatError) -> UIView {
        guard let view = (item as? UILayoutGuide)?.owningView ?? NSLayoutConstraint.view(of: item)?.superview else {
            throw failure("Unable to interpret \"|\": the view has no superview.")
        }
        return view
    }

    private func number(_ value: VisualFormat.Predicate.Value) throws(VisualFormatError) -> CGFloat {
        switch value {
        case .number(let number): return number
        case .name(let name):
            switch metrics[name] {
            case let number as CGFloat: return number
            case let number as Double: return CGFloat(number)
            case let number as Float: return CGFloat(number)
            case let number as Int: return CGFloat(number)
            case let number as NSNumber: return CGFloat(number.doubleValue)
            case nil: throw failure("\(name) is not a key in the metrics dictionary.")
            default: throw failure("\(name) is not a number.")
            }
        }
    }

    private func with(
        _ priority: VisualFormat.Predicate.Value?,
        _ constraint: NSLayoutConstraint
    ) throws(VisualFormatError) -> NSLayoutConstraint {
        guard let priority else { return constraint }
        let value = try number(priority)
        guard value > 0, value <= 1_000 else { throw failure("A priority is more than 0 and at most 1000.") }
        constraint.priority = UILayoutPriority(rawValue: Float(value))
        return constraint
    }

    private func failure(_ reason: String) -> VisualFormatError {
        VisualFormatError(format: text, place: 0, reason: reason)
    }
}
