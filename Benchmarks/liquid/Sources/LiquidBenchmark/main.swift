import Foundation
import Liquid

// Usage: LiquidBenchmark DATA.json SECONDS TEMPLATE…
// Prints one line of JSON for each template: microseconds to compile, to render, and a digest of the output.

let arguments = CommandLine.arguments
guard arguments.count > 3, let seconds = Double(arguments[2]) else { exit(64) }
guard case .hash(let data) = try LiquidValue(json: Data(contentsOf: URL(filePath: arguments[1]))) else { exit(65) }
let environment = LiquidEnvironment(dialect: .standard)
let context = LiquidContext(data: data)

/// The mean microseconds of a call, repeated for the given time.
func microseconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    var calls = 0
    repeat {
        for _ in 0..<20 { try body() }
        calls += 20
    } while start.duration(to: .now) < .seconds(seconds)
    return start.duration(to: .now) / .microseconds(1) / Double(calls)
}

for path in arguments.dropFirst(3) {
    let source = try String(contentsOfFile: path, encoding: .utf8)
    let template = try environment.compile(source)
    let text = try template.render(context).text ?? ""
    let compile = try microseconds { _ = try environment.compile(source) }
    let render = try microseconds { _ = try template.render(context) }
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let digest = words.utf8.reduce(UInt64(5381)) { ($0 &* 33 &+ UInt64($1)) & 0xFFFF_FFFF }
    print("{\"compile\": \(compile), \"render\": \(render), \"digest\": \(digest)}")
}
