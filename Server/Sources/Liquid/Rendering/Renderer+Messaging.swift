extension Renderer {
    /// The text of a content block, rendered with the variables of the template that contains it.
    mutating func contentBlock(_ name: String) throws(LiquidError) -> LiquidValue {
        let text = try apart { (renderer) throws(LiquidError) in try renderer.renderContentBlock(name) }
        return .string(String(bytes: text))
    }

    /// Puts out a content block.
    mutating func renderContentBlock(_ name: String) throws(LiquidError) {
        let found = try context.contentBlocks?.template(named: name)
        guard let found else { throw LiquidError(.missingContentBlock, "No content block is called '\(name.quoted)'.") }
        let key = "content_blocks." + name
        guard !path.contains(key) else {
            throw LiquidError(.cyclicTemplate, "The content block '\(name.quoted)' contains itself.")
        }
        _ = try render(found, named: key)
    }

    mutating func renderConnected(_ content: ConnectedContent) throws(LiquidError) {
        offset = content.offset
        guard let provider = context.connectedContent else {
            throw LiquidError(.connectedContent, "Connected content is not available here.")
        }
        var request = ConnectedContentRequest(address: String(bytes: try apart(content.address).text))
        try renderOptions(of: content, into: &request)
        offset = content.offset
        let response = try provider.response(to: request)
        try meter.charge(response.body.utf8.count)
        if let value = try parsed(response) {
            // safe: a place of a name
            scope.assigned[place(content.variable ?? content.defaultVariable)] = value
        } else if let variable = content.variable {
            // safe: a place of a name
            scope.assigned[place(variable)] = .string(response.body)
        } else {
            try put(.string(response.body))
        }
    }

    /// Renders the options, those first that say whether the body is JSON.
    private mutating func renderOptions(
        of content: ConnectedContent,
        into request: inout ConnectedContentRequest
    ) throws(LiquidError) {
        for option in content.options where option.name != "body" {
            let position = option.name == "headers" ? JSONPosition() : nil
            request.options[option.name] = String(bytes: try apart(option.value, at: position).text)
        }
        for option in content.options where option.name == "body" {
            let position = try hasJSONBody(request) ? JSONPosition() : nil
            request.options[option.name] = String(bytes: try apart(option.value, at: position).text)
        }
    }

    /// Whether the type of the body is JSON: by the option, else by the headers.
    private func hasJSONBody(_ request: ConnectedContentRequest) throws(LiquidError) -> Bool {
        var type = request.options["content_type"]
        if type == nil, let headers = request.options["headers"] {
            do throws(LiquidError) {
                guard case .hash(let headers) = try LiquidValue(json: headers.utf8, meter) else { return false }
                type = headers.pairs.last { $0.key.lowercased() == "content-type" }?.value.text
            } catch {
                // What is no JSON is refused with the request.
                guard error.code == .invalidJSON else { throw error }
            }
        }
        return type?.lowercased().contains("json") ?? false
    }

    /// The body when it is a JSON object or array; an object also tells the status.
    private func parsed(_ response: ConnectedContentResponse) throws(LiquidError) -> LiquidValue? {
        var value: LiquidValue?
        do throws(LiquidError) {
            value = try LiquidValue(json: response.body.utf8, meter)
        } catch {
            guard error.code == .invalidJSON else { throw error }
        }
        switch value {
        case .hash(let hash): return .hash(LiquidHash(hash.pairs + [("__http_status_code__", .int(response.status))]))
        case .array(let items): return .array(items)
        // A page that says what went wrong is no content: the template sees the status.
        default: return (200..<300).contains(response.status) ? nil : ["__http_status_code__": .int(response.status)]
        }
    }
}
