import WireJSON

/// A kind of object that files describe, in the order in which they are applied: what others name comes first.
package enum ObjectKind: String, Sendable, CaseIterable, Comparable {
    /// The settings of the workspace.
    case settings
    /// The extras that one of the app's typed contents expects.
    case contentType = "content_type"
    /// A piece of text that templates name.
    case contentBlock = "content_block"
    /// A saved segment.
    case segment
    /// A campaign.
    case campaign

    /// The folder that holds a file an object, or `nil` for ``settings``, which are one file.
    package var folder: String? {
        switch self {
        case .settings: nil
        case .contentType: "content-types"
        case .contentBlock: "content-blocks"
        case .segment: "segments"
        case .campaign: "campaigns"
        }
    }

    /// The name in lists, as people give it to `--only`.
    package var listName: String { folder ?? "settings" }

    /// The field that names the object, or `nil` for ``settings``.
    package var idField: String? {
        switch self {
        case .settings: nil
        case .contentType: "class_type"
        case .contentBlock: "name"
        case .segment, .campaign: "id"
        }
    }

    /// Returns whether one kind is applied before another.
    package static func < (left: Self, right: Self) -> Bool { left.place < right.place }

    private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Names an object of a workspace.
package struct ObjectReference: Sendable, Hashable, Comparable {
    /// Its kind.
    package let kind: ObjectKind
    /// Its id, compared by its bytes; empty for settings.
    package let id: ByteString

    /// Creates a reference.
    package init(_ kind: ObjectKind, _ id: String = "") {
        self.kind = kind
        self.id = ByteString(id)
    }

    /// The kind and the id, such as `campaigns/spring`.
    package var text: String { kind == .settings ? "settings" : "\(kind.listName)/\(id.text)" }

    /// Returns whether one object stands before another in lists.
    package static func < (left: Self, right: Self) -> Bool {
        if left.kind != right.kind { return left.kind < right.kind }
        return left.id < right.id
    }
}
