// swift-tools-version: 6.2

import PackageDescription

/// The server.
///
/// It depends on the SDK for the card model and on nothing that needs a particular cloud.
let package = Package(
    name: "placard-server",
    platforms: [.macOS(.v14)],
    products: [
        .library(name: "Liquid", targets: ["Liquid"])
    ],
    targets: [
        .target(name: "Liquid"),
        .testTarget(name: "LiquidTests", dependencies: ["Liquid"]),
    ],
    swiftLanguageModes: [.v6]
)
