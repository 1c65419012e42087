import Foundation

/// Holds what is found in fixtures to what they say: `// finds: rule rule` at the end of a line, nothing elsewhere.
enum SelfTest {
    static func run(_ reports: [Report]) -> Int32 {
        var failures = 0
        for report in reports {
            let lines = ((try? String(contentsOfFile: report.path, encoding: .utf8)) ?? "").components(
                separatedBy: "\n"
            )
            for (index, line) in lines.enumerated() {
                let number = index + 1
                let wanted = expectation(line)
                var found = report.hits.filter { $0.line == number }.map(\.rule.rawValue).sorted()
                found = found.filter { _ in report.open.contains { $0.hasPrefix("\(report.path):\(number):") } }
                if report.stale.contains(number) { found.append("remark") }
                guard wanted != found else { continue }
                failures += 1
                print("\(report.path):\(number): expected [\(wanted.joined(separator: " "))], found \(found)")
            }
        }
        print(failures == 0 ? "The fixtures hold." : "\(failures) lines of the fixtures do not hold.")
        return failures == 0 ? 0 : 1
    }

    private static func expectation(_ line: String) -> [String] {
        guard let mark = line.range(of: "// finds: ") else { return [] }
        return line[mark.upperBound...].split(separator: " ").map(String.init).sorted()
    }
}
