// swift-tools-version: 6.0

import PackageDescription

/// The client SDK.
///
/// It has no third-party dependency, so an app that adds it pulls in nothing else.
let package = Package(
    name: "placard",
    defaultLocalization: "en",
    platforms: [.iOS(.v15), .macOS(.v13), .tvOS(.v15), .visionOS(.v1)],
    products: [
        .library(name: "ContentCards", targets: ["ContentCards"]),
        .library(name: "ContentCardsTesting", targets: ["ContentCardsTesting"]),
        .library(name: "ContentCardsUI", targets: ["ContentCardsUI"]),
        .library(name: "ContentCardsABK", targets: ["ContentCardsABK", "ContentCardsABKConstants"]),
        // The names that apps import the documented API by.
        .library(name: "AppboyUI", targets: ["AppboyUI", "ContentCardsABKConstants"]),
        .library(name: "AppboyKit", targets: ["AppboyKit", "ContentCardsABKConstants"]),
        .library(name: "Appboy_iOS_SDK", targets: ["Appboy_iOS_SDK", "ContentCardsABKConstants"]),
        .library(name: "BrowserUIKit", targets: ["BrowserUIKit"]),
    ],
    targets: [
        .target(name: "ContentCards", resources: [.copy("PrivacyInfo.xcprivacy")]),
        .target(name: "ContentCardsTesting", dependencies: ["ContentCards"]),
        .target(name: "BrowserUIKit"),
        .target(
            name: "ContentCardsUI",
            dependencies: [
                "ContentCards",
                .target(name: "BrowserUIKit", condition: .when(platforms: [.linux, .macOS])),
            ],
            resources: [.process("Resources"), .copy("PrivacyInfo.xcprivacy")]
        ),
        .target(
            name: "ContentCardsABK",
            dependencies: [
                "ContentCards", "ContentCardsUI",
                .target(name: "BrowserUIKit", condition: .when(platforms: [.linux, .macOS])),
            ],
            resources: [.copy("PrivacyInfo.xcprivacy")]
        ),
        // The constants for Objective-C, which does not see Swift's.
        .target(name: "ContentCardsABKConstants"),
        .target(name: "AppboyUI", dependencies: ["ContentCardsABK"], path: "Sources/DocumentedImports/AppboyUI"),
        .target(name: "AppboyKit", dependencies: ["ContentCardsABK"], path: "Sources/DocumentedImports/AppboyKit"),
        .target(
            name: "Appboy_iOS_SDK",
            dependencies: ["ContentCardsABK"],
            path: "Sources/DocumentedImports/Appboy_iOS_SDK"
        ),
        .testTarget(
            name: "ContentCardsABKTests",
            dependencies: [
                "ContentCardsABK", "ContentCardsTesting", "AppboyUI", "AppboyKit", "Appboy_iOS_SDK",
                .target(name: "BrowserUIKit", condition: .when(platforms: [.linux, .macOS])),
            ]
        ),
        .testTarget(name: "BrowserUIKitTests", dependencies: ["BrowserUIKit"]),
        .testTarget(
            name: "ContentCardsUITests",
            dependencies: [
                "ContentCardsUI",
                "ContentCardsTesting",
                .target(name: "BrowserUIKit", condition: .when(platforms: [.linux, .macOS])),
            ]
        ),
        .testTarget(
            name: "ContentCardsTests",
            dependencies: ["ContentCards", "ContentCardsTesting", "EventLogVictim"]
        ),
        .executableTarget(name: "EventLogVictim", dependencies: ["ContentCards"], path: "Tests/EventLogVictim"),
    ],
    swiftLanguageModes: [.v6]
)

// An app's files import UIKit and WebKit by name. Where there are none, BrowserUIKit takes their place; elsewhere a
// target of such a name would hide Apple's.
#if os(Linux)
for name in ["UIKit", "WebKit"] {
    package.products.append(.library(name: name, targets: [name]))
    package.targets.append(
        .target(name: name, dependencies: ["BrowserUIKit"], path: "Sources/DocumentedImports/\(name)")
    )
}
#endif
