import Terminal
import WireJSON

/// The table of a report's conversions and variants, as a person reads it.
struct ExperimentTable {
    private let report: JSONValue

    init(_ report: JSONValue) { self.report = report }

    var lines: [String] { conversions + comparisons + verdict }

    // MARK: Conversions

    private var conversions: [String] {
        var table = TextTable([
            .text("CONVERSION"), .text("VARIANT"), .number("USERS"), .number("CONVERTED"), .number("RATE"),
            .number("95 % INTERVAL"), .number("AMOUNT"),
        ])
        var isEmpty = true
        for variant in report["variants"]?.array ?? [] {
            for conversion in variant["conversions"]?.array ?? [] {
                isEmpty = false
                table.add(row(of: conversion, variant["id"]?.string ?? ""))
            }
        }
        return isEmpty ? [] : ["", table.text]
    }

    private func row(of conversion: JSONValue, _ variant: String) -> [String] {
        let rate = conversion["rate"]
        let amounts = (conversion["amounts"]?.array ?? []).map { amount in
            "\(amount["amount"]?.text ?? "0") \(amount["currency"]?.string ?? "")"
        }
        return [
            conversion["name"]?.string ?? "", variant, "\(conversion["users"]?.integer ?? 0)",
            "\(conversion["unique_conversions"]?.integer ?? 0)", Self.percent(rate?["rate"]?.double),
            Self.interval(rate, Self.percent), amounts.joined(separator: ", "),
        ]
    }

    // MARK: Comparisons

    private var comparisons: [String] {
        let findings = report["experiment"]?["comparisons"]?.array ?? []
        guard !findings.isEmpty else { return [] }
        var table = TextTable([
            .text("COMPARED BY"), .text("VARIANT"), .text("WITH"), .number("LIFT"), .number("95 % INTERVAL"),
            .number("P-VALUE"), .text("SO IT IS"),
        ])
        for finding in findings {
            table.add([
                metric(of: finding), finding["variant_id"]?.string ?? "", finding["baseline_id"]?.string ?? "",
                Self.signed(finding["lift"]?.double), Self.interval(finding["lift_interval"], Self.signed),
                Self.pValue(finding["p_value"]?.double ?? 1),
                Self.outcome(of: finding),
            ])
        }
        return ["", table.text]
    }

    private static func outcome(of finding: JSONValue) -> String {
        guard finding["verdict"] != "no_difference_yet" else { return "inconclusive" }
        return (finding["verdict"]?.string ?? "").replacing("_", with: " ")
    }

    private func metric(of finding: JSONValue) -> String {
        ["type", "conversion_id", "currency"].compactMap { finding["metric"]?[$0]?.string }.joined(separator: " ")
    }

    // MARK: Verdict

    private var verdict: [String] {
        guard let experiment = report["experiment"], let verdict = experiment["verdict"],
            verdict["code"] != "nothing_to_compare"
        else { return [] }
        let ratio = experiment["sample_ratio"]?["p_value"]?.double.map { " Sample ratio: p \(Self.pValue($0))." } ?? ""
        return ["", "\(verdict["message"]?.string ?? "")\(ratio)"]
    }

    // MARK: Numbers

    private static func percent(_ part: Double?) -> String {
        part.map { "\(rounded($0 * 100)) %" } ?? "–"
    }

    private static func signed(_ part: Double?) -> String {
        guard let part else { return "–" }
        return "\(part < 0 ? "−" : "+")\(rounded(abs(part) * 100)) %"
    }

    private static func interval(_ interval: JSONValue?, _ text: (Double?) -> String) -> String {
        guard let low = interval?["low"]?.double, let high = interval?["high"]?.double else { return "–" }
        return "\(text(low)) to \(text(high))"
    }

    /// One decimal.
    private static func rounded(_ number: Double) -> String {
        guard abs(number) < 1e15 else { return "\(number)" }
        // safe: below 1e15
        let tenths = Int64((number * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }

    private static func pValue(_ value: Double) -> String {
        if value < 0.0001 { return "< 0.0001" }
        // safe: what a server says is no more than 1 here
        let digits = Int((min(value, 1) * 10_000).rounded())
        let fraction = "\(digits % 10_000)"
        // safe: four digits at most
        return "\(digits / 10_000).\(String(repeating: "0", count: 4 - fraction.count))\(fraction)"
    }
}
