import Foundation
import FuzzRun
import FuzzTargets

/// Fuzzes one target: `fuzz TARGET [libFuzzer's arguments]`; without arguments it lists the targets.
@main
enum Fuzzer {
    static func main() {
        exit(FuzzRun.main(FuzzTarget.all))
    }
}
