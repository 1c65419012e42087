import WireJSON

/// The fields of a campaign's conversions.
struct ConversionFields: Sendable {
    let times: DraftTimes

    private var condition: ConditionFields { ConditionFields(times: times) }

    func fields(of conversion: JSONValue) -> JSONValue {
        [
            "id": .string(conversion.value(.id)), "name": .string(conversion.value(.name)),
            "on": condition.fields(of: conversion.part(.on)),
            "window": DurationFields.fields(of: conversion[.windowSeconds], unit: "days"),
            "from": .string(conversion[.from]?.string ?? "delivery"),
        ]
    }

    func json(_ fields: JSONValue, _ baseValues: BaseValues) -> JSONValue {
        if let same = baseValues[fields] { return same }
        let on = fields.part(.on)
        return [
            "id": .string(fields.trimmed(.id)),
            "name": fields.text(.name).map(JSONValue.string) ?? .null,
            "on": baseValues[on] ?? condition.json(on),
            "window_seconds": DurationFields.seconds(fields[.window]) ?? .null,
            "from": .string(fields.text(.from) ?? "delivery"),
        ]
    }
}
