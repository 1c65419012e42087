// Finds what may end the process: arithmetic that overflows, conversions that do not fit, elements that are not there.
// `arithmetic-lint FILE… ` prints each place that no remark says is safe; `--test FILE…` checks the fixtures.

import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// A file and what was found in it.
struct Report {
    let path: String
    var open: [String] = []
    var stale: [Int] = []
    var hits: [(line: Int, rule: Rule, message: String)] = []
}

func parse(_ path: String) -> SourceFileSyntax {
    let source = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
    return tree.as(SourceFileSyntax.self) ?? Parser.parse(source: source)
}

func report(_ path: String, _ tree: SourceFileSyntax, _ book: Book) -> Report {
    let converter = SourceLocationConverter(fileName: path, tree: tree)
    let annotations = Annotations(tree, converter)
    let rules = RuleVisitor(book)
    rules.walk(tree)
    var report = Report(path: path)
    var used: Set<Int> = []
    for hit in rules.hits {
        let line = converter.location(for: hit.position).line
        let remarks = annotations.remarks.filter { $0.lines.contains(line) }
        used.formUnion(remarks.map(\.line))
        report.hits.append((line, hit.rule, hit.message))
        if remarks.isEmpty { report.open.append("\(path):\(line): \(hit.rule.rawValue): \(hit.message)") }
    }
    report.stale = annotations.remarks.map(\.line).filter { !used.contains($0) }.sorted()
    return report
}

let arguments = CommandLine.arguments.dropFirst()
let isTest = arguments.first == "--test"
// What follows `--context` is read for its declarations and not checked.
let groups = arguments.filter { $0 != "--test" }.split(separator: "--context", omittingEmptySubsequences: false)
let checked = (groups.first ?? []).sorted()
let context = groups.count > 1 ? Set(groups[1]).subtracting(checked).sorted() : []
let trees = (checked + context).map { (path: $0, tree: parse($0)) }
let book = Book()
for (_, tree) in trees { AliasVisitor(book).walk(tree) }
for (_, tree) in trees { DeclarationVisitor(book).walk(tree) }
for (_, tree) in trees { SourceVisitor(book).walk(tree) }
let solver = Solver(book)
solver.solve()
if let name = ProcessInfo.processInfo.environment["ARITHMETIC_LINT_WHY"] {
    for reason in solver.reasons(name) { print(reason) }
}
let reports = trees.prefix(checked.count).map { report($0.path, $0.tree, book) }
if isTest {
    exit(SelfTest.run(reports))
}
for report in reports {
    for line in report.open { print(line) }
    for line in report.stale { print("\(report.path):\(line): remark: nothing here needs to be said safe") }
}
let count = reports.reduce(0) { $0 + $1.open.count + $1.stale.count }
if count > 0 {
    print("\(count) places. Check the arithmetic, or say why it is safe: // safe: reason")
    exit(1)
}
