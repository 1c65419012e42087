// Places by frames, rows and items. What constraints lay out is laid out by the browser: it counts as lying where its
// superview begins.
extension UIView {
    /// Returns a point of this view in another one, or with `nil` in the window.
    public func convert(_ point: CGPoint, to view: UIView?) -> CGPoint {
        let (own, other) = (placeInWindow, view?.placeInWindow ?? .zero)
        return CGPoint(x: point.x + own.x - other.x, y: point.y + own.y - other.y)
    }

    /// Returns a point of another view, or with `nil` of the window, in this one.
    public func convert(_ point: CGPoint, from view: UIView?) -> CGPoint {
        let (own, other) = (placeInWindow, view?.placeInWindow ?? .zero)
        return CGPoint(x: point.x + other.x - own.x, y: point.y + other.y - own.y)
    }

    /// Returns a rectangle of this view in another one, or with `nil` in the window.
    public func convert(_ rect: CGRect, to view: UIView?) -> CGRect {
        CGRect(origin: convert(rect.origin, to: view), size: rect.size)
    }

    /// Returns a rectangle of another view, or with `nil` of the window, in this one.
    public func convert(_ rect: CGRect, from view: UIView?) -> CGRect {
        CGRect(origin: convert(rect.origin, from: view), size: rect.size)
    }

    /// The place in the window of the point 0, 0 of the view, as far as it is known.
    private var placeInWindow: CGPoint {
        var place = CGPoint.zero
        var next: UIView? = self
        while let view = next {
            let (start, shift) = (view.placeInSuperview, view.bounds.origin)
            place = CGPoint(x: place.x + start.x - shift.x, y: place.y + start.y - shift.y)
            next = view.superview
        }
        return place
    }

    private var placeInSuperview: CGPoint {
        switch (self, superview) {
        case (let cell as UITableViewCell, let table as UITableView):
            table.indexPath(for: cell).map { table.rectForRow(at: $0).origin } ?? frame.origin
        case (let cell as UICollectionViewCell, let collection as UICollectionView):
            collection.indexPath(for: cell).flatMap { collection.layoutAttributesForItem(at: $0)?.frame.origin }
                ?? frame.origin
        case (let view as UICollectionReusableView, _): view.place?.frame.origin ?? frame.origin
        default: frame.origin
        }
    }

    /// Says that there is no size in a direction.
    public static let noIntrinsicMetric: CGFloat = -1
    /// The size that asks for as little room as the content takes.
    public static let layoutFittingCompressedSize = CGSize.zero
    /// The size that asks for as much room as the content takes.
    public static let layoutFittingExpandedSize = CGSize(width: 10_000, height: 10_000)

    /// Returns the size that constraints give the view; browsers measure that, so it is the size of the frame.
    public func systemLayoutSizeFitting(_ targetSize: CGSize) -> CGSize {
        systemLayoutSizeFitting(
            targetSize,
            withHorizontalFittingPriority: .fittingSizeLevel,
            verticalFittingPriority: .fittingSizeLevel
        )
    }
}

extension CGRect {
    /// Returns the rectangle that is left inside of insets.
    public func inset(by insets: UIEdgeInsets) -> CGRect {
        CGRect(
            x: origin.x + insets.left,
            y: origin.y + insets.top,
            width: size.width - insets.left - insets.right,
            height: size.height - insets.top - insets.bottom
        )
    }
}
