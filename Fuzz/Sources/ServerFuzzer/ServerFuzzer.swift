import Foundation
import FuzzRun
import FuzzTargets
import ServerTargets

/// Fuzzes one target of the server: `fuzz-server TARGET [libFuzzer's arguments]`; without arguments it lists the
/// targets.
@main
enum ServerFuzzer {
    static func main() {
        exit(FuzzRun.main(FuzzTarget.server))
    }
}
