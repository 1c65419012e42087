// swift-tools-version: 6.2

import PackageDescription

/// Measures the template engine; `run` compares it with two others.
let package = Package(
    name: "liquid-benchmark",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "placard-server", path: "../../Server")],
    targets: [
        .executableTarget(
            name: "LiquidBenchmark",
            dependencies: [.product(name: "Liquid", package: "placard-server")]
        )
    ],
    swiftLanguageModes: [.v6]
)
