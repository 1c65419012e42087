import SwiftSyntax

/// The remarks of a file that say why something is safe: `// safe: reason`.
///
/// One stands on the line, on the line above, or right before or on the first line of a function, an initialiser, a
/// property or a subscript, of which it then concerns everything.
final class Annotations: SyntaxVisitor {
    /// A remark and the lines that it concerns.
    struct Remark {
        let line: Int
        let lines: ClosedRange<Int>
        let reason: String
    }

    private(set) var remarks: [Remark] = []
    private let converter: SourceLocationConverter
    private var reasons: [Int: String] = [:]
    /// The lines of declarations, and where the comments before them begin.
    private var spans: [(comments: Int, lines: ClosedRange<Int>)] = []

    init(_ tree: SourceFileSyntax, _ converter: SourceLocationConverter) {
        self.converter = converter
        super.init(viewMode: .sourceAccurate)
        walk(tree)
        remarks = reasons.map { line, reason in
            // The widest declaration that it stands before or on, or else the line and the next one.
            let owner = spans.filter { $0.comments <= line && line <= $0.lines.lowerBound }
                .map(\.lines).max { $0.count < $1.count }
            return Remark(line: line, lines: line...max(owner?.upperBound ?? 0, next(line)), reason: reason)
        }
    }

    /// The next line that is not itself a remark.
    private func next(_ line: Int) -> Int { line + 1 }

    override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
        read(token.leadingTrivia, from: token.position)
        read(token.trailingTrivia, from: token.endPositionBeforeTrailingTrivia)
        return .visitChildren
    }

    private func read(_ trivia: Trivia, from start: AbsolutePosition) {
        var position = start
        for piece in trivia {
            if case .lineComment(let text) = piece, let reason = Self.reason(text) {
                reasons[converter.location(for: position).line] = reason
            }
            position = position.advanced(by: piece.sourceLength.utf8Length)
        }
    }

    private static func reason(_ comment: String) -> String? {
        guard comment.hasPrefix("// safe: ") else { return nil }
        let reason = comment.dropFirst("// safe: ".count)
        return reason.split(separator: " ").count >= 2 ? String(reason) : nil
    }

    private func add(_ node: some SyntaxProtocol) -> SyntaxVisitorContinueKind {
        let first = converter.location(for: node.positionAfterSkippingLeadingTrivia).line
        let last = converter.location(for: node.endPositionBeforeTrailingTrivia).line
        spans.append((converter.location(for: node.position).line + 1, first...last))
        return .visitChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }
}
