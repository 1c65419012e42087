// swift-tools-version: 6.2

import PackageDescription

// The modules under test are linked into `Sources`, so that they are of this package: then they alone are built with
// coverage, and what is theirs by `package` can be called.

/// Coverage for libFuzzer, and what is internal for the targets; overflow traps and preconditions stay on.
let instrumented: [SwiftSetting] = [.unsafeFlags(["-sanitize=fuzzer", "-enable-testing"])]

/// A module of the SDK or the server, built with coverage.
func tested(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: instrumented)
}

let collections = Target.Dependency.product(name: "OrderedCollections", package: "swift-collections")

/// Fuzz targets for all that comes from outside.
let package = Package(
    name: "placard-server",
    defaultLocalization: "en",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        tested("WireJSON", [collections]),
        tested("WireYAML", ["WireJSON", collections, .product(name: "Yams", package: "Yams")]),
        tested("Liquid"),
        tested("Statistics"),
        tested("CardModel", ["Liquid", "Statistics", "WireJSON", collections]),
        tested("UserImport", ["CardModel", "WireJSON", collections]),
        tested("CommandSettings", ["WireJSON", "WireYAML"]),
        tested("Terminal"),
        tested("ContentCards", resources: [.copy("PrivacyInfo.xcprivacy")]),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "CardModel", "CommandSettings", "ContentCards", "Liquid", "Statistics", "Terminal", "UserImport",
                "WireJSON", "WireYAML", collections,
            ]
        ),
        .target(name: "LibFuzzer"),
        .target(name: "FuzzRun", dependencies: ["FuzzTargets", "LibFuzzer"]),
        .executableTarget(
            name: "fuzz",
            dependencies: ["FuzzRun", "FuzzTargets"],
            path: "Sources/Fuzzer",
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
        ),
    ],
    swiftLanguageModes: [.v6]
)
