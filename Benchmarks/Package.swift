// swift-tools-version: 6.2

import PackageDescription

/// What the benchmarks compare with, and the SDK's own measurements.
///
/// `make bench` runs them.
let package = Package(
    name: "placard-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "placard", path: ".."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "hello",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        .executableTarget(name: "sdk", dependencies: [.product(name: "ContentCards", package: "placard")]),
    ],
    swiftLanguageModes: [.v6]
)
