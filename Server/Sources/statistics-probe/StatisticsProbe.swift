import ExperimentSimulation
import Foundation
import WireJSON

/// Lets other programs check the statistics: answers questions, one JSON line each, or prints a simulation.
@main
struct StatisticsProbe {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "simulate" {
            return simulate(arguments.dropFirst().first.flatMap(Int.init) ?? 10_000)
        }
        while let line = readLine() {
            // Unlike `print`, this does not keep an answer back that the caller waits for.
            let answer = Answers.answer(to: try JSONValue(parsing: line)).text
            try FileHandle.standardOutput.write(contentsOf: Data((answer + "\n").utf8))
        }
    }

    private static func simulate(_ count: Int) {
        print("\(count) experiments each, looked at every day for 28 days; the promise is 5 % at most.\n")
        print("world".padded(to: 50), "  called    missed  lift missed  ratio  ordinary")
        var holds = true
        for (index, world) in SimulatedWorld.published.enumerated() {
            for lift in [0, 0.3] {
                let tally = SimulationTally(count, in: world.lifted(by: lift), seed: UInt64(index * 2 + 1))
                let name = "\(world.name), \(lift == 0 ? "no effect" : "+30 %")"
                let shares = [tally.calls, tally.misses, tally.liftMisses, tally.ratioAlarms, tally.ordinaryCalls]
                print(name.padded(to: 50), shares.map { percent(tally.share($0)) }.joined(separator: "  "))
                let wrong = max(tally.wrongCalls, tally.misses, tally.liftMisses)
                holds = holds && tally.share(wrong) <= 0.05 && tally.share(tally.ratioAlarms) <= 0.01
            }
        }
        print(holds ? "\nEvery promise was kept." : "\nA promise was BROKEN.")
        exit(holds ? 0 : 1)
    }

    private static func percent(_ share: Double) -> String {
        String(format: "%6.2f %%", share * 100)
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
